#include "workflows/prove/sufficient_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>

#include "base/process/interruption.hpp"
#include "campaign/case/schema.hpp"
#include "contract/expression/expression.hpp"

namespace warpcheck::workflows::prove {
namespace {

using campaign::CaseField;
using campaign::CaseSchema;
using campaign::OperandShape;
using contract::Variant;
using proof::Property;

/// Conditions of which at most one is chosen, the weakest first.
using Alternatives = std::vector<std::string>;
/// Conditions that are chosen together, and the alternatives of each.
using Family = std::vector<Alternatives>;

constexpr std::size_t kMostQueries = 1500;  // queries of the solver for one variant

std::vector<std::string> names(const CaseSchema& schema, bool is_wanted(const CaseField&)) {
  std::vector<std::string> found;
  for (const CaseField& field : schema.fields) {
    if (field.is_taken && field.is_name && is_wanted(field)) found.push_back(field.name);
  }
  return found;
}

std::vector<std::string> extents(const CaseSchema& schema) {
  return names(schema,
               [](const CaseField& field) { return field.kind == CaseField::Kind::extent; });
}

/// "n % 4 == 0" for each extent and stride.
Family multiples(const CaseSchema& schema) {
  Family family;
  const auto add = [&](const std::vector<std::string>& of, std::initializer_list<int> divisors) {
    for (const std::string& name : of) {
      Alternatives& one = family.emplace_back();
      for (const int divisor : divisors) one.push_back(fmt::format("{} % {} == 0", name, divisor));
    }
  };
  add(names(schema, [](const CaseField& field) { return field.is_stride(); }), {2, 4, 8, 16});
  add(extents(schema), {2, 4, 8, 16, 32, 64, 128, 256});
  return family;
}

/// "aligned(a, 16)" for each operand.
Family alignments(const CaseSchema& schema) {
  Family family;
  for (const OperandShape& operand : schema.operands) {
    if (!operand.is_taken || !operand.offset_field) continue;
    Alternatives& one = family.emplace_back();
    for (const int bytes : {2, 4, 8, 16}) {
      one.push_back(fmt::format("aligned({}, {})", operand.argument, bytes));
    }
  }
  return family;
}

/// "k <= 1024" for each extent.
Family limits(const CaseSchema& schema) {
  Family family;
  for (const std::string& name : extents(schema)) {
    Alternatives& one = family.emplace_back();
    for (int most = 65536; most >= 16; most /= 2)
      one.push_back(fmt::format("{} <= {}", name, most));
  }
  return family;
}

std::string factor_text(const contract::Expression& factor) {
  const std::string& text = factor.text();
  return text.find_first_of(" +-*/%") == std::string::npos ? text : "(" + text + ")";
}

/// "m * lda": the elements of an operand that one stride leads to, or all, if it takes none.
std::vector<std::string> spans(const CaseSchema& schema, const OperandShape& operand) {
  std::vector<std::string> found;
  for (const OperandShape::Stride& stride : operand.strides) {
    if (!stride.field || stride.within >= operand.dimensions.size()) continue;
    const std::size_t dimension = operand.dimensions.size() - stride.within - 1;
    found.push_back(fmt::format("{} * {}", factor_text(operand.dimensions[dimension]),
                                schema.fields[*stride.field].name));
  }
  if (!found.empty()) return found;
  std::string product;
  for (const contract::Expression& dimension : operand.dimensions) {
    product += (product.empty() ? "" : " * ") + factor_text(dimension);
  }
  if (!product.empty()) found.push_back(std::move(product));
  return found;
}

/// "m * lda < 2147483648" for each operand.
Family limits_of_products(const CaseSchema& schema) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 31;
  Family family;
  std::vector<std::string> known;
  for (const OperandShape& operand : schema.operands) {
    if (!operand.is_taken) continue;
    for (const std::string& span : spans(schema, operand)) {
      if (std::ranges::find(known, span) != known.end()) continue;
      known.push_back(span);
      Alternatives& one = family.emplace_back();
      for (const int divisor : {1, 2, 4, 8, 16}) {
        one.push_back(fmt::format("{} < {}", span, kLimit / divisor));
      }
    }
  }
  return family;
}

/// Families that are tried one after the other.
std::vector<Family> families(Property property, const CaseSchema& schema) {
  switch (property) {
    case Property::overflow:
      return {limits_of_products(schema), limits(schema)};
    case Property::alignment: {
      Family family = alignments(schema);
      std::ranges::copy(multiples(schema), std::back_inserter(family));
      return {family};
    }
    case Property::zero_beta:
      return {};
    default:
      return {multiples(schema), limits(schema)};
  }
}

Variant with(const Variant& variant, const std::vector<std::string>& conditions) {
  Variant result = variant;
  contract::Contract& contract = result.contract;
  auto place = contract.requires_.end() - static_cast<std::ptrdiff_t>(contract.implied);
  for (const std::string& text : conditions) {
    place = contract.requires_.insert(place, contract::Expression::parse(text, contract.where)) + 1;
  }
  return result;
}

/// Chooses from one family the weakest conditions with which a property is proved.
class Weakening {
 public:
  Weakening(const Variant& variant, Property property, const Family& family, std::size_t& queries)
      : variant_(variant), property_(property), family_(family), queries_(queries) {
    for (const Alternatives& one : family) levels_.push_back(one.size());
  }

  /// Empty: the property is not proved with the strongest ones.
  std::optional<std::vector<std::string>> run() {
    if (!is_proved()) return std::nullopt;
    for (std::size_t i = 0; i < levels_.size(); ++i) weaken(i);
    return conditions();
  }

 private:
  /// Level 0 is no condition, level i the i-th alternative.
  [[nodiscard]] std::vector<std::string> conditions() const {
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (levels_[i] > 0) chosen.push_back(family_[i][levels_[i] - 1]);
    }
    return chosen;
  }

  bool is_proved() {
    if (is_interrupted() || queries_ > kMostQueries) return false;
    const proof::Proof proof = proof::prove(with(variant_, conditions()),
                                            {.search_witnesses = false, .only = {property_}});
    queries_ += proof.queries;
    return proof.properties.front().is_proved;
  }

  void weaken(std::size_t i) {
    const std::size_t strongest = levels_[i];
    for (levels_[i] = 0; levels_[i] < strongest; ++levels_[i]) {
      if (is_proved()) return;
    }
    levels_[i] = strongest;
  }

  const Variant& variant_;
  Property property_;
  const Family& family_;
  std::vector<std::size_t> levels_;
  std::size_t& queries_;
};

}  // namespace

void find_sufficient_conditions(const Variant& variant, proof::Proof& proof) {
  const CaseSchema schema = campaign::case_schema(variant.contract);
  std::size_t queries = 0;
  std::vector<std::string> all;  // conditions of earlier properties, on which later ones depend
  for (proof::PropertyProof& open : proof.properties) {
    if (open.is_proved) continue;
    const Variant assumed = with(variant, all);
    for (const Family& family : families(open.property, schema)) {
      const auto found = Weakening(assumed, open.property, family, queries).run();
      if (!found) continue;
      std::ranges::copy(*found, std::back_inserter(all));
      open.sufficient = all;
      break;
    }
  }
}

}  // namespace warpcheck::workflows::prove
