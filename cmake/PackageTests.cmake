# Two projects that use the library, each by find_package (from a staged install), by add_subdirectory and by FetchContent: one in
# plain C++, one with CUDA. A third trains a reference model; models are not installed, and packages that only the trainer
# needs are hidden from it. A fourth asks for a component that does not exist and must be told so.
function(edgewise_add_package_tests)
  set(stage ${CMAKE_CURRENT_BINARY_DIR}/stage)
  add_test(NAME package.install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${stage})
  set_tests_properties(package.install PROPERTIES FIXTURES_SETUP staged_install LABELS package)

  set(consumers host)
  if(EDGEWISE_HAS_CUDA)
    list(APPEND consumers cuda)
  endif()
  if(TARGET edgewise::models)
    list(APPEND consumers models)
  endif()
  foreach(consumer IN LISTS consumers)
    foreach(how IN ITEMS find_package add_subdirectory FetchContent)
      if(consumer STREQUAL models AND NOT how STREQUAL add_subdirectory)
        continue()
      endif()
      add_test(NAME package.${consumer}.${how} COMMAND ${CMAKE_CTEST_COMMAND}
        --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/package/${consumer} ${CMAKE_CURRENT_BINARY_DIR}/package/${consumer}_${how}
        --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
        --build-options -DUSE_EDGEWISE_BY=${how} -DEDGEWISE_SOURCE_DIR=${PROJECT_SOURCE_DIR} -Dedgewise_ROOT=${stage}
          -DFETCHCONTENT_SOURCE_DIR_EDGEWISE=${PROJECT_SOURCE_DIR}
          -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
          -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
          -DCMAKE_CUDA_ARCHITECTURES=90
        --test-command consumer)
      set_tests_properties(package.${consumer}.${how} PROPERTIES FIXTURES_REQUIRED staged_install LABELS package)
    endforeach()
  endforeach()

  # Without CMake, by pkg-config; and as packages of Conan, where it is installed. Neither downloads anything.
  find_program(EDGEWISE_PKG_CONFIG NAMES pkg-config pkgconf)
  if(EDGEWISE_PKG_CONFIG)
    set(consumer ${CMAKE_CURRENT_BINARY_DIR}/package/pkg_config_consumer)
    add_test(NAME package.pkg_config COMMAND sh -c "${CMAKE_CXX_COMPILER} -std=c++20 $('${EDGEWISE_PKG_CONFIG}' --cflags edgewise) \
      '${CMAKE_CURRENT_SOURCE_DIR}/package/host/main.cpp' -o '${consumer}' && '${consumer}'")
    set_tests_properties(package.pkg_config PROPERTIES FIXTURES_REQUIRED staged_install LABELS package
      ENVIRONMENT PKG_CONFIG_PATH=${stage}/${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
  find_program(EDGEWISE_CONAN conan)
  if(EDGEWISE_CONAN)
    set(home ${CMAKE_CURRENT_BINARY_DIR}/package/conan)
    add_test(NAME package.conan COMMAND sh -c "'${EDGEWISE_CONAN}' profile detect --exist-ok && '${EDGEWISE_CONAN}' create \
      '${PROJECT_SOURCE_DIR}/cmake/packages/conan' -s compiler.cppstd=20 -nr -c tools.cmake.cmake_layout:test_folder='${home}/consumer'")
    set_tests_properties(package.conan PROPERTIES LABELS package ENVIRONMENT CONAN_HOME=${home})
  endif()

  add_test(NAME package.unknown_component COMMAND ${CMAKE_COMMAND} --fresh -Dedgewise_ROOT=${stage}
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -S ${CMAKE_CURRENT_SOURCE_DIR}/package/unknown_component
    -B ${CMAKE_CURRENT_BINARY_DIR}/package/unknown_component)
  set_tests_properties(package.unknown_component PROPERTIES FIXTURES_REQUIRED staged_install LABELS package
    PASS_REGULAR_EXPRESSION "edgewise: there is no component rocm")
endfunction()
