#include "campaign/judge/diagnose.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/scalar_type.hpp"
#include "campaign/judge/pattern.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::judge {
namespace {

using reference::Expected;
using reference::Gemm;
using reference::Matrix;

/// The wrong elements of one result, compared with each known mistake.
class WrongElements {
 public:
  WrongElements(const Gemm& problem, const Expected& expected, const Matrix& got,
                const Prefill& prefill)
      : problem_(problem),
        expected_(expected),
        got_(got),
        prefill_(prefill),
        alpha_(reference::round_to(problem.accumulate, problem.alpha)),
        beta_(reference::round_to(problem.accumulate, problem.beta)),
        slack_(4.0 * std::max(unit_roundoff(problem.accumulate), unit_roundoff(problem.type_c))) {
    for (std::int64_t i = 0; i < got.rows; ++i) {
      for (std::int64_t j = 0; j < got.columns; ++j) {
        if (!expected.accepts(i, j, got(i, j))) wrong_.push_back({i, j});
      }
    }
  }

  [[nodiscard]] const std::vector<Place>& places() const { return wrong_; }

  [[nodiscard]] Cause cause() const {
    if (unwritten()) return {CauseKind::unwritten};
    if (const Cause found = terms(); found.kind != CauseKind::none) return found;
    if (const Cause found = scalars(); found.kind != CauseKind::none) return found;
    if (const Cause found = displaced(); found.kind != CauseKind::none) return found;
    if (all([&](Place p) { return std::isnan(got_(p.row, p.column)); })) {
      return {CauseKind::all_nan};
    }
    if (all([&](Place p) { return got_(p.row, p.column) == 0.0; })) return {CauseKind::all_zero};
    return {};
  }

 private:
  template <class Predicate>
  [[nodiscard]] bool all(Predicate holds) const {
    return std::all_of(wrong_.begin(), wrong_.end(), holds);
  }

  /// Returns true if the element at `p` can result from a kernel that computes `value`, and `value`
  /// differs from the correct one.
  [[nodiscard]] bool holds(Place p, double value) const {
    const double rounding = slack_ * std::abs(value);
    const double tolerance = 2.0 * expected_.tolerance(p.row, p.column) + rounding;
    return std::abs(got_(p.row, p.column) - value) <= tolerance &&
           std::abs(right(p) - value) > rounding;
  }

  [[nodiscard]] bool unwritten() const {
    return prefill_.is_known() && all([&](Place p) {
             return std::bit_cast<std::uint64_t>(got_(p.row, p.column)) ==
                    std::bit_cast<std::uint64_t>(prefill_(p.row, p.column));
           });
  }

  [[nodiscard]] double term(Place p, std::int64_t k) const {
    return alpha_ * problem_.a(p.row, k) * problem_.b(k, p.column);
  }

  [[nodiscard]] double terms(Place p, std::int64_t begin, std::int64_t end) const {
    double sum = 0.0;
    for (std::int64_t k = begin; k < end; ++k) sum += term(p, k);
    return sum;
  }

  [[nodiscard]] double right(Place p) const { return expected_.value(p.row, p.column); }

  /// Terms at either end missing, or one term missing or added twice.
  [[nodiscard]] Cause terms() const {
    const std::int64_t depth = problem_.a.columns;
    if (alpha_ == 0.0 || depth == 0) return {};
    const Place first = wrong_.front();
    double lost = 0.0;
    for (std::int64_t count = 1; count <= depth; ++count) {
      lost += term(first, depth - count);
      if (!holds(first, right(first) - lost)) continue;
      if (!all([&](Place p) { return holds(p, right(p) - terms(p, depth - count, depth)); })) {
        continue;
      }
      if (count == depth) return {CauseKind::no_terms};
      return {CauseKind::last_terms_missing, depth - count, depth};
    }
    lost = 0.0;
    for (std::int64_t count = 1; count < depth; ++count) {
      lost += term(first, count - 1);
      if (!holds(first, right(first) - lost)) continue;
      if (!all([&](Place p) { return holds(p, right(p) - terms(p, 0, count)); })) continue;
      return {CauseKind::first_terms_missing, 0, count};
    }
    for (const double sign : {-1.0, 1.0}) {
      for (std::int64_t k = 0; k < depth; ++k) {
        if (all([&](Place p) { return holds(p, right(p) + sign * term(p, k)); })) {
          return {sign < 0.0 ? CauseKind::one_term_missing : CauseKind::one_term_doubled, k, k + 1};
        }
      }
    }
    return {};
  }

