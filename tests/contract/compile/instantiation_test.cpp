#include "contract/compile/instantiation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/demangle.hpp"

namespace warpcheck::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Demangle, LeavesOtherNamesAlone) {
  EXPECT_EQ(demangle("_Z5sgemmILi8EEvPKfPf"), "void sgemm<8>(float const*, float*)");
  EXPECT_EQ(demangle("sgemm"), "sgemm");
  EXPECT_EQ(demangle("i"), "i");  // a type's mangled name, "int"
  EXPECT_EQ(demangle("_Zbroken"), "_Zbroken");
}

TEST(KernelNames, AreThoseAfterGlobalAndItsAttributes) {
  EXPECT_THAT(kernel_names(R"(
template <int T>
__global__ void __launch_bounds__(T * (32), 2) sgemm(const float* a);
__global__ void __launch_bounds__(256)
    tiled (float* c) { helper(c); }
extern "C" __global__ void
plain(float (*pointer)(int)) {}
__global__ __attribute__((used)) void attributed() {}
__global__ void plain(int);
__device__ void helper(float*);
)"),
              ElementsAre("sgemm", "tiled", "plain", "attributed"));
  EXPECT_THAT(kernel_names("__global__"), IsEmpty());
  EXPECT_THAT(kernel_names("__global__ void f"), IsEmpty());
  EXPECT_THAT(kernel_names("__global__ __launch_bounds__("), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::contract
