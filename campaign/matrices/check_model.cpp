#include "campaign/checks/check_model.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/matrices/comparison.hpp"

namespace warpcheck::campaign::checks {
namespace {

using contract::ArgumentWord;
using contract::Contract;

/// Sets `field` to the first of its candidates that `requires` allows; leaves it if none is.
template <typename Candidates>
void set_allowed(const Contract& contract, Case& problem, std::int64_t Case::*field,
                 const Candidates& candidates) {
  for (const std::int64_t candidate : candidates) {
    Case changed = problem;
    changed.*field = candidate;
    if (violated(contract, changed)) continue;
    problem = changed;
    return;
  }
}

void widen_from(const Contract& contract, Case& problem, std::int64_t Case::*field,
                std::int64_t tight) {
  std::array<std::int64_t, 64> candidates;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i] = tight + 1 + static_cast<std::int64_t>(i);
  }
  set_allowed(contract, problem, field, candidates);
}

/// Widens the leading dimension or batch stride if the kernel takes it and it is tight.
void widen(const Contract& contract, Case& problem, const StrideField& stride) {
  const std::int64_t tight = stride.tight(contract, problem);
  if (!stride.taken_by(contract) || stride.effective(contract, problem) != tight) return;
  const Case before = problem;
  widen_from(contract, problem, stride.field, tight);
  if (stride.kind == StrideField::Kind::batch_stride) return;
  // Longer lines need larger batch strides.
  for (const StrideField& other : stride_fields(contract)) {
    std::int64_t& value = problem.*other.field;
    if (other.kind == StrideField::Kind::batch_stride && value != 0) {
      value += other.tight(contract, problem) - other.tight(contract, before);
    }
  }
  if (violated(contract, problem) || !can_be_laid_out(contract, problem, run::kBufferLimitBytes)) {
    problem = before;
  }
}

void shift(const Contract& contract, Case& problem, std::int64_t Case::*field) {
  if (problem.*field != 0) return;
  set_allowed(contract, problem, field, std::array<std::int64_t, 8>{1, 2, 3, 4, 8, 16, 32, 64});
}

bool has_nan(ScalarType type) { return unit_roundoff(type) != 0.0; }

bool factors_have_nan(const Contract& contract) {
  return has_nan(contract.type_a) && has_nan(contract.type_b);
}

bool takes_any(const Contract& contract, std::initializer_list<ArgumentWord> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](ArgumentWord word) { return contract.takes(word); });
}

class MatrixCheckModel final : public CheckModel {
 public:
  bool has(Trait trait, const Contract& contract) const override {
    using enum ArgumentWord;
    switch (trait) {
      case Trait::pads_outputs:
        return takes_any(contract, {ldc, ldd, stride_c, stride_d});
      case Trait::pads_operands:
        return takes_any(contract, {lda, ldb, stride_a, stride_b, ldc, ldd, stride_c, stride_d});
      case Trait::ignores_c:
        return !contract.reads_c_at_beta_zero;
      case Trait::ignores_a_and_b:
        return contract.takes(alpha) && !contract.reads_ab_at_alpha_zero &&
               factors_have_nan(contract);
      case Trait::is_product:
        return true;
      case Trait::scales_exactly:
        // A bias is the same for every row, and cannot be scaled with one.
        return !contract.takes(bias) && factors_have_nan(contract) && has_nan(contract.type_c);
      case Trait::rounds_products_once:
        // Products of narrower operands are exact.
        return factors_have_nan(contract) && size_of(contract.type_a) >= 4 &&
               size_of(contract.type_b) >= 4;
      case Trait::rounds_sums_once:
        // Tensor cores cut sums off, but for those of f64.
        return factors_have_nan(contract) && has_nan(contract.accumulate) &&
               (!contract.tensor_cores || contract.accumulate == ScalarType::f64);
    }
    return false;
  }

  void require_reference(const Contract&) const override {}

  bool set_reference(Contract&, const std::shared_ptr<operation::HostFunction>&) const override {
    return false;
  }

  bool bounds_every_order() const override { return false; }

  /// One-hot operands expose which elements are read, but the loss of few terms.
  bool shows_terms(const Contract&, const Case& problem) const override {
    return problem.k > 0 && problem.alpha != 0.0 && problem.data != Recipe::onehot;
  }

  Case overwriting(Case problem) const override {
    problem.beta = 0.0;
    return problem;
  }

  Case with_padding(const Contract& contract, Case problem) const override {
    for (const StrideField& stride : stride_fields(contract)) widen(contract, problem, stride);
    return problem;
  }

  CheckResult compare(run::Runner& runner, const run::Problem& problem,
                      const run::Run& run) const override {
    return compare_product(runner, problem, run);
  }

  CheckResult compare_and_take(run::Runner& runner, run::Problem&& problem,
                               const run::Run& run) const override {
    return compare_product(runner, std::move(problem), run);
  }
};

}  // namespace

Case with_shifted_bases(const Contract& contract, Case problem) {
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    shift(contract, problem, fields(operand).offset);
  }
  if (contract.takes(ArgumentWord::bias)) shift(contract, problem, &Case::off_bias);
  return problem;
}

const CheckModel& CheckModel::of_matrices() {
  static const MatrixCheckModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::checks
