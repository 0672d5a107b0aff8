# Run by `cmake --install`: makes copies of the compiled kernels that know nothing of `source_folder`, in
# `build_folder`/installed/kernels.
file(REMOVE_RECURSE ${build_folder}/installed/kernels)
file(MAKE_DIRECTORY ${build_folder}/installed/kernels)  # empty where the build had no nvcc
file(GLOB files ${build_folder}/kernels/gemm/*.manifest ${build_folder}/kernels/gemm/*.ptx)
foreach(file IN LISTS files)
  file(READ ${file} text)
  string(REPLACE "${source_folder}/kernels/gemm/" "" text "${text}")
  get_filename_component(name ${file} NAME)
  file(WRITE ${build_folder}/installed/kernels/gemm/${name} "${text}")
endforeach()
