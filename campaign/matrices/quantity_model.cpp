#include "campaign/conditions/quantity_model.hpp"

#include <string_view>

#include "base/scalar_type.hpp"
#include "campaign/case/operand.hpp"

namespace warpcheck::campaign::conditions {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Of = Quantity::Kind;

Quantity integer(Of kind, std::string_view name, std::int64_t Case::*member) {
  Quantity quantity;
  quantity.kind = kind;
  quantity.name = name;
  quantity.integer = member;
  return quantity;
}

void add_offset(const Contract& contract, Operand operand, std::vector<Quantity>& all) {
  const OperandFields& of = fields(operand);
  if (!contract.takes(of.address)) return;
  Quantity offset = integer(Of::offset, contract::name(of.address), of.offset);
  offset.element_bytes = static_cast<std::int64_t>(size_of(contract.*of.type));
  for (const Quantity& other : all) {
    if (other.integer == offset.integer) return;  // D's offset is that of C
  }
  all.push_back(offset);
}

class MatrixQuantityModel final : public QuantityModel {
 public:
  std::vector<Quantity> of_contract(const Contract& contract) const override {
    std::vector<Quantity> all = {integer(Of::extent, "m", &Case::m),
                                 integer(Of::extent, "n", &Case::n),
                                 integer(Of::extent, "k", &Case::k)};
    for (const StrideField& stride : stride_fields(contract)) {
      if (!stride.taken_by(contract)) continue;
      all.push_back(integer(Of::stride, contract::name(stride.word), stride.field));
    }
    for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::d, Operand::bias}) {
      add_offset(contract, operand, all);
    }
    if (contract.takes(ArgumentWord::batch)) {
      all.push_back(integer(Of::batch, "batch", &Case::batch));
    }
    const auto add_if_taken = [&](ArgumentWord word, Of kind, auto field, auto member) {
      if (!contract.takes(word)) return;
      Quantity quantity;
      quantity.kind = kind;
      quantity.name = contract::name(word);
      quantity.*field = member;
      all.push_back(quantity);
    };
    add_if_taken(ArgumentWord::ta, Of::flag, &Quantity::flag, &Case::ta);
    add_if_taken(ArgumentWord::tb, Of::flag, &Quantity::flag, &Case::tb);
    add_if_taken(ArgumentWord::alpha, Of::factor, &Quantity::factor, &Case::alpha);
    add_if_taken(ArgumentWord::beta, Of::factor, &Quantity::factor, &Case::beta);
    return all;
  }

  /// Sizes, transpositions, factors, paddings and base offsets.
  std::vector<Quantity> of_cases(const std::vector<Case>&) const override {
    std::vector<Quantity> all = {
        integer(Of::extent, "m", &Case::m), integer(Of::extent, "n", &Case::n),
        integer(Of::extent, "k", &Case::k), integer(Of::batch, "batch", &Case::batch)};
    all.push_back({Of::flag, "ta", nullptr, &Case::ta, nullptr, 1});
    all.push_back({Of::flag, "tb", nullptr, &Case::tb, nullptr, 1});
    all.push_back({Of::factor, "alpha", nullptr, nullptr, &Case::alpha, 1});
    all.push_back({Of::factor, "beta", nullptr, nullptr, &Case::beta, 1});
    for (const Operand matrix : {Operand::a, Operand::b, Operand::c}) {
      const OperandFields& of = fields(matrix);
      for (const StrideField& stride : {of.leading_dimension, of.batch_stride}) {
        all.push_back(integer(Of::padding, stride.name, stride.field));
      }
    }
    all.push_back(integer(Of::base_offset, "off_a", &Case::off_a));
    all.push_back(integer(Of::base_offset, "off_b", &Case::off_b));
    all.push_back(integer(Of::base_offset, "off_c", &Case::off_c));
    return all;
  }
};

}  // namespace

const QuantityModel& QuantityModel::of_matrices() {
  static const MatrixQuantityModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::conditions
