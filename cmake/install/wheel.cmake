# Defines the component `python`, which a wheel contains beside the sources of the package `warpcheck`: the C library, and in
# the folder `installed` the command with what `exec` needs. A wheel cannot contain links, and has no built-in kernels.
set(wheel warpcheck/installed)
if(TARGET warpcheck_library)
  install(FILES $<TARGET_FILE:warpcheck_library> DESTINATION warpcheck RENAME libwarpcheck.so COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY library/include/warpcheck DESTINATION ${wheel}/include COMPONENT python EXCLUDE_FROM_ALL)
endif()
install(TARGETS warpcheck RUNTIME DESTINATION ${wheel}/bin COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS warpcheck-nvrtc RUNTIME DESTINATION ${wheel}/libexec/warpcheck COMPONENT python EXCLUDE_FROM_ALL)
install(TARGETS warpcheck-reference RUNTIME DESTINATION ${wheel}/lib/warpcheck COMPONENT python EXCLUDE_FROM_ALL)
install(PROGRAMS scripts/fetch-nvcc DESTINATION ${wheel}/bin RENAME warpcheck-fetch-nvcc COMPONENT python EXCLUDE_FROM_ALL)
if(TARGET warpcheck_cudart)
  install(TARGETS warpcheck_cudart warpcheck_libcuda LIBRARY DESTINATION ${wheel}/lib/warpcheck COMPONENT python EXCLUDE_FROM_ALL)
  install(FILES $<TARGET_FILE:warpcheck_libcuda> DESTINATION ${wheel}/lib/warpcheck/driver RENAME libcuda.so.1
    COMPONENT python EXCLUDE_FROM_ALL)
  install(DIRECTORY python/exec/ DESTINATION ${wheel}/lib/warpcheck/python COMPONENT python EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
endif()
