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
  std::size_t function = 0;     // into Module::functions
  std::size_t instruction = 0;  // into its body
  Replacement instead;
};

/// The mutants of the kernels with these mangled names and of all functions that the kernels may
/// call. They are in the order of the text; those of one instruction are in the order of
/// operators().
[[nodiscard]] std::vector<Mutant> mutants(const ptx::Module& module,
                                          std::span<const std::string> kernels);

/// The module with the defect.
[[nodiscard]] ptx::Module mutated(ptx::Module module, const Mutant& mutant);

/// The instruction as it was, and as it is; "" where it was dropped.
[[nodiscard]] std::string text_before(const ptx::Module& module, const Mutant& mutant);
[[nodiscard]] std::string text_after(const ptx::Module& module, const Mutant& mutant);

/// At most `most` of them, in their order, generated from the seed: of each operator the same
/// number, or all that there are, so that the rare ones are all there.
[[nodiscard]] std::vector<Mutant> sample(const std::vector<Mutant>& all, std::size_t most,
                                         std::uint64_t seed);

}  // namespace warpcheck::workflows::mutate::operators
