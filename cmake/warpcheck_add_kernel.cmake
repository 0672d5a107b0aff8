# warpcheck_add_kernel(FOLDER/NAME.cu), relative to the folder of the calling CMakeLists.txt: compiles the
# variants of a .cu to PTX during the build, with the code that compiles a user's .cu. The results lie in
# <build>/kernels/FOLDER; cmake/install.cmake installs them.
add_custom_target(warpcheck_builtin_kernels ALL)

# The builds of all presets share one cache of compiled kernels.
set(WARPCHECK_KERNEL_CACHE ${PROJECT_SOURCE_DIR}/.cache CACHE PATH "the cache of the kernels that nvcc has compiled")

function(warpcheck_add_kernel kernel)
  if(NOT WARPCHECK_NVCC_PATH)
    return()
  endif()
  string(REGEX REPLACE "[.]cu$" "" stem ${kernel})
  string(MAKE_C_IDENTIFIER ${stem} identifier)
  get_filename_component(folder ${PROJECT_BINARY_DIR}/kernels/${kernel} DIRECTORY)
  set(built ${PROJECT_BINARY_DIR}/kernels/${stem})
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${kernel})
  add_custom_command(
    OUTPUT ${built}.manifest
    COMMAND ${CMAKE_COMMAND} -E env
      WARPCHECK_NVCC=${WARPCHECK_NVCC_PATH} WARPCHECK_NVRTC=off XDG_CACHE_HOME=${WARPCHECK_KERNEL_CACHE}
      $<TARGET_FILE:warpcheck-compile-kernel> ${source} ${folder} ${built}.d
    DEPENDS ${source} warpcheck-compile-kernel
    DEPFILE ${built}.d
    COMMENT "Compiling the variants of ${kernel}"
    VERBATIM)
  add_custom_target(warpcheck_kernel_${identifier} DEPENDS ${built}.manifest)
  add_dependencies(warpcheck_builtin_kernels warpcheck_kernel_${identifier})
endfunction()
