// Every mutant of every built-in kernel is PTX that the virtual machine accepts.
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

/// Applies all mutants to the module. Each round applies at most one mutation to each instruction.
void expect_legal_mutants(const contract::Variant& variant) {
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

/// Tests the mutants of each PTX module once.
void expect_legal_mutants(bool are_products) {
  std::set<const contract::Compiled*> seen;
  for (const contract::Variant& variant : contract::builtin_variants()) {
    if ((variant.contract.tensors == nullptr) != are_products) continue;
    if (seen.insert(variant.compiled.get()).second) expect_legal_mutants(variant);
  }
  EXPECT_FALSE(seen.empty());
}

TEST(Mutants, OfTheBuiltInProductsAreLegalPtx) { expect_legal_mutants(true); }

TEST(Mutants, OfTheBuiltInOperationsAreLegalPtx) { expect_legal_mutants(false); }

}  // namespace
}  // namespace warpcheck::workflows::mutate::operators::test
