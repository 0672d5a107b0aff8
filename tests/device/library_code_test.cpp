#include <gtest/gtest.h>

#include "device/finding.hpp"

namespace warpcheck {
namespace {

TEST(LibraryCode, IsInFoldersOfToolkitsAndOfTheSystem) {
  for (const char* const file : {
           "/usr/include/c++/12/bits/stl_algo.h",
           "/usr/local/cuda/include/cuda_fp16.h",
           "/usr/local/cuda-13.0/include/cuda_fp16.h",
           "/usr/local/cuda-13.0/bin/../targets/x86_64-linux/include/cuda_fp16.hpp",
           // nvcc of PyPI, also where it is in the folder of a project
           "/root/project/.cuda/nvidia/cu13/include/cuda_pipeline_primitives.h",
           "/root/project/.cuda/nvidia/cu13/bin/../include/cuda_pipeline_primitives.h",
           "../../.cuda/nvidia/cu13/bin/../include/cuda_pipeline_primitives.h",
           "site-packages/nvidia/cuda_cccl/include/cuda/std/atomic",
           "/venv/lib/python3.12/site-packages/triton/language/standard.py",
       }) {
    EXPECT_TRUE(is_library_code(file)) << file;
  }
}

TEST(LibraryCode, IsNotCodeOfTheUser) {
  for (const char* const file : {
           "mine.cu",
           "../../include/mine.cuh",
           "/home/cuda/mine.cu",
           "/root/project/include/mine.cuh",
           "/root/project/.cuda/nvidia/cu13/include/../../../../mine.cuh",
           "/root/project/culib/include/mine.cuh",
       }) {
    EXPECT_FALSE(is_library_code(file)) << file;
  }
}

}  // namespace
}  // namespace warpcheck
