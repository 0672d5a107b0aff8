#include "campaign/judge/tile_model.hpp"

#include <algorithm>
#include <vector>

#include "campaign/case/tensor_case.hpp"

namespace warpcheck::campaign::judge {
namespace {

using contract::Contract;
using operation::Tensor;

class TensorTileModel final : public TileModel {
 public:
  Extents extents(const Contract& contract, std::string_view output) const override {
    const std::vector<Tensor>& tensors = contract.tensors->operation.outputs;
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const Tensor& one) { return one.name == output; });
    if (found == tensors.end() || found->shape.empty()) return {};
    const std::vector<std::string>& all = contract.tensors->operation.extents;
    // A size of a shape may also be a number or a sum.
    const auto extent = [&](const std::string& size) {
      return std::find(all.begin(), all.end(), size) == all.end() ? std::string() : size;
    };
    Extents extents;
    if (found->shape.size() == 2) extents.rows = extent(found->shape.front());
    extents.columns = extent(found->shape.back());
    return extents;
  }

  std::int64_t size(const Case& problem, const std::string& extent) const override {
    return tensor::extent(problem, extent);
  }

  Case resized(const Case& problem, const std::string& extent, std::int64_t size) const override {
    Case changed = problem;
    changed.set_value(extent, static_cast<double>(size));
    return changed;
  }

  Case with_tight_strides(const Contract& contract, const Case& problem) const override {
    Case tight = problem;
    for (const Tensor& tensor : contract.tensors->tensors) {
      const std::vector<std::string> taken = tensor::strides_taken(contract, tensor);
      std::erase_if(tight.values, [&](const NamedValue& field) {
        return std::find(taken.begin(), taken.end(), field.name) != taken.end();
      });
    }
    return tight;
  }

  bool is_affordable(const Contract& contract, const Case& problem) const override {
    constexpr double kMostSteps = 0x1p21;
    return tensor::work(contract, problem) <= kMostSteps;
  }
};

}  // namespace

const TileModel& TileModel::of_tensors() {
  static const TensorTileModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::judge
