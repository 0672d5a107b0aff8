#include "properties/generate/tensor_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "contract/contract_words.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/case/normalized.hpp"
#include "properties/case/tensor_case.hpp"
#include "properties/generate/data/random_bits.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::Contract;
using operation::Tensor;
using random_bits::below;

constexpr double kLeastWork = 256.0;  // steps of the operation in the cheapest cases
constexpr double kMostWork = 0x1p19;  // and in the most expensive ones
constexpr std::size_t kLimitBytes = std::size_t{1} << 28;  // of one tensor
constexpr int kAttempts = 24;                              // samples of one case
constexpr std::int64_t kCasesPerDirected =
    3;  // of so many cases, one is at a number of the contract
constexpr std::int64_t kDirectedCase = 1;
constexpr int kRepairs = 64;  // changed fields of one sample
constexpr std::int64_t kMostLandmark = 8192;
constexpr std::array<std::int64_t, 10> kPrimes = {11, 13, 17, 31, 37, 61, 97, 127, 257, 521};
constexpr std::array<double, 8> kScalars = {1.0, 1.0, 0.5, 2.0, -1.0, 0.125, 1.7, -0.3};
constexpr std::array<Recipe, 8> kRecipes = {Recipe::normal,  Recipe::lattice, Recipe::normal,
                                            Recipe::wide,    Recipe::normal,  Recipe::lattice,
                                            Recipe::special, Recipe::normal};

/// The numbers of grids, blocks, shared memory and `requires`.
std::set<std::int64_t> literals(const Contract& contract) {
  std::set<std::int64_t> found;
  const auto add = [&](const contract::Expression& expression) {
    for (const std::int64_t literal : expression.literals()) {
      if (literal > 1 && literal <= kMostLandmark) found.insert(literal);
    }
  };
  for (const contract::LaunchStep& step : contract.launches) {
    for (const contract::Expression& extent : step.grid) add(extent);
    for (const contract::Expression& extent : step.block) add(extent);
    add(step.shared);
  }
  for (const contract::Expression& demand : contract.requires_) add(demand);
  for (const contract::LaunchStep& step : contract.launches) {
    std::int64_t threads = 1;
    for (const contract::Expression& extent : step.block) {
      const std::set<std::int64_t> numbers = extent.literals();
      if (numbers.size() == 1) threads *= *numbers.begin();
    }
    // A thread may handle vectors of four elements.
    for (const std::int64_t step_of_loop : {threads, 4 * threads}) {
      if (step_of_loop > 1 && step_of_loop <= kMostLandmark) found.insert(step_of_loop);
    }
  }
  return found;
}

