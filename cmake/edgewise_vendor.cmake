# Defines edgewise::vendor: edgewise::cuda and cuSPARSE, for vendor/vendor_spmm.cuh. Included after find_package(CUDAToolkit).
if(TARGET edgewise::vendor)
  return()
endif()
add_library(edgewise::vendor INTERFACE IMPORTED GLOBAL)
target_link_libraries(edgewise::vendor INTERFACE edgewise::cuda CUDA::cusparse)
