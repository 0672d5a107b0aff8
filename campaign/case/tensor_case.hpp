// Cases of the operations of the language, under a contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::tensor {

/// The extents of a case; 1 for one that it does not have; the number of an extent that is one.
[[nodiscard]] std::int64_t extent(const Case& problem, std::string_view name);

/// A limit of the elements of an input.
[[nodiscard]] double limit_value(const Case& problem, const operation::Limit& limit);

/// True if an extent of the tensor is 0.
[[nodiscard]] bool has_no_element(const Case& problem, const operation::Tensor& tensor);

/// The extent along which the integers of the tensor are positions: x[at[i], j] uses those of `at`
/// along the first extent of x. Empty: they are no positions.
[[nodiscard]] std::optional<std::string> indexed_extent(const contract::TypedOperation& operation,
                                                        const operation::Tensor& tensor);

/// The elements of an input of distinct integers that differ from one another, and the integers of
/// its range.
struct DistinctCount {
  std::int64_t elements = 0;
  std::int64_t integers = 0;
};

/// Empty for an input whose integers may be equal.
[[nodiscard]] std::optional<DistinctCount> distinct_count(const Case& problem,
                                                          const operation::Tensor& tensor);

/// See operation_cases.hpp.
void describe(const contract::Contract& contract, CaseSchema& schema);

/// Throws InputError if a number of the case is none of its field, or if a tensor holds positions
/// along an extent that has none, or numbers of an empty range.
void check_values(const contract::Contract& contract, const Case& problem);

}  // namespace warpcheck::campaign::tensor
