#include "properties/campaign/hint_model.hpp"

#include <cctype>
#include <string_view>

namespace warpcheck::properties::campaign {
namespace {

/// The name of the distance between two lines of a matrix: "lda", or "k" if A is always tight.
std::string_view leading_name(const contract::Contract& contract, const Case& problem,
                              const Placement& place) {
  using contract::ArgumentWord;
  const bool by_rows = place.layout == contract::Layout::row;
  if (place.name == "A") {
    if (contract.takes(ArgumentWord::lda)) return "lda";
    return by_rows != problem.ta ? "k" : "m";
  }
  if (place.name == "B") {
    if (contract.takes(ArgumentWord::ldb)) return "ldb";
    return by_rows != problem.tb ? "n" : "k";
  }
  if (contract.takes(ArgumentWord::ldc)) return "ldc";
  return by_rows ? "n" : "m";
}

class MatrixHintModel final : public HintModel {
 public:
  Names names(const contract::Contract& contract, const Case& problem,
              const Placement& place) const override {
    const auto letter = static_cast<char>(std::tolower(place.name.front()));
    return {std::string(1, letter), std::string(leading_name(contract, problem, place))};
  }
};

}  // namespace

const HintModel& HintModel::of_matrices() {
  static const MatrixHintModel kModel;
  return kModel;
}

}  // namespace warpcheck::properties::campaign
