#include "properties/generate/int32_overflow_strides.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Layout;
using Field = std::int64_t Case::*;

constexpr std::int64_t kTooFar = std::int64_t{1} << 31;  // for an int
constexpr auto kMostBytes = static_cast<std::int64_t>(device::kMostBufferBytes);
constexpr std::int64_t kMostFarBlocks = 4096;  // along an axis
constexpr std::int64_t kMostWorkspaceBytes = std::int64_t{1} << 24;

struct Matrix {
  ArgumentWord leading_word;
  ArgumentWord stride_word;
  Field rows;
  Field columns;
  Field leading;
  ScalarType Contract::*type;
};

constexpr std::array<Matrix, 4> kMatrices = {
    {{ArgumentWord::lda, ArgumentWord::stride_a, &Case::m, &Case::k, &Case::lda, &Contract::type_a},
     {ArgumentWord::ldb, ArgumentWord::stride_b, &Case::k, &Case::n, &Case::ldb, &Contract::type_b},
     {ArgumentWord::ldc, ArgumentWord::stride_c, &Case::m, &Case::n, &Case::ldc, &Contract::type_c},
     {ArgumentWord::ldd, ArgumentWord::stride_d, &Case::m, &Case::n, &Case::ldc,
      &Contract::type_c}}};

/// Whether neither the launches nor the workspaces grow with the leading dimension.
bool is_small(const Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  const auto at_most = [&](const contract::Expression& expression, std::int64_t most) {
    return expression.evaluate(names).value_or(most + 1) <= most;
  };
  for (const contract::LaunchStep& step : contract.launches) {
    for (const contract::Expression& axis : step.grid) {
      if (!at_most(axis, kMostFarBlocks)) return false;
    }
  }
  return std::all_of(contract.workspaces.begin(), contract.workspaces.end(),
                     [&](const contract::Workspace& workspace) {
                       return !workspace.bytes || at_most(*workspace.bytes, kMostWorkspaceBytes);
                     });
}

}  // namespace

std::vector<ArgumentWord> far_words(const Contract& contract) {
  std::vector<ArgumentWord> words;
  for (const Matrix& matrix : kMatrices) {
    const bool known =
        matrix.leading_word == ArgumentWord::ldd && contract.takes(ArgumentWord::ldc);
    if (contract.takes(matrix.leading_word) && !contract.takes(matrix.stride_word) && !known) {
      words.push_back(matrix.leading_word);
    }
  }
  return words;
}

std::optional<Case> int32_overflow_strides(const Contract& contract, const Solver& solver,
                                           ArgumentWord word, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::int64_t count) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
  };
  const Matrix& matrix = *std::find_if(kMatrices.begin(), kMatrices.end(),
                                       [&](const Matrix& one) { return one.leading_word == word; });
  Case wish;
  wish.variant = contract.name;
  wish.seed = seed % 1'000'000;
  for (const Field extent : {&Case::m, &Case::n, &Case::k}) wish.*extent = 2 + below(5);
  wish.ta = below(2) != 0 && contract.takes(ArgumentWord::ta);
  wish.tb = below(2) != 0 && contract.takes(ArgumentWord::tb);
  if (contract.takes(ArgumentWord::beta)) wish.beta = static_cast<double>(below(2));
  const Field line_count =
      layout_of(contract, wish, word) == Layout::row ? matrix.rows : matrix.columns;
  wish.*line_count = 2 + below(3);
  if (violated(contract, wish)) {
    auto nearest = solver.nearest(wish);
    if (!nearest) return std::nullopt;
    wish = std::move(*nearest);
  }

  const std::int64_t lines = wish.*line_count;
  const std::int64_t length = tight_dimension(contract, wish, word);
  if (lines < 2 || length < 1) return std::nullopt;
  const std::int64_t least = (kTooFar - length) / (lines - 1) + 1;
  const std::int64_t span = below(3) == 0 ? kTooFar - least : std::min(kTooFar - least, length + 1);
  if (span < 1) return std::nullopt;
  const std::int64_t leading = least + below(span);
  for (const std::int64_t candidate : {leading, (leading + 31) / 32 * 32}) {
    if (candidate >= kTooFar || candidate < length) continue;
    wish.*matrix.leading = candidate;
    const auto element = static_cast<std::int64_t>(size_of(contract.*matrix.type));
    if (!violated(contract, wish) && is_small(contract, wish) &&
        (lines - 1) * candidate + length <= kMostBytes / element) {
      return wish;
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties::generate
