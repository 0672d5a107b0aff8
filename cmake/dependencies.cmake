# Finds the libraries that the rooms link. RapidCheck and toml++, which some distributions do not package, are downloaded
# if they are missing, each pinned by commit.
include(FetchContent)

find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(pugixml REQUIRED)

find_package(rapidcheck QUIET)
if(NOT rapidcheck_FOUND)
  FetchContent_Declare(rapidcheck
    GIT_REPOSITORY https://github.com/emil-e/rapidcheck.git
    GIT_TAG 08b505857e32d52a20b2240b5125d937d67a6d86)  # the commit that Debian 12 packages
  FetchContent_MakeAvailable(rapidcheck)
endif()

find_package(tomlplusplus QUIET)
if(NOT tomlplusplus_FOUND)
  FetchContent_Declare(tomlplusplus
    GIT_REPOSITORY https://github.com/marzer/tomlplusplus.git
    GIT_TAG 30172438cee64926dc41fdd9c11fb3ba5b2ba9de)  # v3.4.0
  FetchContent_MakeAvailable(tomlplusplus)
endif()

find_program(WARPCHECK_CCACHE ccache)
mark_as_advanced(WARPCHECK_CCACHE)
if(WARPCHECK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the sloppiness, ccache does not cache what uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${WARPCHECK_CCACHE})
endif()
