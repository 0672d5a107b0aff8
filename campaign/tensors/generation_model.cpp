#include "campaign/generate/generation_model.hpp"

#include "base/diagnostic.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/data/tensor_data.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/generate/tensors/tensor_sampler.hpp"
#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;

class TensorCases final : public OrdinaryCases {
 public:
  explicit TensorCases(const AffordableCases& cases)
      : cases_(cases),
        contract_(cases.costs().contract()),
        domain_(contract_),
        of_blocks_(extents_of_blocks(contract_)) {}

  Sampled draw(std::int64_t index, std::uint64_t bits, int attempt, bool) const override {
    TensorSampler sampler(contract_, domain_, cases_.solver(), of_blocks_, cases_.max_size(), bits);
    Sampled one{normalized(contract_, sampler.sample(index)), {}};
    // The domain may have no case within the budget.
    const double budget =
        attempt < attempts() / 2 ? 4.0 * sampler.budget() : 64.0 * kMostTensorSteps;
    const auto found = cases_.solver().project(one.sampled);
    if (found && domain_.is_affordable(*found, budget)) one.found = *found;
    return one;
  }

  int attempts() const override { return 24; }
  bool is_directed(std::int64_t index) const override {
    return cases_.max_size() == 0 && TensorSampler::is_directed(index);
  }
  bool needs_long_cases() const override { return false; }

 private:
  const AffordableCases& cases_;
  const Contract& contract_;
  TensorDomain domain_;
  std::vector<std::string> of_blocks_;
};

class TensorGenerationModel final : public GenerationModel {
 public:
  std::unique_ptr<OrdinaryCases> ordinary_cases(const AffordableCases& cases, const Budgets&,
                                                const Cost&) const override {
    return std::make_unique<TensorCases>(cases);
  }

  std::vector<Recipe> structures(const Contract& contract) const override {
    return generate::structures(contract);
  }

  bool has_values(const Contract& contract, const Case& problem) const override {
    const reference::TensorProblem tensors =
        tensor_problem(contract, problem, tensor_values(*contract.tensors, problem));
    try {
      (void)reference::evaluate(tensors);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  std::optional<Case> measured_case(const Contract& contract, const Case&,
                                    double steps) const override {
    return TensorDomain(contract).even_case(limited_solver(contract), steps);
  }

  std::string target_text(const Case&) const override { return "of about equal extents"; }
};

}  // namespace

const GenerationModel& GenerationModel::of_tensors() {
  static const TensorGenerationModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::generate
