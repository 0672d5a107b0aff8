// The trait of the product of matrices, D <- alpha A B + beta C + bias: what its cases have beyond
// those of the other operations. No case of another operation has one of these properties.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand_fields.hpp"
#include "campaign/case/schema.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

// THE table of the fields of a product, in the order of the case line.
inline constexpr std::array<LineField, 18> kProductFields = {{
    {"m", FieldKind::extent},
    {"n", FieldKind::extent},
    {"k", FieldKind::extent},
    {"ta", FieldKind::transposition},
    {"tb", FieldKind::transposition},
    {"batch", FieldKind::batch},
    {"lda", FieldKind::leading_dimension},
    {"ldb", FieldKind::leading_dimension},
    {"ldc", FieldKind::leading_dimension},
    {"stride_a", FieldKind::batch_stride},
    {"stride_b", FieldKind::batch_stride},
    {"stride_c", FieldKind::batch_stride},
    {"off_a", FieldKind::offset},
    {"off_b", FieldKind::offset},
    {"off_c", FieldKind::offset},
    {"off_bias", FieldKind::offset},
    {"alpha", FieldKind::factor},
    {"beta", FieldKind::factor, 0.0},
}};

/// The numbers of a product: A is m x k, B is k x n, C is m x n and bias is 1 x n, in elements. A
/// batch consists of `batch` such products with matrices at constant strides. A transposed operand
/// is stored with rows and columns exchanged.
struct Product {
  explicit Product(const Case& problem);

  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  bool ta;
  bool tb;
  std::int64_t batch;
  double alpha;
  double beta;
};

/// Returns the table of the fields of an operation. It is empty for one of the language, whose
/// fields have names from which their kinds follow.
[[nodiscard]] std::span<const LineField> known_fields(std::string_view operation);

[[nodiscard]] bool is_product(const Case& problem);
[[nodiscard]] bool is_product(const contract::Contract& contract);

/// Returns true if a contract defines the operation: it is one of the language.
[[nodiscard]] bool has_definition(const Case& problem);
[[nodiscard]] bool has_definition(const contract::Contract& contract);

/// Returns the name of the operand that an argument is: "A".
[[nodiscard]] std::string_view operand_name(contract::ArgumentWord word);

/// Returns true if no wrong element is right by chance where the operands are small integers. The
/// mean of a row of integers may be 0, so that a wrong variance does not show.
[[nodiscard]] bool integers_show_every_error(const Case& problem);

/// Returns true if D holds poison before the launch: beta is 0. An output that updates an input
/// holds its values.
[[nodiscard]] bool overwrites_output(const Case& problem);

/// Returns true if a result without terms is what the output held before the launch: beta is 1.
[[nodiscard]] bool keeps_output_without_terms(const Case& problem);

/// Returns true if the data of a product can expose the loss of a single term. One-hot operands
/// expose which elements are read, but the loss of few terms.
[[nodiscard]] bool product_shows_terms(const Case& problem);

/// Returns true if nothing is launched for the case, whatever the contract: D has no element.
/// Launches of another operation that have threads are run, even if no output has an element.
[[nodiscard]] bool launches_nothing(const Case& problem);

/// Returns true if each sum has one term, so that a mistake of one term is one of all.
[[nodiscard]] bool has_one_term(const Case& problem);

}  // namespace warpcheck::campaign

namespace warpcheck::campaign::product {

/// See operation_cases.hpp.
[[nodiscard]] std::vector<OperandFields> operands(const contract::Contract& contract,
                                                  std::string_view name);
void describe(const contract::Contract& contract, CaseSchema& schema);

}  // namespace warpcheck::campaign::product
