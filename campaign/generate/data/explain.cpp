// Decodes the index codes of a onehot case from an element of D.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "campaign/generate/data/data.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

/// Returns the index below `extent` with the given low bits that is nearest to `near`.
std::optional<std::int64_t> nearest(std::int64_t low_bits, int bits, std::int64_t near,
                                    std::int64_t extent) {
  const std::int64_t period = std::int64_t{1} << bits;
  std::int64_t index = near - near % period + low_bits;
  if (index - near > period / 2) index -= period;
  if (near - index > period / 2) index += period;
  if (index < 0) index += period;
  if (index >= extent) index -= period;
  if (index < 0 || index >= extent) return std::nullopt;
  return index;
}

}  // namespace

std::string Data::explain(std::int64_t row, std::int64_t column, double got) const {
  if (recipe_ != Recipe::onehot || product_.k == 0 || !std::isfinite(got)) return "";
  const double alpha = reference::round_to(types_.accumulate, product_.alpha);
  const double beta = reference::round_to(types_.accumulate, product_.beta);
  if (alpha == 0.0) return "";
  const std::string place = fmt::format("C[{}, {}]", row, column);

  const bool hot_a = (seed_ & 1) == 0;
  const std::int64_t inner = hot_a ? hot(row) : hot(column);
  const double right = hot_a ? code(inner, column) : code(row, inner);
  const double c = beta == 0.0 ? 0.0 : beta * element(Operand::c, row, column);
  const double found = (got - c) / alpha;
  if (found == right) return "";
  if (found == 0.0) {
    return fmt::format("{} lacks A[{}, {}] * B[{}, {}]: the term k = {} was left out", place, row,
                       inner, inner, column, inner);
  }
  if (found == 2.0 * right) {
    return fmt::format("{} holds A[{}, {}] * B[{}, {}] twice: the term k = {} was counted again",
                       place, row, inner, inner, column, inner);
  }
  const double codes = std::ldexp(1.0, 2 * ranges_.code_bits);
  if (found != std::trunc(found) || found < 1.0 || found > codes) return "";

  const auto index = static_cast<std::int64_t>(found) - 1;
  const std::int64_t mask = (std::int64_t{1} << ranges_.code_bits) - 1;
  const std::int64_t high = index >> ranges_.code_bits;
  const std::int64_t low = index & mask;
  if (hot_a) {
    const auto k = nearest(high, ranges_.code_bits, inner, product_.k);
    const auto j = nearest(low, ranges_.code_bits, column, product_.n);
    if (!k || !j) return "";
    if (*k == inner) {
      return fmt::format("{} holds A[{}, {}] * B[{}, {}]: column {} of B was read for column {}",
                         place, row, inner, inner, *j, *j, column);
    }
    return fmt::format("{} holds B[{}, {}] where B[{}, {}] belongs: {}", place, *k, *j, inner,
                       column, misread("row", *k, inner, row, "B", "A", product_.m));
  }
  const auto i = nearest(high, ranges_.code_bits, row, product_.m);
  const auto k = nearest(low, ranges_.code_bits, inner, product_.k);
  if (!i || !k) return "";
  if (*k == inner) {
    return fmt::format("{} holds A[{}, {}] * B[{}, {}]: row {} of A was read for row {}", place, *i,
                       inner, inner, column, *i, row);
  }
  return fmt::format("{} holds A[{}, {}] where A[{}, {}] belongs: {}", place, *i, *k, row, inner,
                     misread("column", *k, inner, column, "A", "B", product_.n));
}

std::string Data::misread(std::string_view line, std::int64_t found, std::int64_t inner,
                          std::int64_t own, std::string_view coded, std::string_view hot_matrix,
                          std::int64_t lines) const {
  std::string text = fmt::format("{} {} of {} was read for {} {}", line, found, coded, line, inner);
  for (std::int64_t distance = 1; distance < lines; ++distance) {
    for (const std::int64_t other : {own - distance, own + distance}) {
      if (other >= 0 && other < lines && hot(other) == found) {
        return text + fmt::format(", or {} {} of {} for {} {}", line, other, hot_matrix, line, own);
      }
    }
  }
  return text;
}

}  // namespace warpcheck::campaign::generate
