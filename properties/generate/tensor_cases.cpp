#include "properties/generate/tensor_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "contract/contract_words.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/normalized.hpp"
#include "properties/case/tensor_case.hpp"
#include "properties/generate/data/random_bits.hpp"
#include "properties/generate/grid_limits.hpp"
#include "properties/generate/launch_cases.hpp"
#include "properties/generate/tensors/empty_extents.hpp"
#include "properties/generate/tensors/overflow_strides.hpp"
#include "properties/generate/tensors/tensor_grid_limits.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::Contract;
using operation::Tensor;
using random_bits::below;

constexpr double kLeastSteps = 256.0;  // steps of the operation in the cheapest cases
constexpr double kMostSteps = 0x1p19;  // and in the most expensive ones
// In each period of cases, one has an extent of 0, and one may overflow.
constexpr std::int64_t kSpecialPeriod = 11;
constexpr std::int64_t kEmptyCase = 3;
constexpr std::int64_t kOverflowCase = 5;
constexpr std::int64_t kGridCase = 7;
constexpr std::int64_t kRoundOfSpecials = 99;
constexpr int kTensorAttempts = 24;  // samples of one case
constexpr std::int64_t kCasesPerDirected =
    3;  // of so many cases, one is at a number of the contract
constexpr std::int64_t kDirectedCase = 1;
constexpr std::array<std::int64_t, 10> kPrimes = {11, 13, 17, 31, 37, 61, 97, 127, 257, 521};
constexpr std::array<double, 8> kScalars = {1.0, 1.0, 0.5, 2.0, -1.0, 0.125, 1.7, -0.3};
constexpr std::array<Recipe, 8> kRecipes = {Recipe::normal,  Recipe::lattice, Recipe::normal,
                                            Recipe::wide,    Recipe::normal,  Recipe::lattice,
                                            Recipe::special, Recipe::normal};

}  // namespace

/// Draws the fields of one case.
class TensorCases::Sampler {
 public:
  Sampler(const TensorCases& cases, std::uint64_t seed) : cases_(cases), state_(seed) {}

  /// `index` is the number of the case.
  Case sample(std::int64_t index) {
    const Contract& contract = cases_.contract_;
    Case problem;
    problem.variant = contract.name;
    problem.operation = contract.operation;
    problem.seed = next() % 1'000'000;
    problem.data = pick(kRecipes);
    for (const std::string& name : contract.tensors->operation.extents) {
      problem.set_value(name, static_cast<double>(extent()));
    }
    const bool is_bounded = cases_.max_size_ != 0;
    if (index % kCasesPerDirected == kDirectedCase && !is_bounded &&
        !cases_.domain_.landmarks().empty()) {
      direct(index / kCasesPerDirected, problem);
    } else {
      fit(problem);
    }
    finish(problem);
    return problem;
  }

  /// A case of few elements.
  Case small() {
    const Contract& contract = cases_.contract_;
    constexpr std::int64_t kMostSize = 6;
    Case problem = sample(0);
    for (const std::string& name : contract.tensors->operation.extents) {
      problem.set_value(name, static_cast<double>(1 + below(next(), kMostSize)));
    }
    finish(problem);
    return problem;
  }

  [[nodiscard]] double budget() const { return budget_; }

 private:
  std::uint64_t next() { return state_ = mixed(state_); }

  template <typename Values>
  typename Values::value_type pick(const Values& values) {
    return values[static_cast<std::size_t>(below(next(), std::ssize(values)))];
  }

  std::int64_t extent() {
    const std::int64_t most = cases_.max_size_ == 0 ? kMostTensorLandmark * 4 : cases_.max_size_;
    return std::clamp<std::int64_t>(unbounded_extent(), 1, most);
  }

