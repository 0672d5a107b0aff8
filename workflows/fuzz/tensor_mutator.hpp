// Mutation of cases of operations of the language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/generate/tensors/tensor_domain.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {

class TensorMutator final : public Mutator {
 public:
  TensorMutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                std::vector<std::string> properties);

  [[nodiscard]] std::optional<properties::Case> mutated(
      const properties::Case& parent, const properties::Case& donor,
      properties::generate::Rng& random) const override;
  [[nodiscard]] std::vector<properties::Case> neighbours(
      const properties::Case& parent) const override;

 private:
  void change(properties::Case& problem, const properties::Case& donor,
              properties::generate::Rng& random) const;
  void change_extent(properties::Case& problem, properties::generate::Rng& random) const;
  void change_stride(properties::Case& problem, properties::generate::Rng& random) const;
  void change_offset(properties::Case& problem, properties::generate::Rng& random) const;
  void change_scalar(properties::Case& problem, properties::generate::Rng& random) const;
  void change_property(properties::Case& problem, properties::generate::Rng& random) const;
  [[nodiscard]] std::optional<properties::Case> inside(properties::Case problem,
                                                       double budget) const;

  const contract::Contract& contract_;
  properties::generate::TensorDomain domain_;
  std::vector<std::int64_t> sizes_;  // sizes in the contract and the kernel; at least one
  std::vector<std::string> properties_;
};

}  // namespace warpcheck::workflows::fuzz
