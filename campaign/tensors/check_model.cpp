#include "campaign/checks/check_model.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/tensors/comparison.hpp"
#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::campaign::checks {
namespace {

using contract::Contract;

bool takes_stride(const Contract& contract, bool outputs_only) {
  const std::vector<operation::Tensor>& tensors = contract.tensors->tensors;
  return std::any_of(tensors.begin(), tensors.end(), [&](const operation::Tensor& tensor) {
    return !tensor::strides_taken(contract, tensor).empty() &&
           (!outputs_only || contract.tensors->is_output(tensor.name));
  });
}

class TensorCheckModel final : public CheckModel {
 public:
  bool has(Trait trait, const Contract& contract) const override {
    if (trait == Trait::pads_outputs) return takes_stride(contract, true);
    return trait == Trait::pads_operands && takes_stride(contract, false);
  }

  void require_reference(const Contract& contract) const override {
    if (contract.tensors->host == nullptr) {
      reference::require_definition(contract.tensors->operation);
    }
  }

  bool set_reference(Contract& contract,
                     const std::shared_ptr<operation::HostFunction>& function) const override {
    const operation::Operation& operation = contract.tensors->operation;
    if (!operation.statements.empty() || !operation.reference.empty()) return false;
    auto typed = std::make_shared<contract::TypedOperation>(*contract.tensors);
    typed->host = function;
    contract.tensors = std::move(typed);
    return true;
  }

  bool bounds_every_order() const override { return true; }

  /// Some input has an element, and some output.
  bool shows_terms(const Contract& contract, const Case& problem) const override {
    const std::vector<operation::Tensor>& inputs = contract.tensors->operation.inputs;
    return !tensor::has_no_output(contract, problem) &&
           std::any_of(inputs.begin(), inputs.end(), [&](const operation::Tensor& input) {
             return !tensor::has_no_element(problem, input);
           });
  }

  Case overwriting(Case problem) const override { return problem; }

  /// Widens each stride that the kernel takes, and that is tight, by the least amount that
  /// `requires` allows.
  Case with_padding(const Contract& contract, Case problem) const override {
    constexpr std::int64_t kMost = 64;
    for (const operation::Tensor& tensor : contract.tensors->tensors) {
      for (const std::string& field : tensor::strides_taken(contract, tensor)) {
        const std::int64_t tight = tensor::tight_value(contract, problem, field);
        if (tensor::value_of(contract, problem, field) != tight) continue;
        for (std::int64_t more = 1; more <= kMost; ++more) {
          Case wider = problem;
          wider.set_value(field, static_cast<double>(tight + more));
          tensor::reset_short_strides(contract, wider);
          if (violated(contract, wider)) continue;
          if (can_be_laid_out(contract, wider, run::kBufferLimitBytes)) problem = wider;
          break;
        }
      }
    }
    return problem;
  }

  CheckResult compare(run::Runner& runner, const run::Problem& problem,
                      const run::Run& run) const override {
    return compare_tensors(runner, problem, run);
  }
};

}  // namespace

const CheckModel& CheckModel::of_tensors() {
  static const TensorCheckModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::checks
