#include "campaign/generate/tensors/tensor_domain.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/tensors/tensor_grid_limits.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using operation::Tensor;

constexpr std::size_t kLimitBytes = std::size_t{1} << 28;  // largest size of one tensor
constexpr int kRepairs = 64;                               // changed fields of one sample

/// The numbers of grids, blocks, shared memory and `requires`.
std::set<std::int64_t> literals(const Contract& contract) {
  std::set<std::int64_t> found;
  const auto add = [&](const contract::Expression& expression) {
    for (const std::int64_t literal : expression.literals()) {
      if (literal > 1 && literal <= kMostTensorLandmark) found.insert(literal);
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
      if (step_of_loop > 1 && step_of_loop <= kMostTensorLandmark) found.insert(step_of_loop);
    }
  }
  return found;
}

/// The elements of all tensors. A definition may read few of them: the matrices of experts that no
/// row has.
double elements(const Contract& contract, const Case& problem) {
  double all = 0.0;
  for (const Tensor& tensor : contract.tensors->tensors) {
    double of_tensor = 1.0;
    for (const std::string& dimension : tensor.shape) {
      of_tensor *= static_cast<double>(tensor::extent(problem, dimension));
    }
    all += of_tensor;
  }
  return all;
}

}  // namespace

TensorDomain::TensorDomain(const Contract& contract, bool any_grid) : contract_(contract) {
  if (!any_grid) limited_axes_ = undeclared_axes_of_tensors(contract);
  const std::set<std::int64_t> numbers = literals(contract);
  landmarks_.assign(numbers.begin(), numbers.end());
  for (const contract::Expression& demand : contract.requires_) {
    for (const std::int64_t literal : demand.literals()) {
      if (literal > kMostTensorLandmark) large_literals_.push_back(literal);
    }
  }
}

/// Returns the number of conjuncts of `requires`, of limits and of inputs without enough distinct
/// integers that the case violates.
std::int64_t TensorDomain::violations(const Case& problem) const {
  const contract::Bindings names = bindings(contract_, problem);
  std::int64_t count = 0;
  for (const contract::Expression& demand : contract_.requires_) {
    for (const contract::Expression& conjunct : demand.conjuncts()) {
      count += conjunct.evaluate(names).value_or(0) == 0 ? 1 : 0;
    }
  }
  for (const GridAxis& axis : limited_axes_) {
    count += axis.extent(contract_).evaluate(names).value_or(0) > axis.limit() ? 1 : 0;
  }
  for (const Tensor& tensor : contract_.tensors->operation.inputs) {
    const auto distinct = tensor::distinct_count(problem, tensor);
    count += distinct && distinct->elements > distinct->integers ? 1 : 0;
  }
  return count;
}

bool TensorDomain::is_affordable(const Case& problem, double budget) const {
  return tensor::work(contract_, problem) <= budget && elements(contract_, problem) <= budget &&
         fits(contract_, normalized(contract_, problem), kLimitBytes);
}

std::optional<Case> TensorDomain::even_case(double work) const {
  const std::vector<std::string>& extents = contract_.tensors->operation.extents;
  Case problem;
  problem.variant = contract_.name;
  problem.data = Recipe::normal;
  problem = normalized(contract_, problem);
  for (std::int64_t size = 2; size <= kMostTensorLandmark; size *= 2) {
    for (const std::string& extent : extents) {
      Case larger = problem;
      larger.set_value(extent, static_cast<double>(size));
      if (is_affordable(larger, work)) problem = larger;
    }
  }
  return nearest(problem);
}

/// Values of a field near `value`, at multiples of landmarks, at powers of two and at the large
/// numbers of `requires`, the nearest first.
std::vector<std::int64_t> TensorDomain::candidates(std::int64_t value) const {
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
  for (std::int64_t base = 1; base <= kMostTensorLandmark; base *= 2) found.push_back(base);
  found.insert(found.end(), large_literals_.begin(), large_literals_.end());
  std::stable_sort(found.begin(), found.end(), [&](std::int64_t one, std::int64_t other) {
    return std::abs(one - value) < std::abs(other - value);
  });
  return found;
}

/// Sets a field to the nearest value with which fewer conditions are violated, if there is one.
/// Returns how many are violated then.
std::int64_t TensorDomain::improve(Case& problem, const std::string& name,
                                   std::int64_t least) const {
  const std::int64_t wrong = violations(problem);
  const auto known = tensor::value_of(contract_, problem, name);
  const std::int64_t value =
      known.value_or(static_cast<std::int64_t>(problem.value(name).value_or(0.0)));
  for (const std::int64_t candidate : candidates(value)) {
    if (candidate < least) continue;
    Case changed = problem;
    changed.set_value(name, static_cast<double>(candidate));
    changed = normalized(contract_, changed);
    const std::int64_t count = violations(changed);
    if (count >= wrong || !fits(contract_, changed, kLimitBytes)) continue;
    problem = changed;
    return count;
  }
  return wrong;
}

std::optional<Case> TensorDomain::nearest(Case problem, const std::string& last) const {
  std::vector<std::string> names = contract_.tensors->sizes;
  for (const Tensor& tensor : contract_.tensors->tensors) {
    names.push_back(contract::offset_field(tensor.name));
  }
  const std::size_t extents = contract_.tensors->operation.extents.size();
  const auto end_of_extents = names.begin() + static_cast<std::ptrdiff_t>(extents);
  std::stable_partition(names.begin(), end_of_extents,
                        [&](const std::string& name) { return name != last; });
  std::int64_t wrong = violations(problem);
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

}  // namespace warpcheck::campaign::generate
