#include "campaign/generate/tensors/tensor_domain.hpp"

#include <algorithm>
#include <set>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using operation::Tensor;

constexpr std::size_t kLimitBytes = std::size_t{1} << 28;  // largest size of one tensor

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

TensorDomain::TensorDomain(const Contract& contract) : contract_(contract) {
  const std::set<std::int64_t> numbers = literals(contract);
  landmarks_.assign(numbers.begin(), numbers.end());
}

bool TensorDomain::is_affordable(const Case& problem, double budget) const {
  return tensor::work(contract_, problem) <= budget && elements(contract_, problem) <= budget &&
         fits(contract_, normalized(contract_, problem), kLimitBytes);
}

std::optional<Case> TensorDomain::even_case(const Solver& solver, double work) const {
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
  return solver.project(problem);
}

}  // namespace warpcheck::campaign::generate
