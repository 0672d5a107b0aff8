// The variables of the search for a case, and the names of `requires` that depend on them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "contract/contract.hpp"
#include "properties/case/case.hpp"

namespace warpcheck::properties::generate {

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

  /// Extents are bound before leading dimensions, which depend on them, and these before strides.
  [[nodiscard]] int phase() const {
    if (kind == Kind::extent || kind == Kind::transposition) return 0;
    return kind == Kind::batch_stride ? 2 : 1;
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

/// Returns the variables on which the value of a name of the contract's expressions depends. The
/// name of an alignment is "aligned:a".
[[nodiscard]] std::set<std::size_t> variables_of(const contract::Contract& contract,
                                                 const std::string& name);

}  // namespace warpcheck::properties::generate
