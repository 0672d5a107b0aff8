# Finds the libraries that the rooms link. RapidCheck and toml++, which some distributions do not package, are downloaded
# if they are missing, each pinned by commit.
include(FetchContent)

# Adds a download. EXCLUDE_FROM_ALL keeps its own targets and installation out of those of warpcheck. SOURCE_SUBDIR names a
# folder that does not exist, so that FetchContent does not add the download itself.
macro(warpcheck_download name repository commit)
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${commit} SOURCE_SUBDIR none)
  FetchContent_MakeAvailable(${name})
  add_subdirectory(${${name}_SOURCE_DIR} ${${name}_BINARY_DIR} EXCLUDE_FROM_ALL)
endmacro()

find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(pugixml REQUIRED)

# LZ4 and Zstandard, which have no CMake package in Debian 12.
find_path(LZ4_INCLUDE_DIR lz4.h REQUIRED)
find_library(LZ4_LIBRARY lz4 REQUIRED)
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)
find_library(ZSTD_LIBRARY zstd REQUIRED)
mark_as_advanced(LZ4_INCLUDE_DIR LZ4_LIBRARY ZSTD_INCLUDE_DIR ZSTD_LIBRARY)
add_library(warpcheck_compression INTERFACE)
target_include_directories(warpcheck_compression SYSTEM INTERFACE ${LZ4_INCLUDE_DIR} ${ZSTD_INCLUDE_DIR})
target_link_libraries(warpcheck_compression INTERFACE ${LZ4_LIBRARY} ${ZSTD_LIBRARY})

# z3, which has no CMake package in Debian 12. Without it, the command `prove` proves nothing.
find_path(WARPCHECK_Z3_INCLUDE_DIR z3++.h)
find_library(WARPCHECK_Z3_LIBRARY z3)
mark_as_advanced(WARPCHECK_Z3_INCLUDE_DIR WARPCHECK_Z3_LIBRARY)
if(NOT WARPCHECK_Z3_LIBRARY OR NOT WARPCHECK_Z3_INCLUDE_DIR)
  set(WARPCHECK_Z3_LIBRARY "")
  message(STATUS "z3 was not found: warpcheck prove proves nothing. Debian's package is libz3-dev")
endif()

# isl, the Integer Set Library. Without it, `prove` does not show that every element is written.
find_path(WARPCHECK_ISL_INCLUDE_DIR isl/set.h)
find_library(WARPCHECK_ISL_LIBRARY isl)
mark_as_advanced(WARPCHECK_ISL_INCLUDE_DIR WARPCHECK_ISL_LIBRARY)
if(NOT WARPCHECK_ISL_LIBRARY OR NOT WARPCHECK_ISL_INCLUDE_DIR)
  set(WARPCHECK_ISL_LIBRARY "")
  message(STATUS "isl was not found: warpcheck prove covers nothing. Debian's package is libisl-dev")
endif()

find_package(rapidcheck QUIET)
if(NOT rapidcheck_FOUND)
  warpcheck_download(rapidcheck https://github.com/emil-e/rapidcheck.git
    08b505857e32d52a20b2240b5125d937d67a6d86)  # the commit that Debian 12 packages
endif()

find_package(tomlplusplus QUIET)
if(NOT tomlplusplus_FOUND)
  warpcheck_download(tomlplusplus https://github.com/marzer/tomlplusplus.git
    30172438cee64926dc41fdd9c11fb3ba5b2ba9de)  # v3.4.0
endif()

find_program(WARPCHECK_CCACHE ccache)
mark_as_advanced(WARPCHECK_CCACHE)
if(WARPCHECK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without the sloppiness, ccache does not cache what uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${WARPCHECK_CCACHE})
endif()
