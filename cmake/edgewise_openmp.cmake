# Defines edgewise::openmp: the headers with the CPU engine's threads switched on. Included after find_package(OpenMP).
if(TARGET edgewise::openmp)
  return()
endif()
add_library(edgewise::openmp INTERFACE IMPORTED GLOBAL)
target_link_libraries(edgewise::openmp INTERFACE edgewise::edgewise OpenMP::OpenMP_CXX)

# FindOpenMP speaks to the C++ compiler alone; host code in a .cu file must be the same code, or the program has two versions
# of one inline function.
target_compile_options(edgewise::openmp INTERFACE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${OpenMP_CXX_FLAGS}>)
