#include "properties/judge/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/scalar_type.hpp"
#include "properties/judge/pattern.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::judge {
namespace {

using reference::Expected;
using reference::Gemm;
using reference::Matrix;

class Diagnosis {
 public:
  Diagnosis(const Gemm& problem, const Expected& expected, const Matrix& got, const Matrix* prefill)
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

  [[nodiscard]] const std::vector<Place>& wrong() const { return wrong_; }

  [[nodiscard]] std::string cause() const {
    if (unwritten()) return "they were never written and hold what lay in D before";
    if (std::string text = terms(); !text.empty()) return text;
    if (std::string text = scalars(); !text.empty()) return text;
    if (std::string text = displaced(); !text.empty()) return text;
    if (all([&](Place p) { return std::isnan(got_(p.row, p.column)); })) return "they are all NaN";
    if (all([&](Place p) { return got_(p.row, p.column) == 0.0; })) return "they are all zero";
    return "";
  }

 private:
  template <class Predicate>
  [[nodiscard]] bool all(Predicate holds) const {
    return std::all_of(wrong_.begin(), wrong_.end(), holds);
  }

  /// Whether a kernel that meant `value`, not the right one, may have left what was found at `p`.
  [[nodiscard]] bool holds(Place p, double value) const {
    const double rounding = slack_ * std::abs(value);
    const double tolerance = 2.0 * expected_.tolerance(p.row, p.column) + rounding;
    return std::abs(got_(p.row, p.column) - value) <= tolerance &&
           std::abs(right(p) - value) > rounding;
  }

  [[nodiscard]] bool unwritten() const {
    return prefill_ != nullptr && all([&](Place p) {
             return std::bit_cast<std::uint64_t>(got_(p.row, p.column)) ==
                    std::bit_cast<std::uint64_t>((*prefill_)(p.row, p.column));
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

  /// A run of terms at either end, or one term, missing or added twice.
  [[nodiscard]] std::string terms() const {
    const std::int64_t depth = problem_.a.columns;
    if (alpha_ == 0.0 || depth == 0) return "";
    const Place first = wrong_.front();
    double lost = 0.0;
    for (std::int64_t count = 1; count <= depth; ++count) {
      lost += term(first, depth - count);
      if (!holds(first, right(first) - lost)) continue;
      if (!all([&](Place p) { return holds(p, right(p) - terms(p, depth - count, depth)); })) {
        continue;
      }
      if (count == depth) return "none of the terms was added";
      if (count == 1) return fmt::format("the last term, k = {}, is missing", depth - 1);
      return fmt::format("the last {} terms, from k = {} on, are missing", count, depth - count);
    }
    lost = 0.0;
    for (std::int64_t count = 1; count < depth; ++count) {
      lost += term(first, count - 1);
      if (!holds(first, right(first) - lost)) continue;
      if (!all([&](Place p) { return holds(p, right(p) - terms(p, 0, count)); })) continue;
      if (count == 1) return "the first term, k = 0, is missing";
      return fmt::format("the first {} terms, up to k = {}, are missing", count, count - 1);
    }
    for (const double sign : {-1.0, 1.0}) {
      for (std::int64_t k = 0; k < depth; ++k) {
        if (all([&](Place p) { return holds(p, right(p) + sign * term(p, k)); })) {
          return fmt::format("the term k = {} {}", k,
                             sign < 0.0 ? "is missing" : "was added twice");
        }
      }
    }
    return "";
  }

  /// alpha, beta C or the bias treated otherwise than the problem says.
  [[nodiscard]] std::string scalars() const {
    const bool has_c = !problem_.c.values.empty();
    const auto c = [&](Place p) { return has_c ? problem_.c(p.row, p.column) : 0.0; };
    const auto scaled_c = [&](Place p) { return beta_ == 0.0 ? 0.0 : beta_ * c(p); };
    const auto product = [&](Place p) { return right(p) - scaled_c(p); };
    const auto all_hold = [&](auto value) {
      return all([&](Place p) { return holds(p, value(p)); });
    };
    if (!problem_.bias.values.empty() &&
        all_hold([&](Place p) { return right(p) - problem_.bias(0, p.column); })) {
      return "the bias was not added";
    }
    if (beta_ != 0.0) {
      if (all_hold(product)) return "beta * C was not added";
      if (all_hold([&](Place p) { return product(p) + c(p); })) return "C was added without beta";
      if (all_hold([&](Place p) { return right(p) + scaled_c(p); })) {
        return "beta * C was added twice";
      }
    } else if (has_c) {
      if (all_hold([&](Place p) { return right(p) + c(p); })) {
        return "C was added although beta is 0";
      }
      const bool spoilt =
          all([&](Place p) { return std::isnan(got_(p.row, p.column)) && !std::isfinite(c(p)); });
      if (spoilt) return "C holds NaN or an infinity there and was read although beta is 0";
    }
    if (alpha_ == 0.0) return "";
    if (all_hold([&](Place p) { return product(p) / alpha_ + scaled_c(p); })) {
      return "alpha was not applied";
    }
    if (all_hold([&](Place p) { return product(p) * alpha_ + scaled_c(p); })) {
      return "alpha was applied twice";
    }
    if (all_hold([&](Place p) { return scaled_c(p) - product(p); })) {
      return "the product has the opposite sign";
    }
    if (all_hold([&](Place p) { return scaled_c(p) + 2.0 * product(p); })) {
      return "the product was added twice";
    }
    return "";
  }

  /// The value of another element: transposed, or at a constant distance.
  [[nodiscard]] std::string displaced() const {
    if (got_.rows == got_.columns &&
        all([&](Place p) { return holds(p, expected_.value(p.column, p.row)); })) {
      return "they hold the transposed answer";
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
        if (shifted(0, by)) return shift_text(by, "column", by > 0 ? "right" : "left");
        if (shifted(by, 0)) return shift_text(by, "row", by > 0 ? "below" : "above");
      }
    }
    return "";
  }

  [[nodiscard]] static std::string shift_text(std::int64_t by, std::string_view line,
                                              std::string_view side) {
    const std::int64_t distance = std::abs(by);
    return fmt::format(
        "they hold what belongs {} {}{} {}", distance, line, distance == 1 ? "" : "s",
        side == "right" || side == "left" ? fmt::format("to the {}", side) : std::string(side));
  }

  const Gemm& problem_;
  const Expected& expected_;
  const Matrix& got_;
  const Matrix* prefill_;
  double alpha_;
  double beta_;
  double slack_;  // relative, for a mistaken value's own rounding
  std::vector<Place> wrong_;
};

}  // namespace

std::string diagnose(const Gemm& problem, const Expected& expected, const Matrix& got,
                     const Matrix* prefill) {
  const Diagnosis diagnosis(problem, expected, got, prefill);
  if (diagnosis.wrong().empty()) return "";
  std::string text = describe_pattern(diagnosis.wrong(), got.rows, got.columns);
  const std::string cause = diagnosis.cause();
  if (!text.empty() && !cause.empty()) text += "; ";
  return text + cause;
}

}  // namespace warpcheck::properties::judge
