# Install rules and the files of find_package(edgewise [COMPONENTS cuda vendor openmp metis cblas mpi nccl]).
include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/edgewise)
install(TARGETS edgewise EXPORT edgewiseTargets)
install(DIRECTORY include/edgewise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT edgewiseTargets NAMESPACE edgewise:: DESTINATION ${package_directory})

configure_package_config_file(cmake/edgewiseConfig.cmake.in edgewiseConfig.cmake
  INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(edgewiseConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/edgewiseConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/edgewiseConfigVersion.cmake
  cmake/edgewise_cuda.cmake cmake/edgewise_vendor.cmake cmake/edgewise_openmp.cmake
  cmake/edgewise_metis.cmake cmake/edgewise_cblas.cmake cmake/edgewise_mpi.cmake cmake/edgewise_nccl.cmake
  DESTINATION ${package_directory})

# For builds without CMake: pkg-config --cflags edgewise.
file(RELATIVE_PATH pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/edgewise.pc.in edgewise.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/edgewise.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
