# Defines edgewise::cuda: the headers, C++20 for CUDA sources, and the CUDA runtime.
# The build and the installed package include this same file after find_package(CUDAToolkit), so that a package made on a
# machine without CUDA serves one that has it.
if(TARGET edgewise::cuda)
  return()
endif()
add_library(edgewise::cuda INTERFACE IMPORTED GLOBAL)

# One runtime in a program: follow the user's choice (property CUDA_RUNTIME_LIBRARY), static where there is none.
set(shared_runtime $<STREQUAL:$<TARGET_PROPERTY:CUDA_RUNTIME_LIBRARY>,Shared>)
target_link_libraries(edgewise::cuda INTERFACE
  edgewise::edgewise $<IF:${shared_runtime},CUDA::cudart,CUDA::cudart_static>)
unset(shared_runtime)

if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.25.2 AND CMAKE_CUDA_COMPILER_LOADED)
  target_compile_features(edgewise::cuda INTERFACE cuda_std_20)
else()  # CMake up to 3.25.1 does not know that nvcc 12 and later speak C++20
  target_compile_options(edgewise::cuda INTERFACE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-std=c++20>)
endif()
