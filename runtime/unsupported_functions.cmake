# Writes, for the functions that the CUDA runtime LIBRARY, the CUDA driver DRIVER and the libraries of BLAS, if any, export, and for those
# of other versions of the runtime in LAYOUTS: unsupported_functions.cpp, with a
# weak function of each name; per_thread.inc, a row for each variant of the per-thread default stream; aliases.ld, which gives
# such variants of functions that no header declares the functions without that suffix; the version script exports.map; and
# driver_versions.inc, the versions of CUDA that changed a function of the driver.
# Run by cmake -P with NM, LIBRARY, DRIVER, BLAS, SONAME, OUTPUT, the compiler CXX, and the folder INCLUDE of the headers.
cmake_policy(SET CMP0057 NEW)
set(functions "// Generated.\nextern \"C\" int warpcheck_unsupported_function(const char* name);\n"
  "extern \"C\" int warpcheck_unsupported_blas_function(const char* name);\n\nextern \"C\" {\n")
set(aliases "/* Generated. */\n")
set(per_thread "// Generated.\n")
execute_process(COMMAND ${CXX} -E -P -x c++ -isystem ${INCLUDE} -include cuda.h
    -include ${CMAKE_CURRENT_LIST_DIR}/cuda_api.hpp /dev/null
  OUTPUT_VARIABLE declared COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z0-9_]+\\(" declared "${declared}")

# Adds the functions of `library` whose names match `pattern`, which call `unsupported`, and sets `exports` to their list.
macro(add_functions library pattern unsupported)
  execute_process(COMMAND ${NM} -D --defined-only ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " T ${pattern}[A-Za-z0-9_]*" symbols "${symbols}")
  set(exports "")
  foreach(symbol IN LISTS symbols)
    string(SUBSTRING "${symbol}" 3 -1 name)
    string(APPEND exports "    ${name};\n")
    if(name MATCHES "^(.*)(_pt[ds][sz])$")
      if("${CMAKE_MATCH_1}(" IN_LIST declared)
        string(APPEND per_thread "WARPCHECK_PER_THREAD(${CMAKE_MATCH_1}, ${CMAKE_MATCH_2})\n")
      else()
        string(APPEND aliases "${name} = ${CMAKE_MATCH_1};\n")
      endif()
    else()
      add_function(${name} ${unsupported})
    endif()
  endforeach()
endmacro()

macro(add_function name unsupported)
  string(APPEND functions "__attribute__((weak, visibility(\"default\"))) int ${name}() {\n"
    "  return ${unsupported}(\"${name}\");\n}\n")
endmacro()

add_functions(${LIBRARY} "" warpcheck_unsupported_function)
file(STRINGS ${LAYOUTS} others REGEX "^_*cuda")
list(TRANSFORM others REPLACE ",.*" "")
foreach(name IN LISTS others)
  if(NOT exports MATCHES " ${name};\n")
    add_function(${name} warpcheck_unsupported_function)
    string(APPEND exports "    ${name};\n")
  endif()
endforeach()
set(versions "${SONAME} {\n  global:\n${exports}  local: *;\n};\n")
add_functions(${DRIVER} "cu" warpcheck_unsupported_function)
string(APPEND versions "WARPCHECK_DRIVER {\n  global:\n${exports}};\n")
foreach(library IN LISTS BLAS)
  add_functions(${library} "cublas" warpcheck_unsupported_blas_function)
  get_filename_component(name ${library} NAME)
  string(APPEND versions "${name} {\n  global:\n${exports}};\n")
endforeach()
string(APPEND versions "WARPCHECK_EXEC {\n  global:\n    warpcheck_exec_*;\n};\n")
file(CONFIGURE OUTPUT ${OUTPUT}/unsupported_functions.cpp CONTENT "${functions}}\n" @ONLY)
file(CONFIGURE OUTPUT ${OUTPUT}/per_thread.inc CONTENT "${per_thread}" @ONLY)
file(CONFIGURE OUTPUT ${OUTPUT}/aliases.ld CONTENT "${aliases}" @ONLY)
file(CONFIGURE OUTPUT ${OUTPUT}/exports.map CONTENT "${versions}" @ONLY)

# The versions of CUDA that changed a function of the driver.
file(READ ${INCLUDE}/cudaTypedefs.h typedefs)
string(REGEX MATCHALL "PFN_cu[A-Za-z0-9]+_v[0-9]+\\)" typedefs "${typedefs}")
list(REMOVE_DUPLICATES typedefs)
list(SORT typedefs COMPARE NATURAL)
set(versions "// Generated.\n")
set(previous "")
foreach(typedef IN LISTS typedefs)
  string(REGEX MATCH "^PFN_(.*)_v([0-9]+)" typedef "${typedef}")
  if(CMAKE_MATCH_1 STREQUAL previous)
    string(APPEND versions ", ${CMAKE_MATCH_2}")
  else()
    string(APPEND versions "${end}{\"${CMAKE_MATCH_1}\", {${CMAKE_MATCH_2}")
    set(end "}},\n")
  endif()
  set(previous ${CMAKE_MATCH_1})
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT}/driver_versions.inc CONTENT "${versions}${end}" @ONLY)
