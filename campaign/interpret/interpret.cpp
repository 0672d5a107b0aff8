#include "campaign/interpret/interpret.hpp"

#include <algorithm>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/interpret/suitable_cases.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::interpret {
namespace {

constexpr std::size_t kCases = 4;
constexpr std::int64_t kFailing = 3;  // least number of failing cases

}  // namespace

std::optional<Correct> correct_interpretation(const contract::Variant& variant,
                                              const IsCorrect& is_correct, bool only_data) {
  std::vector<Interpretation> possible = interpretations(variant.contract);
  std::erase_if(possible, [&](const Interpretation& one) { return only_data && !one.is_of_data; });
  if (possible.empty()) return std::nullopt;
  const std::vector<Case> cases = suitable_cases(variant.contract, kCases);
  if (cases.size() < kCases) return std::nullopt;
  const auto failed = std::count_if(cases.begin(), cases.end(), [&](const Case& problem) {
    return !is_correct(variant, problem);
  });
  if (failed < kFailing) return std::nullopt;
  for (Interpretation& other : possible) {
    contract::Variant interpreted = variant;
    interpreted.contract = std::move(other.contract);
    std::vector<Case> valid = cases;
    if (other.is_of_data) {
      std::erase_if(valid, [&](const Case& problem) {
        return !can_be_laid_out(interpreted.contract, problem, run::kBufferLimitBytes);
      });
    }
    if (std::ssize(valid) < kFailing) continue;
    const bool all = std::all_of(valid.begin(), valid.end(), [&](const Case& problem) {
      return !violated(interpreted.contract, problem) && is_correct(interpreted, problem);
    });
    if (all) return Correct{other.change, std::ssize(valid), failed};
  }
  return std::nullopt;
}

}  // namespace warpcheck::campaign::interpret
