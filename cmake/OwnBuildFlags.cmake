# Flags of this project's own programs, set per directory: targets that others link carry none of them.
# Warnings are errors: -Wpedantic is left out for CUDA because nvcc's generated code trips it.
add_compile_options(
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall> $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wextra>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wpedantic> $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Werror>
  # g++ guesses wrong about register values of which only the chunks in use are set; it warns, and stays a warning.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=maybe-uninitialized>
  $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Werror=all-warnings> $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>)
set(CMAKE_CXX_EXTENSIONS OFF)

# Slow code: about half of what an nvcc call takes is spent on optimising. Targets whose code goes on to ptxas say that
# they are EDGEWISE_OPTIMISED, since ptxas takes ten times as long for what comes out of this.
if(EDGEWISE_QUICK_DEVICE_CODE AND EDGEWISE_HAS_CUDA)
  include(CheckCompilerFlag)
  check_compiler_flag(CUDA --Ofast-compile=max EDGEWISE_NVCC_COMPILES_FAST)  # CUDA 13
  if(EDGEWISE_NVCC_COMPILES_FAST)
    add_compile_options(
      $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<BOOL:$<TARGET_PROPERTY:EDGEWISE_OPTIMISED>>>>:--Ofast-compile=max>)
  endif()
endif()
