// The cases that explore starts from, by the kind of operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operation_model.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "contract/contract.hpp"

namespace warpcheck::workflows::explore {

/// See campaign::model_of().
class SourceModel {
 public:
  static const SourceModel& of_matrices();
  static const SourceModel& of_tensors();

  SourceModel() = default;
  SourceModel(const SourceModel&) = delete;
  SourceModel& operator=(const SourceModel&) = delete;
  virtual ~SourceModel() = default;

  /// Returns a measure of the extents by which cases of one contract are compared.
  [[nodiscard]] virtual double size_of(const contract::Contract& contract,
                                       const campaign::Case& problem) const = 0;

  /// Returns cases that most kernels admit: sizes that are multiples of powers of two, or all
  /// equal, tight strides, aligned bases, scalars of 1, and beta = 0 or 1.
  [[nodiscard]] virtual std::vector<campaign::Case> friendly_cases(
      const contract::Contract& contract) const = 0;

  /// Returns cases of arbitrary small sizes, some of them equal, otherwise like friendly_cases().
  [[nodiscard]] virtual std::vector<campaign::Case> small_cases(const contract::Contract& contract,
                                                                campaign::generate::Rng& random,
                                                                std::size_t count) const = 0;

  /// Rounds factors that expressions of a contract have, which have no value otherwise.
  virtual void make_factors_whole(campaign::Case& problem) const = 0;

  /// Returns true if the output of the case has an element, and no extent exceeds `max_size`.
  [[nodiscard]] virtual bool is_valid(const contract::Contract& contract,
                                      const campaign::Case& problem,
                                      std::int64_t max_size) const = 0;

  /// Returns true if a case with another extent has something to compute, at little cost.
  [[nodiscard]] virtual bool can_be_run(const contract::Contract& contract,
                                        const campaign::Case& problem) const = 0;

  /// Returns true if a case with several other extents takes little time.
  [[nodiscard]] virtual bool is_cheap(const contract::Contract& contract,
                                      const campaign::Case& problem) const = 0;

  /// Returns the sensitivity of a pass that counts.
  [[nodiscard]] virtual double least_sensitivity() const = 0;
};

}  // namespace warpcheck::workflows::explore
