// Slices of the operands of a case along one extent: rows, products of a batch, heads, experts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/judge/pattern.hpp"
#include "properties/vocabulary.hpp"

namespace warpcheck::properties {

/// Slices of an extent that has `of` slices: number i of the result is number from[i].
struct Slices {
  std::string extent;
  std::int64_t of = 0;
  std::vector<std::int64_t> from;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(from.size()); }
};

/// The case with another size of an extent. May leave the domain.
[[nodiscard]] Case with_extent(const Contract& contract, Case problem, const std::string& name,
                               std::int64_t size);

/// A number from 0 to below - 1, which the seed of the case chooses.
[[nodiscard]] std::int64_t random_below(const Case& problem, std::uint64_t number,
                                        std::int64_t below);

/// Data of which the order of a sum shows in its bits.
[[nodiscard]] Case with_rounded_sums(const Contract& contract, const Case& problem);

/// True if the contract states that the bits of a slice of the extent do not depend on the others.
[[nodiscard]] bool is_batch_invariant(const Contract& contract, const std::string& extent);

/// The slices of the operands of a case.
[[nodiscard]] run::Operands slices_of(const Contract& contract, const Case& problem,
                                      const run::Operands& all, const Slices& slices);

/// The slices of a dense tensor whose dimensions have these names.
[[nodiscard]] reference::TensorData slices_of(const reference::TensorData& all,
                                              const std::vector<std::string>& names,
                                              const Slices& slices);

/// The element of the whole output that is this element of the output of the slices.
[[nodiscard]] campaign::judge::Place element_of_whole(const Contract& contract,
                                                      const campaign::Placement& output,
                                                      campaign::judge::Place element,
                                                      const Slices& slices);

/// The tensor of an operation of the language.
[[nodiscard]] const operation::Tensor& tensor(const Contract& contract, const std::string& name);

}  // namespace warpcheck::properties
