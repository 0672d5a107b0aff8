// The parts of generation that differ between the kinds of operations.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/case/operation_model.hpp"
#include "campaign/generate/affordable.hpp"
#include "campaign/generate/ordinary_cases.hpp"

namespace warpcheck::campaign::generate {

/// See model_of().
class GenerationModel {
 public:
  static const GenerationModel& of_matrices();
  static const GenerationModel& of_tensors();

  GenerationModel() = default;
  GenerationModel(const GenerationModel&) = delete;
  GenerationModel& operator=(const GenerationModel&) = delete;
  virtual ~GenerationModel() = default;

  /// Refers to its arguments.
  [[nodiscard]] virtual std::unique_ptr<OrdinaryCases> ordinary_cases(const AffordableCases& cases,
                                                                      const Budgets& budgets,
                                                                      const Cost& least) const = 0;

  /// Returns the structures that the data of a case may have.
  [[nodiscard]] virtual std::vector<Recipe> structures(
      const contract::Contract& contract) const = 0;

  /// Returns true if the definition reads nothing outside of its operands, and no function fails.
  [[nodiscard]] virtual bool has_values(const contract::Contract& contract,
                                        const Case& problem) const = 0;

  /// Returns the case of the domain that is nearest to the sizes of the target, or one with extents
  /// as equal as the domain allows, of about `steps` steps at most; empty if the search finds none.
  [[nodiscard]] virtual std::optional<Case> measured_case(const contract::Contract& contract,
                                                          const Case& target,
                                                          double steps) const = 0;
  /// Describes the target of that search: "near m=8 n=8 k=8", "of about equal extents".
  [[nodiscard]] virtual std::string target_text(const Case& target) const = 0;
};

}  // namespace warpcheck::campaign::generate
