// Every mutant of every built-in matrix product is PTX that the virtual machine accepts.
#include <gmock/gmock.h>

#include <set>
#include <utility>

#include "contract/compile/variant.hpp"
#include "device/virtual/isa/decode.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "workflows/mutate/operators/mutants.hpp"

namespace warpcheck::workflows::mutate::operators::test {
namespace {

std::size_t illegal_ops(const machine::Program& program) {
  std::size_t count = 0;
  for (const machine::FunctionCode& code : program.functions) {
    for (const machine::Op& op : code.ops) count += isa::is_unsupported(op) ? 1 : 0;
  }
  return count;
}

/// Each round applies at most one mutation to each instruction of a module.
TEST(Mutants, OfTheBuiltInProductsAreLegalPtx) {
  std::set<const contract::Compiled*> seen;
  for (const contract::Variant& variant : contract::builtin_variants()) {
    if (variant.contract.tensors != nullptr) continue;
    if (!seen.insert(variant.compiled.get()).second) continue;
    const ptx::Module module = ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file);
    std::vector<std::string> kernels;
    for (const ptx::Function& function : module.functions) kernels.push_back(function.name);
    std::vector<Mutant> left = mutants(module, kernels);
    ASSERT_FALSE(left.empty()) << variant.contract.name;
    while (!left.empty()) {
      std::set<std::pair<std::size_t, std::size_t>> taken;
      std::vector<Mutant> later;
      ptx::Module changed = module;
      for (Mutant& mutant : left) {
        if (!mutant.instead) continue;
        if (taken.emplace(mutant.function, mutant.instruction).second) {
          changed = mutated(std::move(changed), mutant);
        } else {
          later.push_back(std::move(mutant));
        }
      }
      const ptx::Module read = ptx::parse(ptx::to_text(changed), "mutant.ptx");
      EXPECT_TRUE(read == changed) << variant.contract.name;
      EXPECT_EQ(illegal_ops(*isa::decode(read)), 0U) << variant.contract.name;
      left = std::move(later);
    }
  }
}

}  // namespace
}  // namespace warpcheck::workflows::mutate::operators::test
