# `cmake --install` runs this script. It copies the libraries of `program` and of the shared library `runtime`, if
# there is one, into `library_folder` of the prefix, except
# those of the C library, which belong to the machine.
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program} LIBRARIES ${runtime} RESOLVED_DEPENDENCIES_VAR libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|mvec)[.]so")
foreach(library IN LISTS libraries)
  file(INSTALL ${library} DESTINATION ${CMAKE_INSTALL_PREFIX}/${library_folder} FOLLOW_SYMLINK_CHAIN)
endforeach()
