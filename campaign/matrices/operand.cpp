#include <algorithm>
#include <array>

#include "campaign/case/operand_fields.hpp"
#include "campaign/case/product.hpp"

namespace warpcheck::campaign {
namespace {

using contract::ArgumentWord;
using contract::Contract;

struct Stride {
  std::string_view field;
  FieldKind kind = FieldKind::leading_dimension;
  ArgumentWord word = ArgumentWord::lda;  // the stride is tight unless the kernel takes it
};

/// The fields and the members of a contract that describe one operand. D has the fields of C.
struct Row {
  std::string_view name;
  ArgumentWord word;
  ScalarType Contract::*type;
  std::string_view offset;

  // Matrices only. A bias is a vector of n elements.
  contract::Layout Contract::*layout = nullptr;
  std::string_view rows = {};
  std::string_view columns = {};
  std::array<Stride, 2> strides = {};
  std::optional<ArgumentWord> transposition = {};  // A and B only; its field has its name
  std::string_view size_field = {};
};

constexpr std::array<Stride, 2> strides(std::string_view leading, ArgumentWord word,
                                        std::string_view batch, ArgumentWord word_of_batch) {
  return {{{leading, FieldKind::leading_dimension, word},
           {batch, FieldKind::batch_stride, word_of_batch}}};
}

// THE table of the operands.
constexpr std::array<Row, 5> kRows = {{
    {"A", ArgumentWord::a, &Contract::type_a, "off_a", &Contract::layout_a, "m", "k",
     strides("lda", ArgumentWord::lda, "stride_a", ArgumentWord::stride_a), ArgumentWord::ta, "m"},
    {"B", ArgumentWord::b, &Contract::type_b, "off_b", &Contract::layout_b, "k", "n",
     strides("ldb", ArgumentWord::ldb, "stride_b", ArgumentWord::stride_b), ArgumentWord::tb, "n"},
    {"C",
     ArgumentWord::c,
     &Contract::type_c,
     "off_c",
     &Contract::layout_c,
     "m",
     "n",
     strides("ldc", ArgumentWord::ldc, "stride_c", ArgumentWord::stride_c),
     {},
     "m"},
    {"D",
     ArgumentWord::d,
     &Contract::type_c,
     "off_c",
     &Contract::layout_c,
     "m",
     "n",
     strides("ldc", ArgumentWord::ldd, "stride_c", ArgumentWord::stride_d),
     {},
     "m"},
    {"bias", ArgumentWord::bias, &Contract::type_c, "off_bias"},
}};

bool is_about(const Row& row, std::string_view name) {
  if (name.empty() || name == contract::name(row.word)) return true;
  return row.layout != nullptr &&
         std::any_of(row.strides.begin(), row.strides.end(), [&](const Stride& stride) {
           return name == stride.field || name == contract::name(stride.word);
         });
}

void add_matrix(const Contract& contract, const Row& row, OperandFields& made) {
  made.shape = {std::string(row.rows), std::string(row.columns)};
  if (contract.takes(ArgumentWord::batch)) made.shape.insert(made.shape.begin(), "batch");
  made.layout = contract.*row.layout;
  if (row.transposition && contract.takes(*row.transposition)) {
    made.transposition = contract::name(*row.transposition);
  }
  for (const Stride& stride : row.strides) {
    made.strides.push_back({std::string(contract::name(stride.word)), std::string(stride.field),
                            stride.kind, made.strides.size() + 1, contract.takes(stride.word)});
  }
}

}  // namespace

std::vector<OperandFields> product::operands(const Contract& contract, std::string_view name) {
  const ArgumentWord output = contract.takes(ArgumentWord::d) ? ArgumentWord::d : ArgumentWord::c;
  std::vector<OperandFields> all;
  all.reserve(kRows.size());
  for (const Row& row : kRows) {
    if (!is_about(row, name)) continue;
    OperandFields& made = all.emplace_back();
    made.name = row.name;
    made.argument = contract::name(row.word);
    made.type = contract.*row.type;
    made.offset = row.offset;
    made.size_field = row.size_field;
    made.is_taken = contract.takes(row.word);
    made.is_output = row.word == output;
    if (row.layout == nullptr) {
      made.shape = {"n"};
    } else {
      add_matrix(contract, row, made);
    }
  }
  return all;
}

std::string_view operand_name(ArgumentWord word) {
  return std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.word == word; })
      ->name;
}

}  // namespace warpcheck::campaign