  std::int64_t unbounded_extent() {
    switch (below(next(), 8)) {
      case 0:
      case 1:
        return 1 + below(next(), 9);
      case 2:
        return pick(kPrimes);
      case 3:
        return 1 + below(next(), std::int64_t{1} << (3 + below(next(), 12)));
      default:
        break;
    }
    if (cases_.domain_.landmarks().empty()) return 1 + below(next(), 300);
    const std::int64_t landmark = pick(cases_.domain_.landmarks());
    return landmark * (1 + below(next(), 3)) + below(next(), 5) - 2;
  }

  /// Sets one extent near a landmark, in the middle between two, or beyond twice of it, and the
  /// others to small numbers: each extent and each landmark in turn.
  void direct(std::int64_t number, Case& problem) {
    const auto& extents = cases_.contract_.tensors->operation.extents;
    const auto& landmarks = cases_.domain_.landmarks();
    const auto choice = static_cast<std::size_t>(number);
    const std::int64_t landmark =
        landmarks[landmarks.size() - 1 - choice / extents.size() % landmarks.size()];
    for (const std::string& name : extents) {
      problem.set_value(name, static_cast<double>(1 + below(next(), 7)));
    }
    const std::array<std::int64_t, 5> more = {-1, 0, 1, 2, 1 + landmark / 2};
    const std::int64_t size = (1 + below(next(), 2)) * landmark + pick(more);
    const std::string& chosen = extents[choice % extents.size()];
    problem.set_value(chosen, static_cast<double>(std::max<std::int64_t>(size, 1)));
    budget_ = kMostSteps;
    for (const std::string& name : extents) {
      if (!cases_.domain_.is_affordable(problem, budget_) && name != chosen)
        problem.set_value(name, 1.0);
    }
    reduce(problem, {chosen}, false);
  }

  /// Draws the budget, and makes extents smaller until the case keeps to it: the largest ones, or
  /// one after the other, so that another one remains large.
  void fit(Case& problem) {
    const double share = static_cast<double>(next() >> 11) * 0x1p-53;
    budget_ = kLeastSteps * std::pow(kMostSteps / kLeastSteps, share);
    std::vector<std::string> extents = cases_.contract_.tensors->operation.extents;
    const bool by_size = next() % 2 == 0;
    std::rotate(extents.begin(), extents.begin() + below(next(), std::ssize(extents)),
                extents.end());
    reduce(problem, extents, by_size);
  }

  /// Makes these extents smaller until the case keeps to the budget.
  void reduce(Case& problem, const std::vector<std::string>& extents, bool by_size) {
    while (!cases_.domain_.is_affordable(problem, budget_)) {
      const auto size_of = [&](const std::string& name) { return tensor::extent(problem, name); };
      auto chosen = std::find_if(extents.begin(), extents.end(),
                                 [&](const std::string& name) { return size_of(name) > 1; });
      if (chosen == extents.end()) return;
      if (by_size) {
        chosen = std::max_element(
            extents.begin(), extents.end(),
            [&](const auto& one, const auto& other) { return size_of(one) < size_of(other); });
      }
      const std::int64_t size = size_of(*chosen);
      problem.set_value(*chosen, static_cast<double>(size - (size + 3) / 4));
    }
  }

  /// Sets strides, offsets and scalars.
  void finish(Case& problem) {
    const Contract& contract = cases_.contract_;
    for (const Tensor& tensor : contract.tensors->tensors) place(tensor, problem);
    for (const std::string& name : contract.tensors->operation.scalars) {
      problem.set_value(name, pick(kScalars));
    }
  }

  void place(const Tensor& tensor, Case& problem) {
    constexpr std::array<std::int64_t, 8> kPadding = {0, 0, 0, 1, 1, 3, 4, 7};
    constexpr std::array<std::int64_t, 8> kOffsets = {0, 0, 0, 0, 0, 1, 2, 3};
    for (const std::string& field : tensor::strides_taken(cases_.contract_, tensor)) {
      const std::int64_t padding = pick(kPadding);
      const std::int64_t tight = tensor::tight_value(cases_.contract_, problem, field);
      const std::int64_t stride = padding == 4 ? (tight + 7) / 4 * 4 : tight + padding;
      problem.set_value(field, static_cast<double>(stride));
    }
    const std::int64_t offset = pick(kOffsets);
    problem.set_value(contract::offset_field(tensor.name), static_cast<double>(offset));
  }

