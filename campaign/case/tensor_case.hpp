// Cases of the operations of the language, under a contract.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand_layout.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::tensor {

/// See schema.hpp.
[[nodiscard]] std::vector<CaseField> fields(const contract::Contract& contract);
[[nodiscard]] CaseSchema schema(const contract::Contract& contract);

/// The extents of a case; 1 for one that it does not have; the number of an extent that is one.
[[nodiscard]] std::int64_t extent(const Case& problem, std::string_view name);

/// A limit of the elements of an input.
[[nodiscard]] double limit_value(const Case& problem, const operation::Limit& limit);

/// Elements of a row of the tensor, which is contiguous: its last extent; 1 for a tensor without
/// dimensions.
[[nodiscard]] std::int64_t row_length(const Case& problem, const operation::Tensor& tensor);

/// The rows of a matrix of the last two dimensions; 1 for a tensor with fewer.
[[nodiscard]] std::int64_t matrix_rows(const Case& problem, const operation::Tensor& tensor);

/// The strides of a tensor.
struct StrideNames {
  struct One {
    std::string name;
    std::size_t within = 0;  // dimensions within one step: the last ones
    CaseField::Kind kind = CaseField::Kind::leading_dimension;
    bool is_taken = false;  // the kernel takes it
  };

  /// "stride_x" of rows and "batch_stride_x" of matrices; if the kernel takes a numbered one, those
  /// of all dimensions instead: "stride_x_1", "stride_x_0".
  std::vector<One> strides;
  bool numbered = false;
  MemoryOrders orders = {};  // more than one if the kernel takes the numbered ones
};

[[nodiscard]] StrideNames stride_names(const contract::Contract& contract,
                                       const operation::Tensor& tensor);

/// The field of the order of a tensor that may have several.
[[nodiscard]] CaseField order_field(const StrideNames& names, const operation::Tensor& tensor);

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

/// The value of an extent; empty for another name.
[[nodiscard]] std::optional<std::int64_t> extent_named(const contract::Contract& contract,
                                                       const Case& problem, std::string_view name);

/// Throws InputError if a number of the case is none of its field, or if a tensor holds positions
/// along an extent that has none, or numbers of an empty range.
void check_values(const contract::Contract& contract, const Case& problem);

/// See operand_layout.hpp.
[[nodiscard]] std::vector<OperandLayout> operand_layouts(const contract::Contract& contract,
                                                         const Case& problem,
                                                         std::string_view name);

/// The steps of computing all outputs: elements times the lengths of the reductions in them.
[[nodiscard]] double work(const contract::Contract& contract, const Case& problem);

}  // namespace warpcheck::campaign::tensor
