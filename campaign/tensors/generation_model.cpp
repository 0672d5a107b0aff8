#include "campaign/generate/generation_model.hpp"

#include "campaign/generate/tensor_cases.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/tensors/index_limits.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::Contract;
using contract::Variant;

class TensorGenerationModel final : public GenerationModel {
 public:
  std::unique_ptr<CaseSource> cases(const Variant& variant,
                                    const CaseOptions& options) const override {
    return cases(variant.contract, options);
  }

  std::unique_ptr<CaseSource> cases(const Contract& contract,
                                    const CaseOptions& options) const override {
    return std::make_unique<TensorCases>(contract, options.seed, options.max_size,
                                         options.int32_overflow_strides, options.sizes);
  }

  std::optional<Case> measured_case(const Contract& contract, const Case&,
                                    double steps) const override {
    return TensorDomain(contract).even_case(steps);
  }

  std::string target_text(const Case&) const override { return "of about equal extents"; }

  std::vector<IndexLimit> index_limits(const Variant& variant,
                                       bool has_sparse_memory) const override {
    return index_limits_of_tensors(variant, has_sparse_memory);
  }

  std::vector<EmptyLaunch> empty_launches(const Contract& contract) const override {
    return empty_launches_of_tensors(contract);
  }
};

}  // namespace

const GenerationModel& GenerationModel::of_tensors() {
  static const TensorGenerationModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::generate
