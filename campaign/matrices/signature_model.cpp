#include "campaign/shrink/signature_model.hpp"

#include <string_view>

namespace warpcheck::campaign::shrink {
namespace {

class MatrixSignatureModel final : public SignatureModel {
 public:
  /// The name of the buffer is "A" or "A of the first call".
  bool is_empty(const Case& problem, const MemoryPlace& memory) const override {
    const std::string_view buffer = memory.name;
    const std::string_view matrix = buffer.substr(0, buffer.find(' '));
    if (problem.batch == 0) return true;
    if (matrix == "A") return problem.m == 0 || problem.k == 0;
    if (matrix == "B") return problem.k == 0 || problem.n == 0;
    return false;
  }

  bool integers_show_every_error() const override { return true; }

  /// An element that is not written holds poison if beta is 0.
  bool shows_unwritten(const Case& problem) const override { return problem.beta == 0.0; }

  bool keeps_output_without_terms(const Case& problem) const override {
    return problem.beta == 1.0;
  }

  bool has_one_term(const Case& problem) const override { return problem.k == 1; }

  bool lacks_terms(const Case& problem) const override { return problem.k == 0; }
};

}  // namespace

const SignatureModel& SignatureModel::of_matrices() {
  static const MatrixSignatureModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::shrink
