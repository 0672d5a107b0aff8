# The package of warpcheck for CMake projects: find_package(warpcheck).
#
# warpcheck_exec(TARGET [OPTIONS ...] [ARGUMENTS ...]): adds the test TARGET.warpcheck, which runs a CUDA program with the
# ARGUMENTS under `warpcheck exec` with the OPTIONS. Links the shared CUDA runtime, and adds the source lines of kernels.
find_program(WARPCHECK_PROGRAM warpcheck HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin REQUIRED)
mark_as_advanced(WARPCHECK_PROGRAM)

function(warpcheck_exec target)
  cmake_parse_arguments(exec "" "" "OPTIONS;ARGUMENTS" ${ARGN})
  set_target_properties(${target} PROPERTIES CUDA_RUNTIME_LIBRARY Shared)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo -g>)
  add_test(NAME ${target}.warpcheck
    COMMAND ${WARPCHECK_PROGRAM} exec ${exec_OPTIONS} -- $<TARGET_FILE:${target}> ${exec_ARGUMENTS})
endfunction()
