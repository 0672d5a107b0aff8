#include "workflows/fuzz/mutator.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "device/device.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using campaign::Case;
using campaign::CaseField;
using campaign::generate::Rng;
using FieldKind = CaseField::Kind;

constexpr int kLeastBudgetBits = 15;  // multiply-adds
constexpr int kMostBudgetBits = 22;
constexpr double kMostElements = 3e5;
constexpr std::int64_t kLargestExtent = 1 << 15;
constexpr std::int64_t kMostBatch = 5;
constexpr std::int64_t kFarthestOffset = 17;  // elements; exceeds 16 bytes if each has one byte

double work_of_bits(std::int64_t bits) { return static_cast<double>(std::uint64_t{1} << bits); }

}  // namespace

std::vector<std::int64_t> literals_of(std::string_view text, std::string_view kernel) {
  constexpr std::array<std::string_view, 5> kInstructions = {"setp.", "mul.lo.", "rem.", "div.",
                                                             "and.b"};
  constexpr std::int64_t kLargestLiteral = 4096;
  std::vector<std::int64_t> literals;
  for (const std::int64_t number : ptx::integer_operands(text, kernel, kInstructions)) {
    if (number >= 2 && number <= kLargestLiteral) literals.push_back(number);
  }
  return literals;
}

std::vector<std::int64_t> literals_of(const contract::Variant& variant) {
  std::set<std::int64_t> all;
  for (const contract::Entry& entry : variant.entries) {
    for (const std::int64_t one : literals_of(variant.compiled->ptx, entry.name)) all.insert(one);
  }
  return {all.begin(), all.end()};
}

Mutator::Mutator(const contract::Contract& contract, std::vector<std::int64_t> literals,
                 std::vector<std::string> properties, const campaign::generate::SizeLimits& sizes)
    : contract_(contract),
      solver_(contract, static_cast<std::int64_t>(device::kMostBufferBytes),
              campaign::generate::domain_rules(contract, sizes)),
      schema_(solver_.schema()),
      tiles_(campaign::generate::tiles(contract)),
      costs_(contract, schema_, tiles_),
      sizes_(campaign::generate::extent_sizes(contract, tiles_)),
      properties_(std::move(properties)),
      recipes_(schema_.recipes),
      least_work_(costs_.work_of_step()) {
  std::set<std::int64_t> numbers(literals.begin(), literals.end());
  for (const std::int64_t number : campaign::generate::contract_numbers(contract)) {
    numbers.insert(number);
  }
  literals_.assign(numbers.begin(), numbers.end());
  for (std::vector<std::int64_t>& sizes_of_extent : sizes_) {
    sizes_of_extent.insert(sizes_of_extent.end(), literals.begin(), literals.end());
  }
  recipes_.insert(recipes_.end(), schema_.structures.begin(), schema_.structures.end());
  for (const CaseField& field : schema_.fields) {
    if (!field.is_taken) continue;
    Fields& group = field.kind == FieldKind::extent   ? extents_
                    : field.is_stride()               ? strides_
                    : field.kind == FieldKind::offset ? offsets_
                    : field.kind == FieldKind::factor ? factors_
                                                      : shapes_;
    group.push_back(&field);
  }
}

std::optional<Case> Mutator::mutated(const Case& parent, const Case& donor, Rng& random) const {
  Case problem = parent;
  do {
    change(problem, donor, random);
  } while (!random.one_in(2));
  // Each mutant has a budget of its own, so that most are cheap and some may be dear.
  const double budget = work_of_bits(random.between(kLeastBudgetBits, kMostBudgetBits));
  return inside(std::move(problem), std::max(budget, least_work_));
}

std::vector<Case> Mutator::neighbours(const Case& parent) const {
  std::vector<Case> found;
  for (const CaseField* const extent : extents_) {
    std::vector<std::int64_t> values = literals_;
    values.insert(values.end(), {extent->get(parent) - 1, extent->get(parent) + 1});
    for (const std::int64_t value : values) {
      Case target = parent;
      if (!properties_.empty()) target.property = properties_.front();
      extent->set(target, std::max<std::int64_t>(value, extent->has_zero ? 0 : 1));
      auto problem = inside(std::move(target), work_of_bits(kMostBudgetBits));
      if (problem && *problem != parent) found.push_back(std::move(*problem));
    }
  }
  return found;
}

