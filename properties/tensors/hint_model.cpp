#include "properties/campaign/hint_model.hpp"

namespace warpcheck::properties::campaign {
namespace {

class TensorHintModel final : public HintModel {
 public:
  std::vector<Case> cases_to_map(const contract::Contract&, const Case& failing) const override {
    return {failing};
  }

  Names names(const contract::Contract&, const Case&, const Placement&) const override {
    return {};
  }
};

}  // namespace

const HintModel& HintModel::of_tensors() {
  static const TensorHintModel kModel;
  return kModel;
}

}  // namespace warpcheck::properties::campaign
