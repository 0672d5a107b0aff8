#include "campaign/run/run_model.hpp"

#include <algorithm>
#include <vector>

#include "campaign/case/tensor_case.hpp"
#include "campaign/run/buffer_adder.hpp"
#include "campaign/run/launches.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::run {
namespace {

using contract::Contract;

class TensorRunModel final : public RunModel {
 public:
  Operands operands(const Contract& contract, const Case& problem) const override {
    Operands tensors;
    tensors.tensors = generate::tensor_values(*contract.tensors, problem);
    return tensors;
  }

  void add_operands(Problem& problem, BufferAdder& adder) const override {
    const std::vector<Placement>& tensors = problem.layouts.tensors;
    const contract::TypedOperation& typed = *problem.variant->contract.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const bool is_output = i >= typed.operation.inputs.size();
      const auto values = problem.operands.tensors.find(is_output ? typed.tensors[i].updates
                                                                  : typed.tensors[i].name);
      adder.add_tensor(i, tensors[i],
                       values == problem.operands.tensors.end() ? nullptr : &values->second,
                       is_output ? device::Access::read_write : device::Access::read_only);
      if (!is_output) continue;
      if (i + 1 == tensors.size()) {
        problem.output = i;
      } else {
        problem.other_outputs.push_back(i);
      }
    }
  }

  void receive_scalars(Problem& problem) const override { run::receive_scalars(problem); }

  std::int64_t workspace_bytes(const Contract&, const Case&) const override { return 0; }

  double most_instructions(const Contract& contract, const Case& problem) const override {
    // A function such as exp takes about 20 instructions, a step of a loop 8. A simple kernel also
    // computes intermediate tensors again for each element that reads them.
    constexpr double kPerStep = 1024.0;
    constexpr double kLeast = 1 << 23;
    return kLeast + kPerStep * tensor::work(contract, problem);
  }

  std::uint64_t compulsory_bytes(const Problem& problem) const override {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < problem.layouts.tensors.size(); ++i) {
      all += packed_bytes(problem, i);
    }
    return all;
  }

  ScalarType half_format(const Contract& contract) const override {
    const auto& types = contract.tensors->types;
    const bool has_bf16 = std::any_of(types.begin(), types.end(), [](const auto& tensor) {
      return tensor.second == ScalarType::bf16;
    });
    return has_bf16 ? ScalarType::bf16 : ScalarType::f16;
  }
};

}  // namespace

const RunModel& RunModel::of_tensors() {
  static const TensorRunModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::run
