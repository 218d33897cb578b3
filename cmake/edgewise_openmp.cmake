# Defines edgewise::openmp: the headers with the CPU engine's threads switched on. Included after find_package(OpenMP).
if(NOT TARGET edgewise::openmp)
  add_library(edgewise::openmp INTERFACE IMPORTED GLOBAL)
  target_link_libraries(edgewise::openmp INTERFACE edgewise::edgewise OpenMP::OpenMP_CXX)
endif()