void Mutator::change(Case& problem, const Case& donor, Rng& random) const {
  switch (random.below(12)) {
    case 0:
    case 1:
      return change_stride(problem, random);
    case 2:
      return change_offset(problem, random);
    case 3:
      return change_factor(problem, random);
    case 4:
      return change_shape(problem, random);
    case 5:
    case 6:
      return change_property(problem, random);
    case 7:
      return take_from(problem, donor, random);
    default:
      return change_extent(problem, random);
  }
}

void Mutator::change_extent(Case& problem, Rng& random) const {
  const std::size_t number = random.below(extents_.size());
  const CaseField& extent = *extents_[number];
  const CaseField& other = *random.of(extents_);
  const std::int64_t old = extent.get(problem);
  const std::int64_t size = random.of(sizes_[number]);
  const std::array<std::int64_t, 7> values = {
      old + (random.one_in(2) ? 1 : -1),
      old / size * size + random.between(0, size - 1),  // another residue
      random.between(0, 5) * size + old % size,         // another number of tiles
      random.between(0, 5) * size + random.between(-1, 1),
      random.one_in(2) ? old / 2 : old * 2,
      random.between(0, 9),
      size + random.between(-1, 1)};
  const auto set = [&](const CaseField& field, std::int64_t value) {
    const std::int64_t least = field.has_zero ? 0 : 1;
    field.set(problem, std::clamp<std::int64_t>(value, least, kLargestExtent));
  };
  if (const std::size_t choice = random.below(values.size() + 1); choice < values.size()) {
    return set(extent, values.at(choice));
  }
  const std::int64_t value = other.get(problem);
  set(other, old);
  set(extent, value);
}

void Mutator::change_stride(Case& problem, Rng& random) const {
  if (strides_.empty()) return change_extent(problem, random);
  const CaseField& stride = *random.of(strides_);
  const std::int64_t tight = campaign::tight_stride(contract_, problem, stride.name);
  stride.set(problem, campaign::generate::sample_stride(random, tight));
}

void Mutator::change_offset(Case& problem, Rng& random) const {
  random.of(offsets_)->set(
      problem, random.one_in(3) ? 0 : random.between(1, random.one_in(2) ? 3 : kFarthestOffset));
}

void Mutator::change_factor(Case& problem, Rng& random) const {
  if (factors_.empty()) return change_extent(problem, random);
  const CaseField& factor = *random.of(factors_);
  factor.set_number(problem, random.of(factor.usual_values(problem.data)));
}

void Mutator::change_shape(Case& problem, Rng& random) const {
  if (shapes_.empty()) return change_extent(problem, random);
  const CaseField& field = *random.of(shapes_);
  field.set(problem, field.kind == FieldKind::batch ? random.between(1, kMostBatch)
                                                    : 1 - field.get(problem));
}

/// Changes the property or the data.
void Mutator::change_property(Case& problem, Rng& random) const {
  switch (random.below(3)) {
    case 0:
      problem.data = random.of(recipes_);
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

void Mutator::take_from(Case& problem, const Case& donor, Rng& random) const {
  for (const CaseField& field : schema_.fields) {
    if (random.one_in(2)) field.set_number(problem, field.number(donor));
  }
  if (random.one_in(2)) problem.data = donor.data;
  if (random.one_in(2)) problem.property = donor.property;
}

std::optional<Case> Mutator::inside(Case problem, double work) const {
  for (const CaseField* const factor : factors_) {  // sums that are to be exact remain so
    const std::vector<double>& values = factor->usual_values(problem.data);
    const bool is_usual =
        std::find(values.begin(), values.end(), factor->number(problem)) != values.end();
    if (!is_usual) factor->set_number(problem, factor->default_number);
  }
  // Normalization clears the transposes that the contract does not take, among others.
  problem = campaign::normalized(contract_, std::move(problem));
  campaign::reset_short_strides(contract_, problem);
  auto near = solver_.project(problem);
  if (!near || !costs_.ordinary_cost(*near).is_within({work, kMostElements})) return std::nullopt;
  return near;
}

}  // namespace warpcheck::workflows::fuzz
