#include <utility>

#include "campaign/case/layout.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "campaign/run/problem.hpp"
#include "workflows/fuzz/features.hpp"
#include "workflows/fuzz/fuzz_model.hpp"
#include "workflows/fuzz/matrix_mutator.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using campaign::Case;
using contract::Contract;

class MatrixFuzzModel final : public FuzzModel {
 public:
  std::unique_ptr<Mutator> mutator(const Contract& contract, std::vector<std::int64_t> literals,
                                   std::vector<std::string> properties,
                                   const campaign::generate::SizeLimits& sizes) const override {
    return std::make_unique<MatrixMutator>(contract, std::move(literals), std::move(properties),
                                           sizes);
  }

  std::vector<std::vector<std::int64_t>> tiles(const Contract& contract) const override {
    std::vector<std::vector<std::int64_t>> sizes;
    for (auto& extent : campaign::generate::tiles(contract).extents) sizes.push_back(extent.sizes);
    return sizes;
  }

  FeatureFields fields(const Contract& contract, const Case& problem) const override {
    campaign::Layouts layouts =
        campaign::lay_out(contract, problem, campaign::run::kBufferLimitBytes);
    FeatureFields fields;
    fields.extents = {problem.m, problem.n, problem.k};
    fields.operands = {std::move(layouts.a), std::move(layouts.b), std::move(layouts.c)};
    fields.factors = {{factor_class(problem.alpha), factor_class(problem.beta)},
                      {problem.ta ? 1U : 0U, problem.tb ? 1U : 0U,
                       size_class(static_cast<std::uint64_t>(problem.batch))}};
    return fields;
  }

  double cost(const Case& problem) const override {
    const auto m = static_cast<double>(problem.m);
    const auto n = static_cast<double>(problem.n);
    const auto k = static_cast<double>(problem.k);
    return static_cast<double>(problem.batch) * (m + 1) * (n + 1) * (k + 1);
  }
};

}  // namespace

const FuzzModel& FuzzModel::of_matrices() {
  static const MatrixFuzzModel kModel;
  return kModel;
}

}  // namespace warpcheck::workflows::fuzz
