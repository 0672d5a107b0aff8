# Defines the installation and the packages: `cmake --install build --prefix P`, `cpack --config
# build/CPackConfig.cmake`. Installed files contain no absolute paths: the program finds them relative to itself.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/warpcheck)

set_target_properties(warpcheck PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/warpcheck")
# DT_RPATH, unlike DT_RUNPATH, is also the path of libraries of libraries: GMP, which isl needs.
target_link_options(warpcheck PRIVATE LINKER:--disable-new-dtags)
install(TARGETS warpcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT warpcheck)
install(TARGETS warpcheck-nvrtc RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/warpcheck COMPONENT warpcheck)
install(PROGRAMS scripts/fetch-nvcc DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME warpcheck-fetch-nvcc
  COMPONENT warpcheck)

# The process that runs references in C++. An archive has its libraries beside it.
set_target_properties(warpcheck-reference PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS warpcheck-reference RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpcheck COMPONENT warpcheck)

# The CUDA runtime of programs under `warpcheck exec`, and the package for their CMake projects.
if(TARGET warpcheck_cudart)
  set(exec_libraries warpcheck_cudart warpcheck_libcuda)
  if(TARGET warpcheck_libcublas)
    list(APPEND exec_libraries warpcheck_libcublas warpcheck_libcublasLt)
  endif()
  set_target_properties(${exec_libraries} PROPERTIES INSTALL_RPATH "$ORIGIN" BUILD_WITH_INSTALL_RPATH ON)
  install(TARGETS ${exec_libraries} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpcheck COMPONENT warpcheck)
  install(FILES ${PROJECT_BINARY_DIR}/lib/warpcheck/driver/libcuda.so.1 DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpcheck/driver COMPONENT warpcheck)
  install(DIRECTORY python/exec/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/warpcheck/python COMPONENT warpcheck PATTERN __pycache__ EXCLUDE)
endif()
# The C interface.
if(TARGET warpcheck_library)
  add_dependencies(warpcheck warpcheck_library)  # `--target warpcheck` builds all that is installed
  set_target_properties(warpcheck_library PROPERTIES INSTALL_RPATH "$ORIGIN/warpcheck")
  install(TARGETS warpcheck_library LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT warpcheck)
  install(DIRECTORY library/include/warpcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT warpcheck)
endif()
include(install/wheel)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/warpcheck-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/install/warpcheck-config.cmake ${PROJECT_BINARY_DIR}/warpcheck-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/warpcheck COMPONENT warpcheck)

# Built-in kernels, with manifests and PTX that name their sources relative to themselves. Specimens include headers of
# ../../gemm, so that they lie beside it here too.
install(CODE "set(source_folder [[${PROJECT_SOURCE_DIR}]])\nset(build_folder [[${PROJECT_BINARY_DIR}]])"
  COMPONENT warpcheck)
install(SCRIPT cmake/install/relocate_kernels.cmake COMPONENT warpcheck)
install(DIRECTORY ${PROJECT_BINARY_DIR}/installed/kernels DESTINATION ${share} COMPONENT warpcheck)
install(DIRECTORY kernels/gemm kernels/operations kernels/specimens DESTINATION ${share}/kernels COMPONENT warpcheck)

# The program generates manual pages and completions during the installation.
set(generated ${PROJECT_BINARY_DIR}/installed/generated)
install(CODE "set(program [[$<TARGET_FILE:warpcheck>]])\nset(generated_folder [[${generated}]])" COMPONENT warpcheck)
install(SCRIPT cmake/install/write_manuals.cmake COMPONENT warpcheck)
install(DIRECTORY ${generated}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT warpcheck)
install(DIRECTORY ${generated}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT warpcheck)
install(DIRECTORY ${generated}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT warpcheck)
install(DIRECTORY ${generated}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT warpcheck)

install(FILES README.md HACKING.md CONTRIBUTING.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT warpcheck)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT warpcheck)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT warpcheck)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT warpcheck OPTIONAL)

# An archive contains the libraries that the program was linked with; a .deb depends on their packages instead.
set(runtime "")
if(TARGET warpcheck_cudart)
  set(runtime "$<TARGET_FILE:warpcheck_cudart>")
endif()
install(CODE "set(program [[$<TARGET_FILE:warpcheck>]])\nset(runtime ${runtime})\nset(library_folder ${CMAKE_INSTALL_LIBDIR}/warpcheck)"
  COMPONENT libraries EXCLUDE_FROM_ALL)
install(SCRIPT cmake/install/copy_libraries.cmake COMPONENT libraries EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_VENDOR warpcheck)
set(CPACK_PACKAGE_CONTACT "warpcheck <warpcheck@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# To compile a user's .cu: the host compiler that nvcc calls, and pip for warpcheck-fetch-nvcc.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, python3-pip | nvidia-cuda-toolkit")
set(CPACK_PACKAGE_BUILD_FOLDER ${PROJECT_BINARY_DIR})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/install/package_components.cmake)
include(CPack)
