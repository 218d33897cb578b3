# Defines edgewise::nccl where NCCL is found: edgewise::cuda with the communicator of vendor/nccl.cuh. Included after
# find_package(CUDAToolkit).
find_path(EDGEWISE_NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(EDGEWISE_NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR})
mark_as_advanced(EDGEWISE_NCCL_INCLUDE_DIR EDGEWISE_NCCL_LIBRARY)
if(TARGET edgewise::nccl OR NOT TARGET edgewise::cuda OR NOT EDGEWISE_NCCL_INCLUDE_DIR OR NOT EDGEWISE_NCCL_LIBRARY)
  return()
endif()
add_library(edgewise::nccl INTERFACE IMPORTED GLOBAL)
target_include_directories(edgewise::nccl SYSTEM INTERFACE ${EDGEWISE_NCCL_INCLUDE_DIR})
target_link_libraries(edgewise::nccl INTERFACE edgewise::cuda ${EDGEWISE_NCCL_LIBRARY})
