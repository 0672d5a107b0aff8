// All mutants of a kernel, and a sample of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workflows/mutate/operators/operator.hpp"

namespace warpcheck::workflows::mutate::operators {

/// A module with one defect, represented by its difference from the original.
struct Mutant {
  const Operator* planted = nullptr;
  std::size_t function = 0;     // index in Module::functions
  std::size_t instruction = 0;  // index in the body of the function
  Replacement instead;
};

/// The mutants of the kernels with these mangled names and of all functions that the kernels may
/// call. They are in the order of the text; those of one instruction are in the order of
/// operators().
[[nodiscard]] std::vector<Mutant> mutants(const ptx::Module& module,
                                          std::span<const std::string> kernels);

/// The module with the defect.
[[nodiscard]] ptx::Module mutated(ptx::Module module, const Mutant& mutant);

/// The instruction in the mutant; "" if it was dropped.
[[nodiscard]] std::string text_after(const ptx::Module& module, const Mutant& mutant);

/// Returns at most `most` of the mutants in their order, generated from the seed: the same number
/// for each operator, or all mutants of an operator that has fewer, so that no rare mutant is lost.
[[nodiscard]] std::vector<Mutant> sample(const std::vector<Mutant>& all, std::size_t most,
                                         std::uint64_t seed);

}  // namespace warpcheck::workflows::mutate::operators
