// Mutation of a case to a similar one in the same domain.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/constraints/size_limits.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "contract/contract.hpp"

namespace warpcheck::workflows::fuzz {

/// The whole numbers from 2 to 4096 that a kernel of a PTX text (by its mangled name) compares,
/// multiplies, divides or masks with, ascending: sizes at which it may act differently.
[[nodiscard]] std::vector<std::int64_t> literals_of(std::string_view ptx, std::string_view kernel);

class Mutator {
 public:
  Mutator() = default;
  Mutator(const Mutator&) = delete;
  Mutator& operator=(const Mutator&) = delete;
  virtual ~Mutator() = default;

  /// Changes a few fields of the parent, some perhaps to the donor's values. The result is inside
  /// the domain, normalized, and no more expensive than generated cases. Empty if no such case is
  /// found.
  [[nodiscard]] virtual std::optional<campaign::Case> mutated(
      const campaign::Case& parent, const campaign::Case& donor,
      campaign::generate::Rng& random) const = 0;

  /// Returns the case with one extent changed to each literal and by one, in a fixed order. All
  /// have the first property, because others may fix an extent.
  [[nodiscard]] virtual std::vector<campaign::Case> neighbours(
      const campaign::Case& parent) const = 0;
};

/// The mutator of the contract's operation. `literals` are sizes to try, `properties` the names of
/// the properties to check. Keeps a reference to the contract.
[[nodiscard]] std::unique_ptr<Mutator> make_mutator(const contract::Contract& contract,
                                                    std::vector<std::int64_t> literals,
                                                    std::vector<std::string> properties,
                                                    const campaign::generate::SizeLimits& sizes);

}  // namespace warpcheck::workflows::fuzz
