// Cases of operations of the language.
#pragma once

#include <cstdint>

#include "base/hash.hpp"
#include "contract/contract.hpp"
#include "properties/generate/case_source.hpp"
#include "properties/generate/tensors/tensor_domain.hpp"

namespace warpcheck::properties::generate {

/// Extents are near multiples of the numbers in the contract, small, prime, or far from one
/// another. Strides that the kernel takes are tight, odd or padded; bases are up to three elements
/// off. Each case has a random budget of work. A case outside the domain is repaired, name by name.
class TensorCases : public CaseSource {
 public:
  /// `max_size` bounds the extents, if the domain allows it; 0: no limit. Refers to the contract.
  TensorCases(const contract::Contract& contract, std::uint64_t seed, std::int64_t max_size);

  [[nodiscard]] GeneratedCase draw(std::int64_t index) const override;
  [[nodiscard]] Combinations combinations(std::int64_t cases) const override;
  [[nodiscard]] Row levels(const Case& problem) const override;

 private:
  class Sampler;

  const contract::Contract& contract_;
  std::uint64_t seed_;
  std::int64_t max_size_;
  TensorDomain domain_;
};

}  // namespace warpcheck::properties::generate