  const TensorCases& cases_;
  std::uint64_t state_;
  double budget_ = kLeastSteps;
};

TensorCases::TensorCases(const Contract& contract, std::uint64_t seed, std::int64_t max_size,
                         bool int32_overflow_strides, bool strict_launch)
    : contract_(contract),
      seed_(mixed(seed, mixed(contract.name.size(), contract.name))),
      max_size_(max_size),
      domain_(contract, strict_launch) {
  require_launches(contract);
  if (int32_overflow_strides && max_size == 0) overflow_fields_ = overflow_fields(contract);
  if (max_size == 0) {
    grid_cases_ = beyond_grid_limits(contract, grid_extents_of_tensors(contract, domain_));
  }
  (void)draw(0);  // throws if the domain is empty
}

/// An extent of 0, each in turn, or, once in a hundred cases, an overflow of each tensor and a grid
/// beyond each limit; empty if the case has another number, or if the domain has no such case.
std::optional<Case> TensorCases::special_case(std::int64_t index) const {
  const std::int64_t in_period = index % kSpecialPeriod;
  const bool is_empty = in_period == kEmptyCase;
  const std::int64_t number = index % kRoundOfSpecials / kSpecialPeriod;
  const std::int64_t fields = std::ssize(overflow_fields_);
  const bool overflows = in_period == kOverflowCase && number < 2 * fields;
  if (in_period == kGridCase && number < std::ssize(grid_cases_)) {
    return grid_cases_[static_cast<std::size_t>(number)];
  }
  if (!is_empty && !overflows) return std::nullopt;
  const std::uint64_t bits = mixed(seed_, static_cast<std::uint64_t>(index) * kTensorAttempts);
  const auto small = domain_.nearest(normalized(contract_, Sampler(*this, bits).small()));
  if (!small || !domain_.is_affordable(*small, kMostSteps)) return std::nullopt;
  if (is_empty) return with_empty_extent(contract_, *small, index / kSpecialPeriod);
  const std::string& field = overflow_fields_[static_cast<std::size_t>(number % fields)];
  const std::int64_t beyond = number < fields ? kBeyondInt32 : kBeyondUint32;
  return with_overflow_stride(contract_, *small, field, beyond, bits);
}

GeneratedCase TensorCases::draw(std::int64_t index) const {
  if (auto special = special_case(index)) return {std::move(*special), std::nullopt};
  std::optional<std::string> excluded_by;
  for (int attempt = 0; attempt < kTensorAttempts; ++attempt) {
    const std::uint64_t number = static_cast<std::uint64_t>(index) * kTensorAttempts;
    Sampler sampler(*this, mixed(seed_, number + static_cast<std::uint64_t>(attempt)));
    const Case sampled = normalized(contract_, sampler.sample(index));
    if (attempt == 0) excluded_by = violated(contract_, sampled);
    // The domain may have no case within the budget.
    const double budget =
        attempt < kTensorAttempts / 2 ? 4.0 * sampler.budget() : 64.0 * kMostSteps;
    const auto problem = domain_.nearest(sampled);
    if (problem && domain_.is_affordable(*problem, budget)) return {*problem, excluded_by};
  }
  std::string demands;
  for (const contract::Expression& demand : contract_.requires_) {
    demands += (demands.empty() ? "" : " and ") + demand.text();
  }
  throw InputError(Diagnostic{
      contract_.requires_.empty() ? contract_.where : contract_.requires_.front().where(),
      fmt::format("{}: found no case that satisfies {}", contract_.name, demands),
      {}});
}

Combinations TensorCases::combinations(std::int64_t) const { return {}; }

Row TensorCases::levels(const Case&) const { return {}; }

}  // namespace warpcheck::properties::generate
