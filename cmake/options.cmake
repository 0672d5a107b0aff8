# Defines the compile options: every room links warpcheck_options.
option(WARPCHECK_WERROR "warnings are errors" OFF)
option(WARPCHECK_UNITY "compile the sources of a room in groups: a build from nothing takes half the time" ON)
set(WARPCHECK_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them")

add_library(warpcheck_options INTERFACE)
target_compile_features(warpcheck_options INTERFACE cxx_std_20)
target_compile_options(warpcheck_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -ffp-contract=off  # only std::fma fuses: results must not depend on the host's compiler
  # g++ 12 reports false warnings in std::string (GCC bugs 105329 and 105562).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>
  # g++ collects garbage first at 512 MiB: a source takes 8 % less time, and at most 230 MiB more.
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=524288>"
  # clang warns of each loop with a pragma for vectors that it leaves scalar: code is tuned with g++.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>
  $<$<BOOL:${WARPCHECK_WERROR}>:-Werror>)
target_include_directories(warpcheck_options INTERFACE ${PROJECT_SOURCE_DIR})
target_link_options(warpcheck_options INTERFACE -Wl,--build-id)  # a history identifies the build by it
# The limits of time of the tests are multiplied by it.
set(WARPCHECK_TIME_FACTOR 1)
if(WARPCHECK_SANITIZE)
  set(WARPCHECK_TIME_FACTOR 10)
  target_compile_options(warpcheck_options INTERFACE
    -fsanitize=${WARPCHECK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # Null pointers and objects that are too small are errors of AddressSanitizer too, and only the devices reinterpret memory;
    # without these checks a build takes 40 % less time.
    -fno-sanitize=null,object-size,vptr
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:WARPCHECK_REINTERPRETS_MEMORY>>>:-fno-sanitize=alignment>)
  target_link_options(warpcheck_options INTERFACE -fsanitize=${WARPCHECK_SANITIZE})
endif()

# For the code of shared libraries. They export only the symbols that their version script lists, and are loaded at the start
# of a program, which allows the fast model of thread-local variables.
add_library(warpcheck_shared_options INTERFACE)
target_compile_options(warpcheck_shared_options INTERFACE
  -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -ftls-model=initial-exec
  $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
