#include "contract/compile/ptx_entries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/compile/instantiation.hpp"

namespace warpcheck::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::size_t> bytes_of(const Entry& entry) {
  std::vector<std::size_t> bytes;
  for (const Parameter& parameter : entry.parameters) bytes.push_back(parameter.bytes);
  return bytes;
}

TEST(PtxEntries, SizesAreThoseOfTheDeclaredTypes) {
  const auto entries = entries_of(R"(
.version 9.0
.target sm_80
.visible .entry f(
	.param .u64 .ptr .global .align 16 f_param_0,
	.param .u32 f_param_1,
	.param .f32 f_param_2,
	.param .f64 f_param_3,
	.param .u8 f_param_4,
	.param .align 2 .b8 f_param_5[2],
	.param .align 8 .b8 f_param_6[24],
	.param .s16 f_param_7
)
.maxntid 256, 1, 1
{ ret; }
)");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].name, "f");
  EXPECT_THAT(bytes_of(entries[0]), ElementsAre(8, 4, 4, 8, 1, 2, 24, 2));
  EXPECT_FALSE(entries[0].parameters[1].floating);
  EXPECT_TRUE(entries[0].parameters[2].floating);
  EXPECT_TRUE(entries[0].parameters[3].floating);
}

TEST(PtxEntries, AllAreFoundWhateverTheirLinkage) {
  const auto entries = entries_of(
      "// .entry comment(\n/* .entry comment2( */\n.entry f()\n{\n}\n.weak .entry _Z1gv(){}\n"
      ".func (.param .b32 r) h(.param .b64 p){}\n.visible .entry i{}");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "f");
  EXPECT_THAT(entries[0].parameters, IsEmpty());
  EXPECT_EQ(entries[1].name, "_Z1gv");
  EXPECT_EQ(entries[2].name, "i");
}

TEST(PtxEntries, TextThatBreaksOffIsSurvived) {
  const std::string text =
      ".visible .entry f(.param .align 8 .b8 p[24], .param .u32 q) { ret; } /* x */";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    EXPECT_LE(entries_of(std::string_view(text).substr(0, size)).size(), 1U);
  }
}

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
