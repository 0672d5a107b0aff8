#include "properties/interpret/interpretation_model.hpp"

namespace warpcheck::properties::interpret {
namespace {

using contract::Contract;

class TensorInterpretationModel final : public InterpretationModel {
 public:
  std::vector<Interpretation> interpretations(const Contract&) const override { return {}; }

  std::vector<Case> suitable_cases(const Contract&, std::size_t) const override { return {}; }
};

}  // namespace

const InterpretationModel& InterpretationModel::of_tensors() {
  static const TensorInterpretationModel kModel;
  return kModel;
}

}  // namespace warpcheck::properties::interpret
