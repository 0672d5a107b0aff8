// The comparison of two kernels, by the kind of operation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/case/operation_model.hpp"
#include "workflows/diff/element_difference.hpp"
#include "workflows/diff/joined_types.hpp"

namespace warpcheck::workflows::diff {

/// See campaign::model_of().
class DiffModel {
 public:
  static const DiffModel& of_matrices();
  static const DiffModel& of_tensors();

  DiffModel() = default;
  DiffModel(const DiffModel&) = delete;
  DiffModel& operator=(const DiffModel&) = delete;
  virtual ~DiffModel() = default;

  /// Returns the reason why the results of two kernels cannot be compared, although their
  /// operations have the same name; empty if they can.
  [[nodiscard]] virtual std::string difference_of_definitions(
      const contract::Contract& one, const contract::Contract& other) const = 0;

  /// Returns true if a case may vary an argument of the first kernel, because the second one takes
  /// the same.
  [[nodiscard]] virtual bool is_shared(const contract::Contract& one,
                                       const contract::Contract& other,
                                       const contract::Argument& argument) const = 0;

  /// Joins the types of all operands, and adds remarks on those of the results.
  virtual void join_types(JoinedTypes& types) const = 0;

  /// See element_difference.hpp.
  [[nodiscard]] virtual std::optional<ElementDifference> largest_difference(
      const campaign::run::Problem& problem, const std::vector<campaign::run::Output>& before,
      const std::vector<campaign::run::Output>& after) const = 0;
};

}  // namespace warpcheck::workflows::diff
