# Defines edgewise::vendor: edgewise::cuda, cuSPARSE for vendor/vendor_spmm.cuh and, where it is there, cuBLAS for
# vendor/vendor_cublas.cuh. Included after find_package(CUDAToolkit).
if(TARGET edgewise::vendor)
  return()
endif()
add_library(edgewise::vendor INTERFACE IMPORTED GLOBAL)
target_link_libraries(edgewise::vendor INTERFACE edgewise::cuda CUDA::cusparse)
if(TARGET CUDA::cublas)
  target_link_libraries(edgewise::vendor INTERFACE CUDA::cublas)
endif()
