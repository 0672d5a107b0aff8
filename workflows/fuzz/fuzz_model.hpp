// Mutation and features of cases, by the kind of operation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "campaign/case/operation_model.hpp"
#include "campaign/case/placement.hpp"
#include "workflows/fuzz/mutator.hpp"

namespace warpcheck::workflows::fuzz {

/// The fields of a case that features distinguish.
struct FeatureFields {
  std::vector<std::int64_t> extents;
  std::vector<campaign::Placement> operands;
  std::vector<std::vector<std::uint64_t>> factors;  // classes that belong together
};

/// See campaign::model_of().
class FuzzModel {
 public:
  static const FuzzModel& of_matrices();
  static const FuzzModel& of_tensors();

  FuzzModel() = default;
  FuzzModel(const FuzzModel&) = delete;
  FuzzModel& operator=(const FuzzModel&) = delete;
  virtual ~FuzzModel() = default;

  /// See make_mutator().
  [[nodiscard]] virtual std::unique_ptr<Mutator> mutator(
      const contract::Contract& contract, std::vector<std::int64_t> literals,
      std::vector<std::string> properties, const campaign::generate::SizeLimits& sizes) const = 0;

  /// Returns the sizes by which the values of each extent are classified.
  [[nodiscard]] virtual std::vector<std::vector<std::int64_t>> tiles(
      const contract::Contract& contract) const = 0;
  [[nodiscard]] virtual FeatureFields fields(const contract::Contract& contract,
                                             const campaign::Case& problem) const = 0;

  /// Returns about the work of a case, without a contract.
  [[nodiscard]] virtual double cost(const campaign::Case& problem) const = 0;
};

}  // namespace warpcheck::workflows::fuzz
