# Writes, for the functions that the CUDA runtime LIBRARY and the CUDA driver DRIVER export: unsupported_functions.cpp, with a
# weak function of each name; aliases.ld, which gives the variants of the per-thread default stream that api/per_thread.cpp
# does not define the functions without that suffix; and the version script exports.map. Run by cmake -P with NM, LIBRARY, DRIVER, SONAME and OUTPUT.
set(functions "// Generated.\nextern \"C\" int warpcheck_unsupported_function(const char* name);\n\nextern \"C\" {\n")
set(aliases "/* Generated. */\n")
file(READ ${CMAKE_CURRENT_LIST_DIR}/api/per_thread.cpp per_thread)

# Adds the functions of `library` whose names match `pattern`, and sets `exports` to their list.
macro(add_functions library pattern)
  execute_process(COMMAND ${NM} -D --defined-only ${library} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " T ${pattern}[A-Za-z0-9_]*" symbols "${symbols}")
  set(exports "")
  foreach(symbol IN LISTS symbols)
    string(SUBSTRING "${symbol}" 3 -1 name)
    string(APPEND exports "    ${name};\n")
    if(name MATCHES "^(.*)_pt[ds][sz]$")
      set(base ${CMAKE_MATCH_1})
      if(NOT per_thread MATCHES "\\(${base}, _pt")
        string(APPEND aliases "${name} = ${base};\n")
      endif()
    else()
      string(APPEND functions "__attribute__((weak, visibility(\"default\"))) int ${name}() {\n"
        "  return warpcheck_unsupported_function(\"${name}\");\n}\n")
    endif()
  endforeach()
endmacro()

add_functions(${LIBRARY} "")
set(versions "${SONAME} {\n  global:\n${exports}  local: *;\n};\n")
add_functions(${DRIVER} "cu")
string(APPEND versions "WARPCHECK_DRIVER {\n  global:\n${exports}};\n")
file(CONFIGURE OUTPUT ${OUTPUT}/unsupported_functions.cpp CONTENT "${functions}}\n" @ONLY)
file(CONFIGURE OUTPUT ${OUTPUT}/aliases.ld CONTENT "${aliases}" @ONLY)
file(CONFIGURE OUTPUT ${OUTPUT}/exports.map CONTENT "${versions}" @ONLY)
