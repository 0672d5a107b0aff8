#include "campaign/generate/generation_model.hpp"

#include <fmt/format.h>

#include <utility>

#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/case_sampler.hpp"
#include "campaign/generate/sampling/solver.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;

class ProductCases final : public OrdinaryCases {
 public:
  ProductCases(const AffordableCases& cases, const Budgets& budgets, const Cost& least)
      : cases_(cases), budgets_(budgets), least_(least) {}

  Sampled draw(std::int64_t, std::uint64_t bits, int, bool spends) const override {
    CaseSampler sampler(cases_.costs(), bits,
                        {cases_.max_size(), least_, budgets_.sampled, spends});
    Sampled one{sampler.sample(), {}};
    one.found = cases_.solver().admits(one.sampled) ? one.sampled
                                                    : project_within_budget(sampler, one.sampled);
    return one;
  }

  int attempts() const override { return 4; }
  bool is_directed(std::int64_t) const override { return false; }
  bool needs_long_cases() const override { return true; }

 private:
  /// Projects a sampled case onto the domain. A relation between extents may turn a small target
  /// into a large case; then halves the target.
  [[nodiscard]] std::optional<Case> project_within_budget(const CaseSampler& sampler,
                                                          Case target) const {
    constexpr int kHalvings = 6;
    const Solver& solver = cases_.solver();
    sampler.shrink_to_budget(target, {solver.least(0), solver.least(1), solver.least(2)});
    std::optional<Case> found;
    for (int i = 0; i < kHalvings; ++i) {
      reset_short_strides(cases_.costs().contract(), target);
      found = solver.project(target);
      if (!found || sampler.affordable(*found)) break;
      for (std::int64_t Case::*extent : {&Case::m, &Case::n, &Case::k}) {
        target.*extent = (target.*extent + 1) / 2;
      }
    }
    return found;
  }

  const AffordableCases& cases_;
  const Budgets& budgets_;
  const Cost& least_;
};

class MatrixGenerationModel final : public GenerationModel {
 public:
  std::unique_ptr<OrdinaryCases> ordinary_cases(const AffordableCases& cases,
                                                const Budgets& budgets,
                                                const Cost& least) const override {
    return std::make_unique<ProductCases>(cases, budgets, least);
  }

  /// Masks, which make rows of D NaN, and large numbers show no more of a product than special and
  /// wide data. Atomic additions flush subnormal numbers.
  std::vector<Recipe> structures(const Contract&) const override {
    return {Recipe::zeros, Recipe::equal, Recipe::negative, Recipe::dominant, Recipe::ordered};
  }

  bool has_values(const Contract&, const Case&) const override { return true; }

  std::optional<Case> measured_case(const Contract& contract, const Case& target,
                                    double) const override {
    return Solver(contract).project(target);
  }

  std::string target_text(const Case& target) const override {
    return fmt::format("near m={} n={} k={}", target.m, target.n, target.k);
  }
};

}  // namespace

const GenerationModel& GenerationModel::of_matrices() {
  static const MatrixGenerationModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::generate
