# cpack reads this file for each kind of package. It selects the components of the build for the package.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_PACKAGE_BUILD_FOLDER};warpcheck;warpcheck;/")
if(CPACK_GENERATOR STREQUAL TGZ)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_PACKAGE_BUILD_FOLDER};warpcheck;libraries;/")
endif()
