# What an installed warpcheck is made of, and its packages: `cmake --install build --prefix P`, `cpack --config
# build/CPackConfig.cmake`. Nothing of it knows where it lies: the program looks beside itself.
include(GNUInstallDirs)
set(share ${CMAKE_INSTALL_DATADIR}/warpcheck)

set_target_properties(warpcheck PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/warpcheck")
install(TARGETS warpcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT warpcheck)
install(PROGRAMS scripts/fetch-nvcc DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME warpcheck-fetch-nvcc
  COMPONENT warpcheck)

# Built-in kernels, with manifests and PTX that name their sources relative to themselves. Specimens include headers of
# ../../gemm, so that they lie beside it here too.
install(CODE "set(source_folder [[${PROJECT_SOURCE_DIR}]])\nset(build_folder [[${PROJECT_BINARY_DIR}]])"
  COMPONENT warpcheck)
install(SCRIPT cmake/install/relocate_kernels.cmake COMPONENT warpcheck)
install(DIRECTORY ${PROJECT_BINARY_DIR}/installed/kernels DESTINATION ${share} COMPONENT warpcheck)
install(DIRECTORY kernels/gemm kernels/specimens DESTINATION ${share}/kernels COMPONENT warpcheck)

# Manual pages and completions are the program's own word.
string(TIMESTAMP today "%Y-%m-%d" UTC)
set(told ${PROJECT_BINARY_DIR}/installed/told)
add_custom_command(OUTPUT ${told}/stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${told}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${told}/man ${told}/bash ${told}/zsh ${told}/fish
  COMMAND warpcheck man --all ${told}/man --date ${today}
  COMMAND warpcheck completion bash > ${told}/bash/warpcheck
  COMMAND warpcheck completion zsh > ${told}/zsh/_warpcheck
  COMMAND warpcheck completion fish > ${told}/fish/warpcheck.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${told}/stamp
  DEPENDS warpcheck
  COMMENT "Writing manual pages and completions")
add_custom_target(warpcheck_manuals ALL DEPENDS ${told}/stamp)
install(DIRECTORY ${told}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT warpcheck)
install(DIRECTORY ${told}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  COMPONENT warpcheck)
install(DIRECTORY ${told}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT warpcheck)
install(DIRECTORY ${told}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
  COMPONENT warpcheck)

install(FILES README.md HACKING.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT warpcheck)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT warpcheck)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT warpcheck)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT warpcheck OPTIONAL)

# An archive has the libraries that the program was linked with; a .deb asks for their packages instead.
install(CODE "set(program [[$<TARGET_FILE:warpcheck>]])\nset(library_folder ${CMAKE_INSTALL_LIBDIR}/warpcheck)"
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
# For a user's own .cu: the host compiler that nvcc calls, and what warpcheck-fetch-nvcc needs.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, python3-pip | nvidia-cuda-toolkit")
set(CPACK_PACKAGE_BUILD_FOLDER ${PROJECT_BINARY_DIR})
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/install/package_components.cmake)
include(CPack)
