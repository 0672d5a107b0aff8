// Cases of operations of the language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/generate/case_source.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/generate/tensors/tensor_sampler.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// Some cases have an extent of 0, offsets beyond 2^31 elements, or a grid that `requires` declares
/// although it exceeds the limit of a launch. In the others, extents are near multiples of the
/// numbers in the contract, one or two at a time, small, prime, or far from one
/// another. Strides that the kernel takes are tight, odd or padded; bases are up to three elements
/// off. The data of two cases of eleven have a structure, each in its turn. Each case has a random
/// budget of work. A case outside the domain is repaired, name by name.
class TensorCases : public CaseSource {
 public:
  /// `max_size` bounds the extents, if the domain allows it; 0: no limit. `int32_overflow_strides`
  /// requires a device with sparse memory. Refers to the contract.
  TensorCases(const contract::Contract& contract, std::uint64_t seed, std::int64_t max_size,
              bool int32_overflow_strides = false, const SizeLimits& limits = {});

  [[nodiscard]] GeneratedCase draw(std::int64_t index) const override;
  [[nodiscard]] Combinations combinations(std::int64_t cases) const override;
  [[nodiscard]] Row levels(const Case& problem) const override;

 private:
  [[nodiscard]] TensorSampler sampler(std::uint64_t bits) const;
  [[nodiscard]] std::optional<Recipe> structure(std::int64_t index) const;
  [[nodiscard]] std::optional<Case> special_case(std::int64_t index) const;

  const contract::Contract& contract_;
  std::uint64_t seed_;
  std::int64_t max_size_;
  TensorDomain domain_;
  std::vector<std::string> of_blocks_;
  std::vector<Recipe> structures_;
  std::vector<std::string> overflow_fields_;
  std::vector<Case> grid_cases_;  // cases beyond the limits of a launch
};

}  // namespace warpcheck::campaign::generate
