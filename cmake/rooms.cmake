# The headers of most sources, compiled once for each level of optimization. Rooms with other options include the headers
# themselves.
set(CMAKE_PCH_WARN_INVALID OFF)
set(warpcheck_usual_headers
  <algorithm> <array> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <sstream> <string> <variant> <vector>
  <fmt/format.h>)
function(warpcheck_precompile name)
  if(WARPCHECK_UNITY)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE warpcheck_options warpcheck_shared_options fmt::fmt)
    target_precompile_headers(${name} PRIVATE ${warpcheck_usual_headers})
  endif()
endfunction()
# The optimization of what does not run in each case. It must be that of its precompiled headers.
set(warpcheck_once $<$<CONFIG:Release>:-Og>)
warpcheck_precompile(warpcheck_headers_shared)
if(WARPCHECK_UNITY AND CMAKE_BUILD_TYPE STREQUAL Release)
  warpcheck_precompile(warpcheck_headers_once)
  target_compile_options(warpcheck_headers_once PRIVATE ${warpcheck_once})
endif()

# warpcheck_room(NAME SOURCES ... [USES ...] [PRIVATE_USES ...] [SEPARATE HEADERS ...] [ONCE]): defines the static library of a
# room. USES lists the rooms that it may use, which enforces the arrows of the design. The compiler reads the sources in groups,
# unless SEPARATE: each is a unit of its own, and HEADERS, those of most sources, are compiled once. ONCE: the time of a
# case is spent elsewhere, so that a release compiles the room with -Og, in half of the time. A room can be a part of a shared library.
function(warpcheck_room name)
  cmake_parse_arguments(room "SEPARATE;ONCE" "" "SOURCES;USES;PRIVATE_USES;HEADERS" ${ARGN})
  add_library(warpcheck_${name} STATIC ${room_SOURCES})
  target_link_libraries(warpcheck_${name}
    PUBLIC warpcheck_options ${room_USES}
    PRIVATE warpcheck_shared_options ${room_PRIVATE_USES})
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "^${PROJECT_SOURCE_DIR}/device")
    set_target_properties(warpcheck_${name} PROPERTIES WARPCHECK_REINTERPRETS_MEMORY ON)
  endif()
  set(headers warpcheck_headers_shared)
  if(room_ONCE AND CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(warpcheck_${name} PRIVATE ${warpcheck_once})
    set(headers warpcheck_headers_once)
  endif()
  # With precompiled headers, g++ 12 rejects the prefetch of Eigen's headers in a build without optimization.
  if(TARGET ${headers} AND NOT room_SEPARATE AND NOT "Eigen3::Eigen" IN_LIST room_PRIVATE_USES)
    target_precompile_headers(warpcheck_${name} REUSE_FROM ${headers})
  elseif(WARPCHECK_UNITY AND room_HEADERS)
    target_precompile_headers(warpcheck_${name} PRIVATE ${warpcheck_usual_headers} ${room_HEADERS})
  endif()
  if(NOT room_SEPARATE)
    set_target_properties(warpcheck_${name} PROPERTIES UNITY_BUILD ${WARPCHECK_UNITY} UNITY_BUILD_BATCH_SIZE 24)
  endif()
endfunction()

# warpcheck_time_limit(SECONDS TESTS...): sets the limit of time of tests.
function(warpcheck_time_limit seconds)
  math(EXPR limit "${seconds} * ${WARPCHECK_TIME_FACTOR}")
  set_tests_properties(${ARGN} PROPERTIES TIMEOUT ${limit})
endfunction()

# warpcheck_test(NAME SOURCES ... USES ... [LABELS ...] [SHARDS N] [COST SECONDS] [OPTIMIZED]): defines a GoogleTest program; each of its tests is a
# test of ctest. Tests with the label `input` cover the readers of user input, those with the label `command` readers that
# need the virtual device, and wrong input of the whole command; both also run under the sanitizers.
# With SHARDS, for programs of many short tests with a common preparation, ctest runs the program N times, each time a part of
# the tests; the program returns 77 if a test was skipped and none failed.
# COST: the time of the longest of its tests. ctest starts the longest tests first, so that the last ones keep all processors busy.
# A release compiles tests without optimization, since they spend their time in what they test; OPTIMIZED: with -O1.
add_custom_target(input_tests)    # the programs whose tests have the label `input`
add_custom_target(command_tests)  # those whose tests have the label `command`
function(warpcheck_test name)
  cmake_parse_arguments(test "SEPARATE;OPTIMIZED" "SHARDS;COST" "SOURCES;USES;LABELS" ${ARGN})
  if(NOT test_LABELS)
    set(test_LABELS unit)
  endif()
  if(NOT test_COST)
    set(test_COST 0)
  endif()
  add_executable(test_${name} ${test_SOURCES})
  if(NOT test_SEPARATE)
    set_target_properties(test_${name} PROPERTIES UNITY_BUILD ${WARPCHECK_UNITY} UNITY_BUILD_BATCH_SIZE 14)
  endif()
  if(test_OPTIMIZED)
    target_compile_options(test_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(TARGET warpcheck_test_headers)
    target_precompile_headers(test_${name} REUSE_FROM warpcheck_test_headers)
  endif()
  target_link_libraries(test_${name} PRIVATE warpcheck_options ${test_USES} GTest::gmock_main)
  target_compile_definitions(test_${name} PRIVATE
    WARPCHECK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WARPCHECK_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  foreach(label input command)
    if(${label} IN_LIST test_LABELS)
      add_dependencies(${label}_tests test_${name})
    endif()
  endforeach()
  math(EXPR limit "300 * ${WARPCHECK_TIME_FACTOR}")
  if(test_SHARDS)
    if(NOT test_SOURCES MATCHES "main\\.cpp")
      target_sources(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/sharded/main.cpp)
    endif()
    foreach(shard RANGE 1 ${test_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${name}.Shard${shard} COMMAND test_${name} --gtest_brief=1)
      set_tests_properties(${name}.Shard${shard} PROPERTIES
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${test_SHARDS};GTEST_SHARD_INDEX=${index}"
        LABELS "${test_LABELS}" SKIP_RETURN_CODE 77 TIMEOUT ${limit} COST ${test_COST})
    endforeach()
    return()
  endif()
  gtest_discover_tests(test_${name} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${test_LABELS}" TIMEOUT ${limit} COST ${test_COST})
endfunction()
