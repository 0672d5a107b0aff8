#include <cmath>
#include <cstdlib>
#include <utility>

#include "campaign/case/layout.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/run/problem.hpp"
#include "workflows/fuzz/features.hpp"
#include "workflows/fuzz/fuzz_model.hpp"
#include "workflows/fuzz/tensor_mutator.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using campaign::Case;
using contract::Contract;

class TensorFuzzModel final : public FuzzModel {
 public:
  std::unique_ptr<Mutator> mutator(const Contract& contract, std::vector<std::int64_t> literals,
                                   std::vector<std::string> properties,
                                   const campaign::generate::SizeLimits&) const override {
    return std::make_unique<TensorMutator>(contract, std::move(literals), std::move(properties));
  }

  std::vector<std::vector<std::int64_t>> tiles(const Contract& contract) const override {
    const std::size_t extents = contract.tensors->operation.extents.size();
    return std::vector(extents, campaign::generate::TensorDomain(contract).landmarks());
  }

  FeatureFields fields(const Contract& contract, const Case& problem) const override {
    const operation::Operation& operation = contract.tensors->operation;
    FeatureFields fields;
    for (const std::string& extent : operation.extents) {
      fields.extents.push_back(campaign::tensor::extent(problem, extent));
    }
    fields.operands =
        campaign::lay_out(contract, problem, campaign::run::kBufferLimitBytes).tensors;
    for (const std::string& scalar : operation.scalars) {
      fields.factors.push_back({factor_class(problem.value(scalar).value_or(1.0))});
    }
    return fields;
  }

  /// The product of the extents and scalars.
  double cost(const Case& problem) const override {
    double size = 1.0;
    for (const campaign::NamedValue& field : problem.values) {
      const bool is_layout = field.name.starts_with("stride_") || field.name.starts_with("off_");
      if (!is_layout) size *= 1.0 + std::abs(field.value);
    }
    return size;
  }
};

}  // namespace

const FuzzModel& FuzzModel::of_tensors() {
  static const TensorFuzzModel kModel;
  return kModel;
}

}  // namespace warpcheck::workflows::fuzz
