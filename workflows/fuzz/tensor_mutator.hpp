// Mutation of cases of operations of the language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/generate/tensors/tensor_domain.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {

class TensorMutator final : public Mutator {
 public:
  TensorMutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                std::vector<std::string> properties);

  [[nodiscard]] std::optional<campaign::Case> mutated(
      const campaign::Case& parent, const campaign::Case& donor,
      campaign::generate::Rng& random) const override;
  [[nodiscard]] std::vector<campaign::Case> neighbours(const campaign::Case& parent) const override;

 private:
  void change(campaign::Case& problem, const campaign::Case& donor,
              campaign::generate::Rng& random) const;
  void change_extent(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_stride(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_offset(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_scalar(campaign::Case& problem, campaign::generate::Rng& random) const;
  void change_property(campaign::Case& problem, campaign::generate::Rng& random) const;
  [[nodiscard]] std::optional<campaign::Case> inside(campaign::Case problem, double budget) const;

  const contract::Contract& contract_;
  campaign::generate::TensorDomain domain_;
  campaign::generate::Solver solver_;
  std::vector<std::int64_t> sizes_;  // sizes in the contract and the kernel; at least one
  std::vector<std::string> properties_;
};

}  // namespace warpcheck::workflows::fuzz
