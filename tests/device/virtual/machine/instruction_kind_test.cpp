#include "device/virtual/machine/core/instruction_kind.hpp"

#include <gtest/gtest.h>

namespace warpcheck::machine {
namespace {

using device::Completion;
using device::InstructionKind;

ptx::Instruction instruction(std::vector<std::string> parts) {
  ptx::Instruction result;
  result.parts = std::move(parts);
  return result;
}

TEST(InstructionKind, FollowsFromTheTypeOfArithmetic) {
  EXPECT_EQ(kind_of(instruction({"add", "f32"})), InstructionKind::fp32);
  EXPECT_EQ(kind_of(instruction({"fma", "rn", "f64"})), InstructionKind::fp64);
  EXPECT_EQ(kind_of(instruction({"mul", "rn", "bf16x2"})), InstructionKind::fp16);
  EXPECT_EQ(kind_of(instruction({"mad", "lo", "s32"})), InstructionKind::integer);
  EXPECT_EQ(kind_of(instruction({"xor", "b32"})), InstructionKind::integer);
}

TEST(InstructionKind, FollowsFromTheMnemonicOfOtherInstructions) {
  EXPECT_EQ(kind_of(instruction({"ld", "global", "v4", "f32"})), InstructionKind::load);
  EXPECT_EQ(kind_of(instruction({"cp", "async", "ca", "shared", "global"})), InstructionKind::copy);
  EXPECT_EQ(kind_of(instruction({"setp", "lt", "f32"})), InstructionKind::comparison);
  EXPECT_EQ(kind_of(instruction({"cvt", "f32", "s32"})), InstructionKind::conversion);
  EXPECT_EQ(kind_of(instruction({"rcp", "approx", "f32"})), InstructionKind::special);
  EXPECT_EQ(kind_of(instruction({"div", "rn", "f32"})), InstructionKind::special);
  EXPECT_EQ(kind_of(instruction({"div", "s32"})), InstructionKind::integer);
  EXPECT_EQ(kind_of(instruction({"bar", "sync"})), InstructionKind::barrier);
  EXPECT_EQ(kind_of(instruction({"ldmatrix", "sync", "b16"})), InstructionKind::load);
  EXPECT_EQ(kind_of(instruction({"mma", "sync", "f32"})), InstructionKind::tensor);
  EXPECT_EQ(kind_of(instruction({"wmma", "mma", "f32"})), InstructionKind::tensor);
  EXPECT_EQ(kind_of(instruction({"wgmma", "mma_async", "f32"})), InstructionKind::tensor);
  EXPECT_EQ(kind_of(instruction({"wgmma", "wait_group"})), InstructionKind::barrier);
  EXPECT_EQ(kind_of(instruction({"wmma", "load", "a", "f16"})), InstructionKind::load);
  EXPECT_EQ(kind_of(instruction({"wmma", "store", "d", "f32"})), InstructionKind::store);
}

TEST(InstructionKind, AFusedMultiplyAddIsTwoOperations) {
  EXPECT_EQ(operations_of(instruction({"add", "f32"})), 1U);
  EXPECT_EQ(operations_of(instruction({"fma", "rn", "f32"})), 2U);
  EXPECT_EQ(operations_of(instruction({"fma", "rn", "f16x2"})), 4U);
  EXPECT_EQ(operations_of(instruction({"mad", "lo", "s32"})), 0U);
  EXPECT_EQ(operations_of(instruction({"max", "f32"})), 0U);
}

TEST(InstructionKind, ProductsOfMatricesAreOperationsOfThreads) {
  EXPECT_EQ(operations_of(instruction({"mma", "sync", "m16n8k16", "f32"})), 2 * 16 * 8 * 16 / 32U);
  EXPECT_EQ(operations_of(instruction({"mma", "sync", "m8n8k4", "f64"})), 2 * 8 * 8 * 4 / 32U);
  EXPECT_EQ(operations_of(instruction({"mma", "sync", "m8n8k4", "f16"})), 2 * 8 * 8 * 4 / 8U);
  EXPECT_EQ(operations_of(instruction({"wmma", "mma", "m16n16k16", "f32"})), 16 * 16U);
  EXPECT_EQ(operations_of(instruction({"wmma", "load", "m16n16k16", "f16"})), 0U);
  EXPECT_EQ(operations_of(instruction({"wgmma", "mma_async", "m64n256k16", "f32"})),
            2 * 64 * 256 * 16 / 128U);
  EXPECT_EQ(operations_of(instruction({"wgmma", "fence"})), 0U);
}

TEST(InstructionFacts, HaveTheCompletionOfAsynchronousInstructions) {
  const auto completion = [](std::vector<std::string> parts) {
    return facts_of({}, instruction(std::move(parts))).completion;
  };
  EXPECT_EQ(completion({"cp", "async", "ca", "shared", "global"}), Completion::copy_group);
  EXPECT_EQ(completion({"cp", "async", "commit_group"}), Completion::none);
  EXPECT_EQ(completion({"cp", "async", "bulk", "global", "shared::cta", "bulk_group"}),
            Completion::bulk_group);
  EXPECT_EQ(completion({"st", "async", "shared::cluster", "mbarrier::complete_tx::bytes", "b32"}),
            Completion::mbarrier);
  EXPECT_EQ(completion({"wgmma", "mma_async", "sync", "aligned"}), Completion::warpgroup_group);
  EXPECT_EQ(completion({"wgmma", "fence", "sync", "aligned"}), Completion::none);
}

TEST(InstructionFacts, HaveTheVectorAndThePathOfAnAccess) {
  EXPECT_EQ(facts_of({}, instruction({"ld", "global", "v4", "f32"})).vector, 4U);
  EXPECT_EQ(facts_of({}, instruction({"ld", "volatile", "global", "f32"})).vector, 1U);
  EXPECT_TRUE(facts_of({}, instruction({"ld", "global", "nc", "f32"})).read_only);
  EXPECT_TRUE(facts_of({}, instruction({"ldu", "global", "f32"})).read_only);
  EXPECT_FALSE(facts_of({}, instruction({"ld", "global", "f32"})).read_only);
}

TEST(InstructionFacts, HaveTheCalleeOfADirectCall) {
  ptx::Module module;
  module.functions.emplace_back().name = "__assertfail";
  ptx::Instruction call = instruction({"call", "uni"});
  EXPECT_EQ(facts_of(module, call).callee, "");
  call.operands.emplace_back(ptx::Symbol{ptx::Symbol::Kind::function, 0, 0});
  EXPECT_EQ(facts_of(module, call).callee, "__assertfail");
}

}  // namespace
}  // namespace warpcheck::machine
