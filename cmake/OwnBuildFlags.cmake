# Flags of this project's own programs, set per directory: targets that others link carry none of them.
# Warnings are errors: -Wpedantic is left out for CUDA because nvcc's generated code trips it.
add_compile_options(
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall> $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wextra>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wpedantic> $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Werror>
  # g++ guesses wrong about register values of which only the chunks in use are set; it warns, and stays a warning.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=maybe-uninitialized>
  $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Werror=all-warnings> $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>)
set(CMAKE_CXX_EXTENSIONS OFF)
