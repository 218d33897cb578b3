# Flags of this project's own programs, set per directory: targets that others link carry none of them.
# Warnings are errors: -Wpedantic is left out for CUDA because nvcc's generated code trips it.
add_compile_options(
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wall> $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wextra>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Wpedantic> $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-Werror>
  # g++ guesses wrong about register values of which only the chunks in use are set, and about CUB's scan; it warns, and
  # these stay warnings.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-error=maybe-uninitialized>
  $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Werror=all-warnings> $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wall,-Wextra>
  $<$<AND:$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=-Wno-error=maybe-uninitialized>)
# g++ collects its garbage from half a GiB on: a tenth less time for large tests.
set(collect_late --param=ggc-min-heapsize=524288)
add_compile_options(
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:${collect_late}>
  $<$<AND:$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=${collect_late}>)
set(CMAKE_CXX_EXTENSIONS OFF)

# Slow code: about half of what an nvcc call takes is spent on optimising, and the most of the rest on the geometries of
# a pass. Targets whose code goes on to ptxas say that they are EDGEWISE_OPTIMISED, since ptxas takes ten times as long
# for what comes out of this; they have all geometries. So have tests of the host that are EDGEWISE_ALL_GEOMETRIES.
# The host's code, too, takes longer to optimise than it runs, but for targets that are EDGEWISE_OPTIMISED.
if(EDGEWISE_QUICK_BUILD)
  add_compile_options($<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>,$<NOT:$<BOOL:$<TARGET_PROPERTY:EDGEWISE_OPTIMISED>>>>:-O0>)
  add_compile_definitions(EDGEWISE_QUICK_BUILD)  # tests/support/catch.hpp
  add_compile_definitions($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:EDGEWISE_ALL_GEOMETRIES>>>>:EDGEWISE_FEW_GEOMETRIES>)
endif()
if(EDGEWISE_QUICK_BUILD AND EDGEWISE_HAS_CUDA)
  set(quick $<AND:$<COMPILE_LANGUAGE:CUDA>,$<NOT:$<BOOL:$<TARGET_PROPERTY:EDGEWISE_OPTIMISED>>>>)
  add_compile_definitions($<${quick}:EDGEWISE_FEW_GEOMETRIES>)
  include(CheckCompilerFlag)
  check_compiler_flag(CUDA --Ofast-compile=max EDGEWISE_NVCC_COMPILES_FAST)  # CUDA 13
  if(EDGEWISE_NVCC_COMPILES_FAST)
    add_compile_options($<${quick}:--Ofast-compile=max>)
  endif()
  # Objects without device code, which nothing here could run.
  check_compiler_flag(CUDA -fdevice-syntax-only EDGEWISE_NVCC_CHECKS_ALONE)
  if(EDGEWISE_NVCC_CHECKS_ALONE)
    add_compile_options($<${quick}:-fdevice-syntax-only>)
  endif()
endif()