  /// alpha, beta * C or the bias not applied as the problem requires.
  [[nodiscard]] Cause scalars() const {
    const bool has_c = !problem_.c.values.empty();
    const auto c = [&](Place p) { return has_c ? problem_.c(p.row, p.column) : 0.0; };
    const auto scaled_c = [&](Place p) { return beta_ == 0.0 ? 0.0 : beta_ * c(p); };
    const auto product = [&](Place p) { return right(p) - scaled_c(p); };
    const auto all_hold = [&](auto value) {
      return all([&](Place p) { return holds(p, value(p)); });
    };
    if (!problem_.bias.values.empty() &&
        all_hold([&](Place p) { return right(p) - problem_.bias(0, p.column); })) {
      return {CauseKind::bias_missing};
    }
    if (beta_ != 0.0) {
      if (all_hold(product)) return {CauseKind::c_missing};
      if (all_hold([&](Place p) { return product(p) + c(p); })) return {CauseKind::c_without_beta};
      if (all_hold([&](Place p) { return right(p) + scaled_c(p); })) {
        return {CauseKind::c_doubled};
      }
    } else if (has_c) {
      if (all_hold([&](Place p) { return right(p) + c(p); })) {
        return {CauseKind::c_despite_zero_beta};
      }
      const bool spoilt =
          all([&](Place p) { return std::isnan(got_(p.row, p.column)) && !std::isfinite(c(p)); });
      if (spoilt) return {CauseKind::nan_in_c};
    }
    if (alpha_ == 0.0) return {};
    if (all_hold([&](Place p) { return product(p) / alpha_ + scaled_c(p); })) {
      return {CauseKind::alpha_missing};
    }
    if (all_hold([&](Place p) { return product(p) * alpha_ + scaled_c(p); })) {
      return {CauseKind::alpha_doubled};
    }
    if (all_hold([&](Place p) { return scaled_c(p) - product(p); })) {
      return {CauseKind::product_negated};
    }
    if (all_hold([&](Place p) { return scaled_c(p) + 2.0 * product(p); })) {
      return {CauseKind::product_doubled};
    }
    return {};
  }

  /// Values of other elements: transposed, or at a constant distance.
  [[nodiscard]] Cause displaced() const {
    if (got_.rows == got_.columns &&
        all([&](Place p) { return holds(p, expected_.value(p.column, p.row)); })) {
      return {CauseKind::transposed};
    }
    constexpr std::int64_t kFarthest = 256;
    const auto shifted = [&](std::int64_t down, std::int64_t right_by) {
      return all([&](Place p) {
        const std::int64_t i = p.row + down;
        const std::int64_t j = p.column + right_by;
        return i >= 0 && i < got_.rows && j >= 0 && j < got_.columns &&
               holds(p, expected_.value(i, j));
      });
    };
    for (std::int64_t distance = 1; distance <= kFarthest; ++distance) {
      for (const std::int64_t by : {distance, -distance}) {
        if (shifted(0, by)) return {CauseKind::shifted, 0, 0, 0, by};
        if (shifted(by, 0)) return {CauseKind::shifted, 0, 0, by, 0};
      }
    }
    return {};
  }

  const Gemm& problem_;
  const Expected& expected_;
  const Matrix& got_;
  const Prefill& prefill_;
  double alpha_;
  double beta_;
  double slack_;  // relative; covers the rounding of a mistaken value
  std::vector<Place> wrong_;
};

}  // namespace

Diagnosis diagnose(const Gemm& problem, const Expected& expected, const Matrix& got,
                   const Prefill& prefill) {
  const WrongElements wrong(problem, expected, got, prefill);
  if (wrong.places().empty()) return {};
  return {pattern_of(wrong.places(), got.rows, got.columns), wrong.cause()};
}

}  // namespace warpcheck::campaign::judge
