# Read by cpack for each kind of package: which components of the build it holds.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_PACKAGE_BUILD_FOLDER};warpcheck;warpcheck;/")
if(CPACK_GENERATOR STREQUAL TGZ)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_PACKAGE_BUILD_FOLDER};warpcheck;libraries;/")
endif()
