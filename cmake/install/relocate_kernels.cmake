# Run by `cmake --install`: copies the compiled kernels to `build_folder`/installed/kernels. In the copies, paths below
# `source_folder` become relative to the folder of the manifest, where the sources are installed too.
file(REMOVE_RECURSE ${build_folder}/installed/kernels)
file(MAKE_DIRECTORY ${build_folder}/installed/kernels)  # empty if the build had no nvcc
file(GLOB_RECURSE files RELATIVE ${build_folder}/kernels
  ${build_folder}/kernels/*.manifest ${build_folder}/kernels/*.ptx)
foreach(file IN LISTS files)
  file(READ ${build_folder}/kernels/${file} text)
  get_filename_component(folder ${file} DIRECTORY)
  string(REPLACE "${source_folder}/kernels/${folder}/" "" text "${text}")
  file(WRITE ${build_folder}/installed/kernels/${file} "${text}")
endforeach()
