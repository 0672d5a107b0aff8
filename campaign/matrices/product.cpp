#include "campaign/case/product.hpp"

#include <algorithm>
#include <utility>

#include "campaign/case/operand.hpp"

namespace warpcheck::campaign {

namespace {

std::vector<CaseField> made_fields() {
  using Kind = CaseField::Kind;
  std::vector<CaseField> all;
  all.emplace_back("m", Kind::extent, true, &Case::m);
  all.emplace_back("n", Kind::extent, true, &Case::n);
  all.emplace_back("k", Kind::extent, true, &Case::k);
  all.back().is_reduced = true;
  all.back().has_zero = true;
  for (const auto& [stride, kind] :
       {std::pair(&OperandFields::leading_dimension, Kind::leading_dimension),
        std::pair(&OperandFields::batch_stride, Kind::batch_stride)}) {
    for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
      const StrideField& field = fields(operand).*stride;
      all.emplace_back(std::string(field.name), kind, true, field.field);
    }
  }
  all.emplace_back("batch", Kind::batch, true, &Case::batch);
  all.emplace_back("off_a", Kind::offset, true, &Case::off_a);
  all.emplace_back("off_b", Kind::offset, true, &Case::off_b);
  all.emplace_back("off_c", Kind::offset, true, &Case::off_c);
  all.emplace_back("off_bias", Kind::offset, true, &Case::off_bias);
  all.emplace_back("ta", Kind::transposition, true, &Case::ta);
  all.emplace_back("tb", Kind::transposition, true, &Case::tb);
  all.emplace_back("alpha", Kind::factor, true, &Case::alpha);
  all.emplace_back("beta", Kind::factor, true, &Case::beta);
  for (CaseField& field : all) field.has_zero = field.has_zero || field.kind == Kind::factor;
  return all;
}

}  // namespace

bool is_product(const Case& problem) { return problem.operation.empty(); }

bool is_product(const contract::Contract& contract) { return contract.tensors == nullptr; }

const std::vector<CaseField>& fields_of_product() {
  static const std::vector<CaseField> kFields = made_fields();
  return kFields;
}

std::string_view operand_name(contract::ArgumentWord word) {
  const auto found = std::find_if(kOperands.begin(), kOperands.end(),
                                  [&](Operand operand) { return fields(operand).address == word; });
  return fields(*found).name;
}

bool integers_show_every_error(const Case& problem) { return is_product(problem); }

bool overwrites_output(const Case& problem) { return is_product(problem) && problem.beta == 0.0; }

bool keeps_output_without_terms(const Case& problem) {
  return is_product(problem) && problem.beta == 1.0;
}

bool product_shows_terms(const Case& problem) {
  return problem.k > 0 && problem.alpha != 0.0 && problem.data != Recipe::onehot;
}

bool launches_nothing(const Case& problem) {
  return is_product(problem) && (problem.m == 0 || problem.n == 0);
}

bool has_one_term(const Case& problem) { return is_product(problem) && problem.k == 1; }

}  // namespace warpcheck::campaign
