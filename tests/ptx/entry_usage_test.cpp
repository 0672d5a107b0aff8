#include "ptx/entry_usage.hpp"

#include <gmock/gmock.h>

namespace warpcheck::ptx {
namespace {

constexpr std::string_view kText = R"(
.extern .shared .align 16 .b8 storage[];
.visible .entry flat(
	.param .u64 flat_param_0
)
.maxntid 16, 16, 1
{
	mov.u32 	%r1, %tid.x;
	mov.u32 	%r2, %ctaid.y;
	mov.u32 	%r3, storage;
	atom.global.add.f32 	%f1, [%rd1], %f2;
	ret;
}
.visible .entry tensor()
{
	mov.u32 	%r1, %tid.z;
	mov.u32 	%r2, %ntid.x;
	add.f32 	%f1, %f2, %f3;
	mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 	{%f1}, {%r1}, {%r2}, {%f1};
	ret;
}
)";

TEST(EntryUsage, FindsAxesAndBoundsOfTheEntry) {
  const EntryUsage usage = entry_usage(kText, "flat");
  EXPECT_EQ(usage.thread_axes, 1U);
  EXPECT_EQ(usage.block_axes, 2U);
  EXPECT_FALSE(usage.block_size);
  EXPECT_EQ(usage.most_threads, 256);
}

TEST(EntryUsage, FindsSharedMemoryAndAtomicSums) {
  EXPECT_TRUE(entry_usage(kText, "flat").dynamic_shared);
  EXPECT_TRUE(entry_usage(kText, "flat").atomic_sums);
  EXPECT_FALSE(entry_usage(kText, "tensor").dynamic_shared);
  EXPECT_FALSE(entry_usage(kText, "tensor").atomic_sums);
}

TEST(EntryUsage, FindsIndexOfBlocks) {
  EXPECT_TRUE(entry_usage(kText, "flat").block_index);
  EXPECT_FALSE(entry_usage(".entry one(\n)\n{\n\tmov.u32 %r1, %tid.x;\n}\n", "one").block_index);
}

TEST(EntryUsage, FindsArithmeticInSixteenBits) {
  const auto usage_of = [](const std::string& instruction) {
    return entry_usage(".entry one(\n)\n{\n\t{" + instruction + "}\n}\n", "one").half_arithmetic;
  };
  EXPECT_TRUE(usage_of("add.f16 %h1,%h2,%h3;"));
  EXPECT_TRUE(usage_of("fma.rn.f16x2 %r1,%r2,%r3,%r4;"));
  EXPECT_TRUE(usage_of("mul.bf16 %h1,%h2,%h3;"));
  EXPECT_FALSE(usage_of("cvt.f32.f16 %f1, %h1;"));
  EXPECT_FALSE(usage_of("add.f32 %f1, %f2, %f3; cvt.rn.f16.f32 %h1, %f1;"));
}

TEST(EntryUsage, FindsTensorCores) {
  EXPECT_FALSE(entry_usage(kText, "flat").tensor_cores);
  const EntryUsage usage = entry_usage(kText, "tensor");
  EXPECT_TRUE(usage.tensor_cores);
  EXPECT_TRUE(usage.tf32);
  EXPECT_FALSE(usage.fp8);
  EXPECT_EQ(usage.thread_axes, 3U);
  EXPECT_TRUE(usage.block_size);
}

TEST(EntryUsage, IsEmptyForAnUnknownEntry) {
  EXPECT_FALSE(entry_usage(kText, "other").tensor_cores);
  EXPECT_EQ(entry_usage("", "flat").most_threads, std::nullopt);
}

}  // namespace
}  // namespace warpcheck::ptx
