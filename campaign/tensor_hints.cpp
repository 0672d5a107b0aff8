#include <algorithm>
#include <vector>

#include "campaign/case/tensor_case.hpp"
#include "campaign/hint_model.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign {
namespace {

using operation::Tensor;

class TensorHintModel final : public HintModel {
 public:
  Names names(const contract::Contract& contract, const Case&,
              const Placement& place) const override {
    const std::vector<Tensor>& tensors = contract.tensors->tensors;
    const Tensor& tensor = *std::find_if(tensors.begin(), tensors.end(),
                                         [&](const Tensor& one) { return one.name == place.name; });
    if (tensor::takes_stride(contract, tensor)) {
      return {tensor.name, contract::stride_field(tensor.name)};
    }
    const std::string size = tensor.shape.empty() ? "1" : tensor.shape.back();
    return {tensor.name, size.find(' ') == std::string::npos ? size : "(" + size + ")"};
  }

  std::optional<Case> with_gaps(const contract::Contract& contract, const Case& problem,
                                const Placement& place, std::int64_t gap) const override {
    const std::string field = contract::stride_field(place.name);
    if (names(contract, problem, place).leading != field) return std::nullopt;
    Case other = problem;
    other.set_value(field, static_cast<double>(place.leading + gap));
    return other;
  }

  Advice advice_if_intended(const contract::Contract&, const FindingReport&) const override {
    return {};
  }

  bool shows_undefined(const FindingReport&, const FindingReport&) const override { return false; }

  void distinguish_factors(Case&) const override {}
};

}  // namespace

const HintModel& HintModel::of_tensors() {
  static const TensorHintModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign
