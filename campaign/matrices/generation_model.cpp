#include "campaign/generate/generation_model.hpp"

#include <fmt/format.h>

#include "campaign/generate/cases.hpp"
#include "campaign/generate/constraints/domain_rules.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/matrices/index_limits.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Variant;

class MatrixGenerationModel final : public GenerationModel {
 public:
  std::unique_ptr<CaseSource> cases(const Variant& variant,
                                    const CaseOptions& options) const override {
    return std::make_unique<CaseGenerator>(variant, options.seed, options.int32_overflow_strides,
                                           options.max_size, options.sizes);
  }

  std::unique_ptr<CaseSource> cases(const Contract& contract,
                                    const CaseOptions& options) const override {
    return std::make_unique<CaseGenerator>(contract, options.seed, options.int32_overflow_strides,
                                           options.max_size, options.sizes);
  }

  std::optional<Case> measured_case(const Contract& contract, const Case& target,
                                    double) const override {
    return Solver(contract).project(target);
  }

  std::string target_text(const Case& target) const override {
    return fmt::format("near m={} n={} k={}", target.m, target.n, target.k);
  }

  std::vector<IndexLimit> index_limits(const Variant& variant,
                                       bool has_sparse_memory) const override {
    return index_limits_of_product(variant, has_sparse_memory);
  }

  /// Nothing is launched if m or n is 0.
  std::vector<EmptyLaunch> empty_launches(const Contract&) const override { return {}; }
};

}  // namespace

const GenerationModel& GenerationModel::of_matrices() {
  static const MatrixGenerationModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::generate
