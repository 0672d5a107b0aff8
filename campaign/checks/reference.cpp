#include "campaign/checks/reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "campaign/case/operand_layout.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/case/tensor_case.hpp"
#include "reference/evaluate/evaluate.hpp"

namespace warpcheck::campaign::checks {

namespace {

using contract::Contract;

class AllValues : public operation::HostFunction {
 public:
  [[nodiscard]] std::vector<operation::HostOutput> compute(
      const operation::HostCall& call) override {
    std::vector<operation::HostOutput> outputs;
    for (const std::size_t elements : call.outputs) {
      outputs.push_back({std::vector(elements, 0.0), std::vector(elements, HUGE_VAL)});
    }
    return outputs;
  }
};

}  // namespace

void require_reference(const Contract& contract) {
  if (!has_definition(contract) || contract.tensors->host != nullptr) return;
  reference::require_definition(contract.tensors->operation);
}

bool set_reference(Contract& contract, const std::shared_ptr<operation::HostFunction>& function) {
  if (!has_definition(contract)) return false;
  const operation::Operation& operation = contract.tensors->operation;
  if (!operation.statements.empty() || !operation.reference.empty()) return false;
  auto typed = std::make_shared<contract::TypedOperation>(*contract.tensors);
  typed->host = function;
  contract.tensors = std::move(typed);
  return true;
}

void accept_all_values(Contract& contract) {
  if (has_definition(contract) && contract.tensors->host != nullptr) return;
  (void)set_reference(contract, std::make_shared<AllValues>());
}

bool shows_terms(const Contract& contract, const Case& problem) {
  if (is_product(contract)) return product_shows_terms(problem);
  const std::vector<operation::Tensor>& inputs = contract.tensors->operation.inputs;
  return !has_no_output(contract, problem) &&
         std::any_of(inputs.begin(), inputs.end(), [&](const operation::Tensor& input) {
           return !tensor::has_no_element(problem, input);
         });
}

}  // namespace warpcheck::campaign::checks
