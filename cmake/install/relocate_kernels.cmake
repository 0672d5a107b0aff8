# `cmake --install` runs this script. It copies the compiled kernels to `build_folder`/installed/kernels and removes
# `source_folder` from them.
file(REMOVE_RECURSE ${build_folder}/installed/kernels)
file(MAKE_DIRECTORY ${build_folder}/installed/kernels)  # empty if the build had no nvcc
file(GLOB files ${build_folder}/kernels/gemm/*.manifest ${build_folder}/kernels/gemm/*.ptx)
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(REPLACE "${source_folder}/kernels/gemm/" "" text "${text}")
  get_filename_component(name ${file} NAME)
  file(WRITE ${build_folder}/installed/kernels/gemm/${name} "${text}")
endforeach()
