#include "properties/interpret/interpret.hpp"

#include <algorithm>
#include <utility>

#include "properties/case/domain.hpp"
#include "properties/interpret/interpretation_model.hpp"

namespace warpcheck::properties::interpret {
namespace {

constexpr std::size_t kCases = 4;
constexpr std::int64_t kFailing = 3;  // of the cases

}  // namespace

std::vector<Interpretation> interpretations(const contract::Contract& contract) {
  return model_of<InterpretationModel>(contract).interpretations(contract);
}

std::optional<Correct> correct_interpretation(const contract::Variant& variant,
                                              const IsCorrect& is_correct) {
  const auto& model = model_of<InterpretationModel>(variant.contract);
  const std::vector<Case> cases = model.suitable_cases(variant.contract, kCases);
  if (cases.size() < kCases) return std::nullopt;
  const auto failed = std::count_if(cases.begin(), cases.end(), [&](const Case& problem) {
    return !is_correct(variant, problem);
  });
  if (failed < kFailing) return std::nullopt;
  for (Interpretation& other : model.interpretations(variant.contract)) {
    contract::Variant interpreted = variant;
    interpreted.contract = std::move(other.contract);
    const bool all = std::all_of(cases.begin(), cases.end(), [&](const Case& problem) {
      return !violated(interpreted.contract, problem) && is_correct(interpreted, problem);
    });
    if (all) return Correct{other.change, std::ssize(cases), failed};
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties::interpret
