# warpcheck_room(NAME SOURCES ... [USES ...] [PRIVATE_USES ...] [SEPARATE] [ONCE]): defines the static library of a room. USES
# lists the rooms that it may use, which enforces the arrows of the design. The compiler reads the sources in groups, unless
# SEPARATE. ONCE: no code of the room runs once per case, so that a release compiles it with -O1, in half the time.
function(warpcheck_room name)
  cmake_parse_arguments(room "SEPARATE;ONCE" "" "SOURCES;USES;PRIVATE_USES" ${ARGN})
  add_library(warpcheck_${name} STATIC ${room_SOURCES})
  target_link_libraries(warpcheck_${name}
    PUBLIC warpcheck_options ${room_USES}
    PRIVATE ${room_PRIVATE_USES})
  if(room_ONCE)
    target_compile_options(warpcheck_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(NOT room_SEPARATE)
    set_target_properties(warpcheck_${name} PROPERTIES UNITY_BUILD ${WARPCHECK_UNITY} UNITY_BUILD_BATCH_SIZE 12)
  endif()
endfunction()

# warpcheck_test(NAME SOURCES ... USES ... [LABELS ...]): defines a GoogleTest program; each of its tests is a test of
# ctest. Tests with the label `input` cover user input; they also run under the sanitizers.
add_custom_target(input_tests)  # the programs whose tests have the label `input`
function(warpcheck_test name)
  cmake_parse_arguments(test "SEPARATE" "" "SOURCES;USES;LABELS" ${ARGN})
  if(NOT test_LABELS)
    set(test_LABELS unit)
  endif()
  add_executable(test_${name} ${test_SOURCES})
  if(NOT test_SEPARATE)
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD ${WARPCHECK_UNITY} UNITY_BUILD_BATCH_SIZE 7)
  endif()
  if(TARGET warpcheck_test_headers)
    target_precompile_headers(test_${name} REUSE_FROM warpcheck_test_headers)
  endif()
  target_link_libraries(test_${name} PRIVATE warpcheck_options ${test_USES} GTest::gmock_main)
  target_compile_definitions(test_${name} PRIVATE
    WARPCHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WARPCHECK_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if("input" IN_LIST test_LABELS)
    add_dependencies(input_tests test_${name})
  endif()
  gtest_discover_tests(test_${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${test_LABELS}")
endfunction()
