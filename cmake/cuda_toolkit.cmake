# Finds nvcc. WARPCHECK_NVCC_PATH is its path, or empty: then the build has no built-in variants. The search order is that
# of find_nvcc() in the contract room; the folder that scripts/install-dependencies fills comes last.
file(GLOB_RECURSE warpcheck_fetched_nvcc LIST_DIRECTORIES false ${PROJECT_SOURCE_DIR}/.cuda/*nvcc)
list(FILTER warpcheck_fetched_nvcc INCLUDE REGEX "/bin/nvcc$")
set(warpcheck_fetched_folders "")
foreach(nvcc IN LISTS warpcheck_fetched_nvcc)
  get_filename_component(folder ${nvcc} DIRECTORY)
  list(APPEND warpcheck_fetched_folders ${folder})
endforeach()
file(GLOB warpcheck_installed_folders /usr/local/cuda-*)
list(SORT warpcheck_installed_folders COMPARE NATURAL ORDER DESCENDING)
list(PREPEND warpcheck_installed_folders /usr/local/cuda)

if(DEFINED ENV{WARPCHECK_NVCC})
  set(WARPCHECK_NVCC_PATH "$ENV{WARPCHECK_NVCC}" CACHE FILEPATH "the CUDA compiler" FORCE)
else()
  find_program(WARPCHECK_NVCC_PATH nvcc
    PATHS ENV CUDA_HOME ENV CUDA_PATH ${warpcheck_installed_folders} ${warpcheck_fetched_folders}
    PATH_SUFFIXES bin
    DOC "the CUDA compiler")
endif()
if(NOT WARPCHECK_NVCC_PATH)
  set(WARPCHECK_NVCC_PATH "")
  message(WARNING "nvcc was not found: the build has no built-in variants. scripts/install-dependencies downloads nvcc")
endif()
