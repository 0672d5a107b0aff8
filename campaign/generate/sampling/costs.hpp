// The cost of a case, and the budgets of generated cases.
#pragma once

#include <cstdint>
#include <limits>

#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::generate {

/// The cost of a case, or a limit of it.
struct Cost {
  double work = 0.0;      // multiply-adds, with extents rounded up to whole tiles and to periods
  double elements = 0.0;  // elements of the operands

  [[nodiscard]] bool is_within(const Cost& most) const {
    return work <= most.work && elements <= most.elements;
  }
};

inline constexpr Cost kAnyCost = {std::numeric_limits<double>::infinity(),
                                  std::numeric_limits<double>::infinity()};

/// Largest costs of cases. They grow with the least case of the domain whose extents are positive:
/// 2 x 2 tiles with 3 steps of the sums are affordable if each is as large as that case.
struct Budgets {
  Cost sampled;
  Cost covering;       // most cases that cover combinations
  Cost covering_dear;  // the others, and combinations that no cheaper case has
};

/// Refers to the contract, the schema and the tiles.
class CostModel {
 public:
  CostModel(const contract::Contract& contract, const CaseSchema& schema, const Tiles& tiles)
      : contract_(contract), schema_(schema), tiles_(tiles) {}

  [[nodiscard]] Cost cost(const Case& problem) const;

  /// The cost to which ordinary cases are limited: in whole tiles only where the work of an
  /// operation is that of its tiles.
  [[nodiscard]] Cost ordinary_cost(const Case& problem) const;

  /// The work of a case with extents of 1, and sums of 16 terms.
  [[nodiscard]] double work_of_step() const;

  /// The work of a case with one tile along each extent.
  [[nodiscard]] double work_of_tile() const;

  [[nodiscard]] Budgets budgets(const Cost& least) const;

  [[nodiscard]] const contract::Contract& contract() const { return contract_; }
  [[nodiscard]] const CaseSchema& schema() const { return schema_; }
  [[nodiscard]] const Tiles& tiles() const { return tiles_; }

 private:
  [[nodiscard]] double number(const contract::Expression& expression, const Case& problem) const;

  const contract::Contract& contract_;
  const CaseSchema& schema_;
  const Tiles& tiles_;
};

}  // namespace warpcheck::campaign::generate
