#include <fmt/format.h>

#include <algorithm>

#include "campaign/case/errors.hpp"
#include "campaign/case/operation_cases.hpp"
#include "campaign/case/product.hpp"

namespace warpcheck::campaign::product {
namespace {

using contract::ArgumentWord;
using contract::Contract;

/// The limit also holds for empty products, which take no memory: each is generated and compared.
constexpr std::int64_t kMostProducts = std::int64_t{1} << 20;

/// Throws InputError if the batch has no product, or too many.
void check_batch(const Contract& /*contract*/, const Case& problem) {
  const std::int64_t batch = problem.whole("batch");
  if (batch < 1) throw case_error(problem, "batch", "batch=0: expected 1 or more");
  if (batch > kMostProducts) {
    throw case_error(problem, "batch",
                     fmt::format("batch={}: the limit is {}", batch, kMostProducts));
  }
}

std::optional<LineField> named_field(const Contract& /*contract*/, std::string_view name) {
  const auto* const field = std::find_if(kProductFields.begin(), kProductFields.end(),
                                         [&](const LineField& one) { return one.name == name; });
  if (field == kProductFields.end() || is_stride(field->kind) || field->kind == FieldKind::offset) {
    return std::nullopt;
  }
  return *field;
}

bool is_taken(const Contract& contract, const std::vector<OperandFields>& operands,
              const LineField& field) {
  for (const ArgumentWord word : {ArgumentWord::batch, ArgumentWord::ta, ArgumentWord::tb,
                                  ArgumentWord::alpha, ArgumentWord::beta}) {
    if (contract::name(word) == field.name) return contract.takes(word);
  }
  if (field.kind == FieldKind::extent) return true;
  // C and D share their fields.
  return std::any_of(operands.begin(), operands.end(), [&](const OperandFields& operand) {
    if (field.kind == FieldKind::offset) return operand.is_taken && operand.offset == field.name;
    return std::any_of(operand.strides.begin(), operand.strides.end(), [&](const auto& stride) {
      return stride.is_taken && stride.field == field.name;
    });
  });
}

/// Returns the fields as searches break ties.
std::vector<LineField> in_order_of_kinds() {
  std::vector<LineField> fields(kProductFields.begin(), kProductFields.end());
  std::stable_sort(fields.begin(), fields.end(), [](const LineField& one, const LineField& other) {
    return one.kind < other.kind;
  });
  return fields;
}

std::vector<CaseField> fields(const Contract& contract,
                              const std::vector<OperandFields>& operands) {
  static const std::vector<LineField> kFields = in_order_of_kinds();
  std::vector<CaseField> all;
  all.reserve(kFields.size());
  for (const LineField& field : kFields) {
    CaseField& made = all.emplace_back(field, is_taken(contract, operands, field));
    made.is_reduced = field.name == "k";
    made.has_zero = made.is_reduced || field.kind == FieldKind::factor;
  }
  return all;
}

}  // namespace

const OperationCases kCases = {operands, fields, describe, named_field, check_batch};

}  // namespace warpcheck::campaign::product
