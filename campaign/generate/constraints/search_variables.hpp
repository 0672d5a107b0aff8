// The variables of the search for a case.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "campaign/case/case.hpp"

namespace warpcheck::campaign::generate {

/// A numeric field of a case.
struct SearchVariable {
  enum class Kind : std::uint8_t {
    extent,
    leading_dimension,
    batch_stride,
    batch,
    offset,
    transposition,
    factor
  };
  using Member = std::variant<std::int64_t Case::*, bool Case::*, double Case::*>;

  std::string_view name;
  Member member;
  Kind kind;

  [[nodiscard]] std::int64_t get(const Case& problem) const;
  void set(Case& problem, std::int64_t value) const;

  /// Transpositions and extents are bound before leading dimensions, which depend on them, and
  /// these before strides.
  static constexpr int kPhases = 4;
  [[nodiscard]] int phase() const {
    if (kind == Kind::transposition) return 0;
    if (kind == Kind::extent) return 1;
    return kind == Kind::batch_stride ? 3 : 2;
  }
};

/// The search breaks ties in this order.
inline constexpr std::array<SearchVariable, 18> kSearchVariables = {{
    {"m", &Case::m, SearchVariable::Kind::extent},
    {"n", &Case::n, SearchVariable::Kind::extent},
    {"k", &Case::k, SearchVariable::Kind::extent},
    {"lda", &Case::lda, SearchVariable::Kind::leading_dimension},
    {"ldb", &Case::ldb, SearchVariable::Kind::leading_dimension},
    {"ldc", &Case::ldc, SearchVariable::Kind::leading_dimension},
    {"stride_a", &Case::stride_a, SearchVariable::Kind::batch_stride},
    {"stride_b", &Case::stride_b, SearchVariable::Kind::batch_stride},
    {"stride_c", &Case::stride_c, SearchVariable::Kind::batch_stride},
    {"batch", &Case::batch, SearchVariable::Kind::batch},
    {"off_a", &Case::off_a, SearchVariable::Kind::offset},
    {"off_b", &Case::off_b, SearchVariable::Kind::offset},
    {"off_c", &Case::off_c, SearchVariable::Kind::offset},
    {"off_bias", &Case::off_bias, SearchVariable::Kind::offset},
    {"ta", &Case::ta, SearchVariable::Kind::transposition},
    {"tb", &Case::tb, SearchVariable::Kind::transposition},
    {"alpha", &Case::alpha, SearchVariable::Kind::factor},
    {"beta", &Case::beta, SearchVariable::Kind::factor},
}};

/// Returns the index of a field in kSearchVariables.
[[nodiscard]] std::size_t variable_of(SearchVariable::Member member);

}  // namespace warpcheck::campaign::generate
