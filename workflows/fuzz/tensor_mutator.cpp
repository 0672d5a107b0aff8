#include "workflows/fuzz/tensor_mutator.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using campaign::Case;
using campaign::generate::Rng;
using operation::Tensor;

constexpr std::int64_t kMostExtent = 1 << 15;
constexpr std::int64_t kWarp = 32;
constexpr int kLeastBudgetBits = 12;  // steps of the operation
constexpr int kMostBudgetBits = 20;

const std::vector<std::string>& extents_of(const contract::Contract& contract) {
  return contract.tensors->operation.extents;
}

}  // namespace

TensorMutator::TensorMutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                             std::vector<std::string> properties)
    : contract_(contract),
      domain_(contract),
      solver_(campaign::generate::limited_solver(contract)),
      properties_(std::move(properties)) {
  std::set<std::int64_t> sizes(literals.begin(), literals.end());
  sizes.insert(domain_.landmarks().begin(), domain_.landmarks().end());
  sizes.insert(kWarp);
  sizes_.assign(sizes.begin(), sizes.end());
}

std::optional<Case> TensorMutator::mutated(const Case& parent, const Case& donor,
                                           Rng& random) const {
  Case problem = parent;
  do {
    change(problem, donor, random);
  } while (!random.one_in(2));
  // Each mutant has a budget of its own, so that most are cheap and some may be dear.
  const auto bits = random.between(kLeastBudgetBits, kMostBudgetBits);
  return inside(std::move(problem), static_cast<double>(std::uint64_t{1} << bits));
}

std::vector<Case> TensorMutator::neighbours(const Case& parent) const {
  std::vector<Case> found;
  for (const std::string& extent : extents_of(contract_)) {
    const std::int64_t size = campaign::tensor::extent(parent, extent);
    std::vector<std::int64_t> values = sizes_;
    values.insert(values.end(), {size - 1, size + 1});
    for (const std::int64_t value : values) {
      Case target = parent;
      if (!properties_.empty()) target.property = properties_.front();
      target.set_value(extent, static_cast<double>(std::max<std::int64_t>(value, 1)));
      auto problem = inside(std::move(target), static_cast<double>(1 << kMostBudgetBits));
      if (problem && *problem != parent) found.push_back(std::move(*problem));
    }
  }
  return found;
}

void TensorMutator::change(Case& problem, const Case& donor, Rng& random) const {
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return change_extent(problem, random);
    case 4:
      return change_stride(problem, random);
    case 5:
      return change_offset(problem, random);
    case 6:
      return change_scalar(problem, random);
    case 7:
    case 8:
      return change_property(problem, random);
    default:
      for (const campaign::NamedValue& field : donor.values) {
        if (random.one_in(2)) problem.set_value(field.name, field.value);
      }
      if (random.one_in(2)) problem.data = donor.data;
      if (random.one_in(2)) problem.property = donor.property;
  }
}

void TensorMutator::change_extent(Case& problem, Rng& random) const {
  const std::vector<std::string>& extents = extents_of(contract_);
  const std::string& extent = random.of(extents);
  const std::int64_t old = campaign::tensor::extent(problem, extent);
  const std::int64_t size = random.of(sizes_);
  const std::array<std::int64_t, 8> values = {
      old + (random.one_in(2) ? 1 : -1),
      old / size * size + random.between(0, size - 1),  // another residue
      random.between(0, 5) * size + old % size,         // another number of tiles
      random.between(0, 5) * size + random.between(-1, 1),
      random.one_in(2) ? old / 2 : old * 2,
      random.between(0, 9),
      size + random.between(-1, 1),
      campaign::tensor::extent(problem, random.of(extents))};
  const std::int64_t value = values[random.below(values.size())];
  problem.set_value(extent, static_cast<double>(std::clamp<std::int64_t>(value, 1, kMostExtent)));
}

void TensorMutator::change_stride(Case& problem, Rng& random) const {
  const Tensor& tensor = random.of(contract_.tensors->tensors);
  const auto fields = campaign::tensor::strides_taken(contract_, tensor);
  if (fields.empty()) return change_offset(problem, random);
  const std::string& field = random.of(fields);
  const std::int64_t tight = campaign::tensor::tight_value(contract_, problem, field);
  const std::int64_t step = std::int64_t{1} << random.between(1, 5);
  const std::array<std::int64_t, 4> values = {tight, tight + 1, (tight / step + 1) * step,
                                              tight + random.between(2, 20)};
  problem.set_value(field, static_cast<double>(values[random.below(values.size())]));
}

void TensorMutator::change_offset(Case& problem, Rng& random) const {
  constexpr std::int64_t kFarthest = 17;  // elements; exceeds 16 bytes if each has one byte
  const std::int64_t offset =
      random.one_in(3) ? 0 : random.between(1, random.one_in(2) ? 3 : kFarthest);
  const Tensor& tensor = random.of(contract_.tensors->tensors);
  problem.set_value(contract::offset_field(tensor.name), static_cast<double>(offset));
}

void TensorMutator::change_scalar(Case& problem, Rng& random) const {
  const std::vector<std::string>& scalars = contract_.tensors->operation.scalars;
  if (scalars.empty()) return change_extent(problem, random);
  const std::vector<double> values = {1.0, -1.0, 2.0, 0.5, 0.125, 1.7, -0.3};
  problem.set_value(random.of(scalars), random.of(values));
}

void TensorMutator::change_property(Case& problem, Rng& random) const {
  using campaign::Recipe;
  std::vector<Recipe> recipes = {Recipe::lattice, Recipe::normal, Recipe::wide, Recipe::special};
  for (const Recipe structure : campaign::generate::structures(contract_)) {
    recipes.push_back(structure);
  }
  switch (random.below(3)) {
    case 0:
      problem.data = random.of(recipes);
      break;
    case 1:
      problem.seed = random.below(1'000'000);
      break;
    default:
      if (!properties_.empty()) {
        problem.property = random.one_in(2) ? properties_.front() : random.of(properties_);
      }
  }
}

std::optional<Case> TensorMutator::inside(Case problem, double budget) const {
  campaign::tensor::reset_short_strides(contract_, problem);
  auto near = solver_.project(problem);
  if (!near || !domain_.is_affordable(*near, budget)) return std::nullopt;
  return near;
}

}  // namespace warpcheck::workflows::fuzz
