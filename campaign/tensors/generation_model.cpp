#include "campaign/generate/generation_model.hpp"

#include "campaign/case/normalized.hpp"
#include "campaign/generate/tensor_cases.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/generate/tensors/tensor_grid_limits.hpp"
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
                                         options.int32_overflow_strides,
                                         options.sizes.strict_launch);
  }

  std::optional<Case> small_case(const Contract& contract) const override {
    Case target;
    target.variant = contract.name;
    const TensorDomain domain(contract);
    const std::vector<std::string>& extents = contract.tensors->operation.extents;
    for (const std::string& extent : extents) target.set_value(extent, 1.0);
    if (auto found = domain.nearest(normalized(contract, target))) return found;
    for (const std::string& extent : extents) {
      for (const std::int64_t landmark : domain.landmarks()) {
        Case at = target;
        at.set_value(extent, static_cast<double>(landmark));
        if (auto found = domain.nearest(normalized(contract, at))) return found;
      }
    }
    return std::nullopt;
  }

  std::optional<Case> measured_case(const Contract& contract, const Case&,
                                    double steps) const override {
    return TensorDomain(contract).even_case(steps);
  }

  std::string target_text(const Case&) const override { return "of about equal extents"; }

  std::string_view condition_of_launches() const override { return {}; }

  std::vector<MissingLimit> missing_limits(const Contract& contract) const override {
    const TensorDomain domain(contract, true);
    return generate::missing_limits(contract, grid_extents_of_tensors(contract, domain),
                                    undeclared_axes_of_tensors(contract));
  }

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
