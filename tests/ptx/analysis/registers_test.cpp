#include "ptx/analysis/registers.hpp"

#include <gmock/gmock.h>

#include "tests/ptx/analysis/small_kernel.hpp"

namespace warpcheck::ptx::analysis::test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const Function& kernel_of(const Module& module) { return module.functions.front(); }

TEST(Registers, OfAnAddressAreReadNotWritten) {
  const Module module = module_of("st.global.u32 [%d1], %r2; ld.global.v2.u32 {%r3, %r4}, [%d5];");
  const auto& store = kernel_of(module).body[0].operands.front();
  EXPECT_THAT(registers_of(store), SizeIs(1));
  EXPECT_THAT(written_registers(store), IsEmpty());
  EXPECT_THAT(written_registers(kernel_of(module).body[1].operands.front()), SizeIs(2));
}

TEST(Registers, ParameterIsFoundInTheAddressOfALoad) {
  const Module module = module_of("ld.param.u64 %d1, [p+4]; ld.global.u64 %d2, [%d1];");
  EXPECT_EQ(parameter_of(kernel_of(module).body[0].operands[1]), 0U);
  EXPECT_FALSE(parameter_of(kernel_of(module).body[1].operands[1]));
}

TEST(Definitions, OriginalIsBehindCopies) {
  const Module module = module_of(
      "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d2, %d1; mov.u64 %d3, %d2; add.s64 %d4, %d3, 8;");
  const auto& body = kernel_of(module).body;
  const auto written = [&](std::size_t at) { return operand<Register>(body[at], 0)->index; };
  const Definitions definitions(kernel_of(module));
  EXPECT_EQ(definitions.original(written(2)), written(0));
  EXPECT_EQ(definitions.original(written(3)), written(3));
}

TEST(Definitions, AreEmptyForTwoWritesOrAGuard) {
  const Module module = module_of(
      "mov.u32 %r1, 1; mov.u32 %r1, 2; @%p1 mov.u32 %r2, 3; shfl.sync.idx.b32 %r3|%p2, %r1, 0, 31, "
      "-1;");
  const Definitions definitions(kernel_of(module));
  for (const auto& instruction : kernel_of(module).body) {
    if (instruction.operands.empty()) continue;
    for (const unsigned reg : written_registers(instruction.operands.front())) {
      EXPECT_FALSE(definitions.of(reg));
    }
  }
}

struct Count {
  unsigned sources = 0;
  Count& operator|=(const Count& other) {
    sources |= other.sources;
    return *this;
  }
  friend bool operator==(const Count&, const Count&) = default;
};

TEST(JoinResults, FollowsValuesAgainstTheOrderOfInstructions) {
  const Module module =
      module_of("mov.u32 %r1, %r2; mov.u32 %r2, %r3; mov.u32 %r3, %tid.x; mov.u32 %r3, %tid.y;");
  std::vector<Count> values(kernel_of(module).registers.size());
  join_results(kernel_of(module), values, [](const Instruction& one, const auto& known) {
    if (const auto* reg = operand<Register>(one, 1)) return known[reg->index];
    return Count{operand<SpecialRegister>(one, 1)->name == "tid.x" ? 1U : 2U};
  });
  EXPECT_EQ(values[operand<Register>(kernel_of(module).body.front(), 0)->index].sources, 3U);
}

}  // namespace
}  // namespace warpcheck::ptx::analysis::test
