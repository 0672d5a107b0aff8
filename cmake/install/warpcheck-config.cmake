# The package of warpcheck for CMake projects: find_package(warpcheck).
#
# warpcheck::warpcheck: libwarpcheck.so with its headers, for C and C++ programs.
#
# warpcheck_exec(TARGET [OPTIONS ...] [ARGUMENTS ...]): adds the test TARGET.warpcheck, which runs a CUDA program with the
# ARGUMENTS under `warpcheck exec` with the OPTIONS. Links the shared CUDA runtime, and adds the source lines of kernels.
find_program(WARPCHECK_PROGRAM warpcheck HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin REQUIRED)
mark_as_advanced(WARPCHECK_PROGRAM)

# The library and its headers, at any prefix.
get_filename_component(warpcheck_libraries ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
get_filename_component(warpcheck_prefix ${WARPCHECK_PROGRAM} DIRECTORY)
get_filename_component(warpcheck_prefix ${warpcheck_prefix}/.. ABSOLUTE)
if(EXISTS ${warpcheck_libraries}/libwarpcheck.so AND NOT TARGET warpcheck::warpcheck)
  add_library(warpcheck::warpcheck SHARED IMPORTED)
  set_target_properties(warpcheck::warpcheck PROPERTIES
    IMPORTED_LOCATION ${warpcheck_libraries}/libwarpcheck.so
    IMPORTED_SONAME libwarpcheck.so.0
    INTERFACE_INCLUDE_DIRECTORIES ${warpcheck_prefix}/include)
endif()

function(warpcheck_exec target)
  cmake_parse_arguments(exec "" "" "OPTIONS;ARGUMENTS" ${ARGN})
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -g>)
  add_test(NAME ${target}.warpcheck
    COMMAND ${WARPCHECK_PROGRAM} exec ${exec_OPTIONS} -- $<TARGET_FILE:${target}> ${exec_ARGUMENTS})
endfunction()
