// Mutation of a case to a similar one in the same domain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/sampling/costs.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/compile/variant.hpp"
#include "contract/contract.hpp"

namespace warpcheck::workflows::fuzz {

/// The whole numbers from 2 to 4096 that a kernel of a PTX text (by its mangled name) compares,
/// multiplies, divides or masks with, ascending: sizes at which it may act differently.
[[nodiscard]] std::vector<std::int64_t> literals_of(std::string_view ptx, std::string_view kernel);

/// Returns those of all kernels of the variant.
[[nodiscard]] std::vector<std::int64_t> literals_of(const contract::Variant& variant);

class Mutator {
 public:
  /// `literals` are sizes to try, `properties` the names of the properties to check. Keeps a
  /// reference to the contract.
  Mutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
          std::vector<std::string> properties, const campaign::generate::SizeLimits& sizes = {});
  Mutator(const Mutator&) = delete;
  Mutator& operator=(const Mutator&) = delete;

  /// Changes a few fields of the parent, some perhaps to the donor's values. The result is inside
  /// the domain, normalized, and no more expensive than generated cases. Empty if no such case is
  /// found.
  [[nodiscard]] std::optional<campaign::Case> mutated(const campaign::Case& parent,
                                                      const campaign::Case& donor,
                                                      campaign::generate::Rng& random) const;

  /// Returns the case with one extent changed to each literal and number of the contract and by
  /// one, in a fixed order. All have the first property, because others may fix an extent.
  [[nodiscard]] std::vector<campaign::Case> neighbours(const campaign::Case& parent) const;

 private:
  using Case = campaign::Case;
  using Rng = campaign::generate::Rng;
  using Fields = std::vector<const campaign::CaseField*>;

  void change(Case& problem, const Case& donor, Rng& random) const;
  void change_extent(Case& problem, Rng& random) const;
  void change_stride(Case& problem, Rng& random) const;
  void change_offset(Case& problem, Rng& random) const;
  void change_factor(Case& problem, Rng& random) const;
  void change_shape(Case& problem, Rng& random) const;
  void change_property(Case& problem, Rng& random) const;
  void take_from(Case& problem, const Case& donor, Rng& random) const;
  [[nodiscard]] std::optional<Case> inside(Case problem, double work) const;

  const contract::Contract& contract_;
  campaign::generate::Solver solver_;
  const campaign::CaseSchema& schema_;
  campaign::generate::Tiles tiles_;
  campaign::generate::CostModel costs_;
  std::vector<std::vector<std::int64_t>>
      sizes_;                           // numbers of the contract and the kernel for each extent
  std::vector<std::int64_t> literals_;  // those of the kernel and the contract
  std::vector<std::string> properties_;
  std::vector<campaign::Recipe> recipes_;
  double least_work_ = 0.0;  // least budget of a mutant, the work of a few tiles
  Fields extents_;
  // The fields that the kernel takes:
  Fields strides_;
  Fields offsets_;
  Fields factors_;
  Fields shapes_;  // transpositions and the batch
};

}  // namespace warpcheck::workflows::fuzz
