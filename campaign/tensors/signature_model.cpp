#include "campaign/shrink/signature_model.hpp"

#include <algorithm>

namespace warpcheck::campaign::shrink {
namespace {

class TensorSignatureModel final : public SignatureModel {
 public:
  bool is_empty(const Case&, const MemoryPlace& memory) const override {
    return memory.extent == 0U;
  }

  /// The mean of a row of integers may be 0, so that a wrong variance does not show.
  bool integers_show_every_error() const override { return false; }

  /// An output that updates an input holds its values.
  bool shows_unwritten(const Case&) const override { return false; }

  bool keeps_output_without_terms(const Case&) const override { return false; }

  bool has_one_term(const Case&) const override { return false; }

  /// An extent is 0, or a scalar, which can be the factor of all terms. A case has no other field
  /// of this value: those of the layout are left out.
  bool lacks_terms(const Case& problem) const override {
    return std::any_of(problem.values.begin(), problem.values.end(),
                       [](const NamedValue& field) { return field.value == 0.0; });
  }
};

}  // namespace

const SignatureModel& SignatureModel::of_tensors() {
  static const TensorSignatureModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::shrink
