// These tests check the set of mutants and that each mutant is a valid module.
#include <gmock/gmock.h>

#include <array>
#include <set>

#include "tests/workflows/mutate/operators/planting.hpp"

namespace warpcheck::workflows::mutate::operators::test {
namespace {

const std::array<std::string, 1> kF = {"f"};

std::set<std::string> mutated_functions(const ptx::Module& module) {
  std::set<std::string> names;
  for (const Mutant& mutant : mutants(module, kF)) {
    names.insert(module.functions[mutant.function].name);
  }
  return names;
}

TEST(Mutants, CoverTheNamedKernelsAndTheirCallees) {
  const ptx::Module module = module_of("call called; ",
                                       ".func deep() { bar.sync 0; ret; }\n"
                                       ".func called() { call deep; bar.sync 0; ret; }\n"
                                       ".func not_called() { bar.sync 0; ret; }\n"
                                       ".visible .entry other() { bar.sync 0; ret; }\n");
  EXPECT_THAT(mutated_functions(module), testing::ElementsAre("called", "deep"));
}

TEST(Mutants, KeepTheirLabelsWhereAnInstructionIsDropped) {
  const ptx::Module module = module_of("BEGIN: bar.sync 0; @%p1 bra END; bra BEGIN; END: ret;");
  const std::vector<Mutant> all = mutants(module, kF);
  ASSERT_EQ(all.front().planted->name, "barrier-dropped");
  const ptx::Module expected = module_of("BEGIN: @%p1 bra END; bra BEGIN; END: ret;");
  EXPECT_TRUE(mutated(module, all.front()) == expected);
}

TEST(Mutants, DifferFromTheModuleInOneInstruction) {
  const ptx::Module module = module_of("setp.lt.s32 %p1, %r1, 4; @%p1 st.shared.f32 [%r1+4], %f1;");
  for (const Mutant& mutant : mutants(module, kF)) {
    const ptx::Module changed = mutated(module, mutant);
    EXPECT_FALSE(changed == module);
    const auto& before = module.functions[0].body;
    const auto& after = changed.functions[0].body;
    if (!mutant.instead) {
      EXPECT_EQ(after.size() + 1, before.size());
      continue;
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(after[i] == before[i], i != mutant.instruction);
    }
  }
}

}  // namespace
}  // namespace warpcheck::workflows::mutate::operators::test
