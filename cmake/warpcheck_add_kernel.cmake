# warpcheck_add_kernel(SOURCE.cu OPERATION): compiles the variants of a .cu to PTX during the build, with the code that
# compiles a user's .cu. The results are in <build>/kernels/OPERATION; cmake/install.cmake installs them.
add_custom_target(warpcheck_builtin_kernels ALL)

function(warpcheck_add_kernel source operation)
  if(NOT WARPCHECK_NVCC_PATH)
    return()
  endif()
  get_filename_component(stem ${source} NAME_WE)
  set(folder ${PROJECT_BINARY_DIR}/kernels/${operation})
  add_custom_command(
    OUTPUT ${folder}/${stem}.manifest
    COMMAND ${CMAKE_COMMAND} -E env
      WARPCHECK_NVCC=${WARPCHECK_NVCC_PATH} XDG_CACHE_HOME=${PROJECT_BINARY_DIR}/cache
      $<TARGET_FILE:warpcheck-compile-kernel> ${source} ${folder} ${folder}/${stem}.d
    DEPENDS ${source} warpcheck-compile-kernel
    DEPFILE ${folder}/${stem}.d
    COMMENT "Compiling the variants of ${operation}/${stem}.cu"
    VERBATIM)
  add_custom_target(warpcheck_kernel_${operation}_${stem} DEPENDS ${folder}/${stem}.manifest)
  add_dependencies(warpcheck_builtin_kernels warpcheck_kernel_${operation}_${stem})
endfunction()
