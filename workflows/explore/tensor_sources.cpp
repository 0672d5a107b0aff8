#include <algorithm>
#include <span>
#include <string>

#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "workflows/explore/source_model.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;
using contract::Contract;

/// True if the case takes few steps of an operation of the language.
bool takes_few_steps(const Contract& contract, const Case& problem) {
  constexpr double kMostSteps = 3e5;
  return campaign::tensor::work(contract, problem) <= kMostSteps;
}

/// A case of an operation of the language with these extents, which are used in turn.
Case tensor_case(const Contract& contract, std::span<const std::int64_t> sizes) {
  Case problem;
  problem.variant = contract.name;
  problem.seed = 1;
  const std::vector<std::string>& extents = contract.tensors->operation.extents;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    problem.set_value(extents[i], static_cast<double>(sizes[i % sizes.size()]));
  }
  return campaign::normalized(contract, problem);
}

class TensorSourceModel final : public SourceModel {
 public:
  double size_of(const Contract& contract, const Case& problem) const override {
    double size = 0.0;
    for (const std::string& extent : contract.tensors->operation.extents) {
      size += static_cast<double>(campaign::tensor::extent(problem, extent));
    }
    return size;
  }

  std::vector<Case> friendly_cases(const Contract& contract) const override {
    std::vector<Case> cases;
    const auto add = [&](const Case& problem) {
      if (takes_few_steps(contract, problem)) cases.push_back(problem);
    };
    const std::vector<std::string>& extents = contract.tensors->operation.extents;
    for (const std::int64_t size : {512, 256, 128, 64, 32, 16, 8, 4, 2, 48, 96, 7, 33, 1}) {
      add(tensor_case(contract, {{size}}));
      for (const std::string& extent : extents) {
        for (const std::int64_t other : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
          Case problem = tensor_case(contract, {{size}});
          problem.set_value(extent, static_cast<double>(other));
          add(problem);
          problem = tensor_case(contract, {{other}});
          problem.set_value(extent, static_cast<double>(size));
          add(problem);
        }
      }
    }
    return cases;
  }

  std::vector<Case> small_cases(const Contract& contract, campaign::generate::Rng& random,
                                std::size_t count) const override {
    std::vector<Case> cases;
    while (cases.size() < count) {
      const std::int64_t most = random.of(std::vector<std::int64_t>{4, 16, 96});
      std::vector<std::int64_t> sizes;
      for (std::size_t i = 0; i < contract.tensors->operation.extents.size(); ++i) {
        const bool repeats = i > 0 && random.one_in(3);
        sizes.push_back(repeats ? sizes.back() : random.between(1, most));
      }
      Case problem = tensor_case(contract, sizes);
      if (takes_few_steps(contract, problem)) cases.push_back(std::move(problem));
    }
    return cases;
  }

  /// Expressions have extents and strides alone.
  void make_factors_whole(Case&) const override {}

  bool is_valid(const Contract& contract, const Case& problem,
                std::int64_t max_size) const override {
    const std::vector<std::string>& extents = contract.tensors->operation.extents;
    return std::all_of(extents.begin(), extents.end(), [&](const std::string& extent) {
      const std::int64_t size = campaign::tensor::extent(problem, extent);
      return size >= 1 && size <= max_size;
    });
  }

  bool can_be_run(const Contract& contract, const Case& problem) const override {
    const std::vector<std::string>& extents = contract.tensors->operation.extents;
    const bool has_empty = std::any_of(extents.begin(), extents.end(), [&](const auto& extent) {
      return campaign::tensor::extent(problem, extent) == 0;
    });
    return !has_empty && takes_few_steps(contract, problem);
  }

  bool is_cheap(const Contract&, const Case&) const override { return true; }

  /// A maximum hardly depends on a single element of its input.
  double least_sensitivity() const override { return 0.01; }
};

}  // namespace

const SourceModel& SourceModel::of_tensors() {
  static const TensorSourceModel kModel;
  return kModel;
}

}  // namespace warpcheck::workflows::explore
