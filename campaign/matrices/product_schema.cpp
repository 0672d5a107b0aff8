#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "campaign/case/product.hpp"

namespace warpcheck::campaign::product {
namespace {

using contract::Contract;
using contract::Expression;

/// Factors have few bits if the sums are to be exact.
void set_usual_values(const Contract& contract, CaseField& factor) {
  const double usual = factor.default_number;
  factor.exact_values = {usual, usual, usual, usual, usual, 0.0, 1.0, 1.0, -1.0, 2.0, -3.0};
  factor.rounded_values = factor.exact_values;
  if (contract.accumulate == ScalarType::s32) return;
  factor.exact_values.insert(factor.exact_values.end(), {0.5, 1.5});
  factor.rounded_values.erase(factor.rounded_values.end() - 2, factor.rounded_values.end());
  factor.rounded_values.insert(factor.rounded_values.end(), {0.7, -1.3, 3.0});
}

/// Returns each recipe as often as its weight demands.
std::vector<Recipe> repeated(std::initializer_list<std::pair<std::size_t, Recipe>> weighted) {
  std::vector<Recipe> all;
  for (const auto& [weight, recipe] : weighted) all.insert(all.end(), weight, recipe);
  return all;
}

/// Masks, which make rows of D NaN, and large numbers show no more of a product than special and
/// wide data. Atomic additions flush subnormal numbers.
void add_recipes(const Contract& contract, CaseSchema& schema) {
  schema.structures = {Recipe::zeros, Recipe::equal, Recipe::negative, Recipe::dominant,
                       Recipe::ordered};
  schema.recipes = {Recipe::lattice, Recipe::cancellation, Recipe::spikes, Recipe::onehot};
  schema.usual_recipes = repeated(
      {{2, Recipe::lattice}, {1, Recipe::cancellation}, {1, Recipe::spikes}, {1, Recipe::onehot}});
  if (is_integer(contract.type_a)) return;
  schema.recipes.insert(schema.recipes.end(), {Recipe::normal, Recipe::wide, Recipe::special});
  schema.usual_recipes = repeated({{7, Recipe::lattice},
                                   {4, Recipe::normal},
                                   {2, Recipe::wide},
                                   {2, Recipe::cancellation},
                                   {2, Recipe::spikes},
                                   {2, Recipe::onehot},
                                   {1, Recipe::special}});
}

}  // namespace

void describe(const Contract& contract, CaseSchema& schema) {
  for (CaseField& field : schema.fields) {
    if (field.kind == CaseField::Kind::factor) set_usual_values(contract, field);
  }
  const auto expression = [&](const std::string& text) {
    return Expression::parse(text, contract.where);
  };
  schema.elements =
      expression("batch * (max(m, 1) * max(n, 1) + max(k, 1) * (max(m, 1) + max(n, 1)))");
  add_recipes(contract, schema);
  schema.name_of_outputs = "D";
  schema.counted_operands = "A, B and C";
  schema.has_thread_axes = true;
  schema.work = expression("batch * max(m, 1) * max(n, 1) * max(k, 1)");
  // Multiply-adds of the matrices, if one lane of a warp is active; and of whole tiles, which all
  // lanes compute. Tiles may exceed m and n by 128 elements, and k by 32.
  schema.most_instructions =
      expression("4194304 + batch * (16 * m * n * k + 2 * (m + 128) * (n + 128) * (k + 32))");
  schema.works_in_tiles = true;
  schema.default_workspace_bytes = expression(
      fmt::format("m * n * batch * {}",
                  contract.split_k * static_cast<std::int64_t>(size_of(contract.accumulate))));
}

}  // namespace warpcheck::campaign::product