std::int64_t violations(const Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  std::int64_t count = 0;
  for (const contract::Expression& demand : contract.requires_) {
    for (const contract::Expression& conjunct : demand.conjuncts()) {
      count += conjunct.evaluate(names).value_or(0) == 0 ? 1 : 0;
    }
  }
  return count;
}

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
    if (index % kCasesPerDirected == kDirectedCase && !is_bounded && !cases_.landmarks_.empty()) {
      direct(index / kCasesPerDirected, problem);
    } else {
      fit(problem);
    }
    for (const Tensor& tensor : contract.tensors->tensors) place(tensor, problem);
    for (const std::string& name : contract.tensors->operation.scalars) {
      problem.set_value(name, pick(kScalars));
    }
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
    const std::int64_t most = cases_.max_size_ == 0 ? kMostLandmark * 4 : cases_.max_size_;
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
    if (cases_.landmarks_.empty()) return 1 + below(next(), 300);
    const std::int64_t landmark = pick(cases_.landmarks_);
    return landmark * (1 + below(next(), 3)) + below(next(), 5) - 2;
  }

  /// Sets one extent near a landmark, in the middle between two, or beyond twice of it, and the
  /// others to small numbers: each extent and each landmark in turn.
  void direct(std::int64_t number, Case& problem) {
    const auto& extents = cases_.contract_.tensors->operation.extents;
    const auto& landmarks = cases_.landmarks_;
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
    budget_ = kMostWork;
    for (const std::string& name : extents) {
      if (!cases_.is_affordable(problem, budget_) && name != chosen) problem.set_value(name, 1.0);
    }
    reduce(problem, {chosen}, false);
  }

  /// Draws the budget, and makes extents smaller until the case keeps to it: the largest ones, or
  /// one after the other, so that another one remains large.
  void fit(Case& problem) {
    const double share = static_cast<double>(next() >> 11) * 0x1p-53;
    budget_ = kLeastWork * std::pow(kMostWork / kLeastWork, share);
    std::vector<std::string> extents = cases_.contract_.tensors->operation.extents;
    const bool by_size = next() % 2 == 0;
    std::rotate(extents.begin(), extents.begin() + below(next(), std::ssize(extents)),
                extents.end());
    reduce(problem, extents, by_size);
  }

  /// Makes these extents smaller until the case keeps to the budget.
  void reduce(Case& problem, const std::vector<std::string>& extents, bool by_size) {
    while (!cases_.is_affordable(problem, budget_)) {
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

  void place(const Tensor& tensor, Case& problem) {
    constexpr std::array<std::int64_t, 8> kPadding = {0, 0, 0, 1, 1, 3, 4, 7};
    constexpr std::array<std::int64_t, 8> kOffsets = {0, 0, 0, 0, 0, 1, 2, 3};
    const std::int64_t padding = pick(kPadding);
    const std::int64_t offset = pick(kOffsets);
    if (tensor::takes_stride(cases_.contract_, tensor) && padding != 0) {
      const std::int64_t row = tensor::row_length(problem, tensor);
      const std::int64_t stride = padding == 4 ? (row + 7) / 4 * 4 : row + padding;
      problem.set_value(contract::stride_field(tensor.name), static_cast<double>(stride));
    }
    problem.set_value(contract::offset_field(tensor.name), static_cast<double>(offset));
  }

  const TensorCases& cases_;
  std::uint64_t state_;
  double budget_ = kLeastWork;
};

TensorCases::TensorCases(const Contract& contract, std::uint64_t seed, std::int64_t max_size)
    : contract_(contract),
      seed_(mixed(seed, mixed(contract.name.size(), contract.name))),
      max_size_(max_size) {
  const std::set<std::int64_t> numbers = literals(contract);
  landmarks_.assign(numbers.begin(), numbers.end());
  (void)draw(0);  // throws if the domain is empty
}

bool TensorCases::is_affordable(const Case& problem, double budget) const {
  return tensor::work(contract_, problem) <= budget &&
         fits(contract_, normalized(contract_, problem), kLimitBytes);
}

GeneratedCase TensorCases::draw(std::int64_t index) const {
  std::optional<std::string> excluded_by;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t number = static_cast<std::uint64_t>(index) * kAttempts;
    Sampler sampler(*this, mixed(seed_, number + static_cast<std::uint64_t>(attempt)));
    const Case sampled = normalized(contract_, sampler.sample(index));
    if (attempt == 0) excluded_by = violated(contract_, sampled);
    // The domain may have no case within the budget.
    const double budget = attempt < kAttempts / 2 ? 4.0 * sampler.budget() : 64.0 * kMostWork;
    const auto problem = repaired(sampled);
    if (problem && is_affordable(*problem, budget)) return {*problem, excluded_by};
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

/// Values of a field near `value`, at multiples of landmarks and at powers of two, the nearest
/// first.
std::vector<std::int64_t> TensorCases::candidates(std::int64_t value) const {
  constexpr std::int64_t kNear = 16;
  std::vector<std::int64_t> found;
  for (std::int64_t distance = 1; distance <= kNear; ++distance) {
    found.push_back(value + distance);
    found.push_back(value - distance);
  }
  for (const std::int64_t landmark : landmarks_) {
    const std::int64_t below = value / landmark * landmark;
    for (const std::int64_t near : {below, below + landmark, landmark}) {
      for (const std::int64_t candidate : {near, near - 1, near + 1}) found.push_back(candidate);
    }
  }
  for (std::int64_t base = 1; base <= kMostLandmark; base *= 2) found.push_back(base);
  std::stable_sort(found.begin(), found.end(), [&](std::int64_t one, std::int64_t other) {
    return std::abs(one - value) < std::abs(other - value);
  });
  return found;
}

/// Sets a field to the nearest value with which fewer conditions are violated, if there is one.
/// Returns how many are violated then.
std::int64_t TensorCases::improve(Case& problem, const std::string& name,
                                  std::int64_t least) const {
  const std::int64_t wrong = violations(contract_, problem);
  const auto known = tensor::value_of(contract_, problem, name);
  const std::int64_t value =
      known.value_or(static_cast<std::int64_t>(problem.value(name).value_or(0.0)));
  for (const std::int64_t candidate : candidates(value)) {
    if (candidate < least) continue;
    Case changed = problem;
    changed.set_value(name, static_cast<double>(candidate));
    changed = normalized(contract_, changed);
    const std::int64_t count = violations(contract_, changed);
    if (count >= wrong || !fits(contract_, changed, kLimitBytes)) continue;
    problem = changed;
    return count;
  }
  return wrong;
}

/// Changes one field after the other to the nearest value with which fewer conditions are violated.
std::optional<Case> TensorCases::repaired(Case problem) const {
  std::vector<std::string> names = contract_.tensors->sizes;
  for (const Tensor& tensor : contract_.tensors->tensors) {
    names.push_back(contract::offset_field(tensor.name));
  }
  const std::size_t extents = contract_.tensors->operation.extents.size();
  std::int64_t wrong = violations(contract_, problem);
  for (int step = 0; step < kRepairs && wrong != 0; ++step) {
    const std::int64_t before = wrong;
    for (std::size_t i = 0; i < names.size() && wrong != 0; ++i) {
      wrong = improve(problem, names[i], i < extents ? 1 : 0);
    }
    if (wrong == before) return std::nullopt;
  }
  if (wrong != 0 || !fits(contract_, problem, kLimitBytes)) return std::nullopt;
  return problem;
}

Combinations TensorCases::combinations(std::int64_t) const { return {}; }

Row TensorCases::levels(const Case&) const { return {}; }

}  // namespace warpcheck::properties::generate
