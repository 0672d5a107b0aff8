#include "properties/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/closest_word.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/errors.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"

namespace warpcheck::properties {
namespace {

bool has_valid_layout(const Contract& contract, const Case& problem) {
  return campaign::can_be_laid_out(contract, problem, run::kBufferLimitBytes);
}

}  // namespace

std::span<const Law> laws() {
  // The cases of a campaign take their laws in this order.
  static const std::vector<Law> kLaws = {kMatchesReference,
                                         kWritesEveryElement,
                                         kWritesOnlyItsMatrix,
                                         kReadsOnlyItsOperands,
                                         kLeavesInputsAlone,
                                         kBetaZeroIgnoresC,
                                         kAlphaZeroIgnoresAAndB,
                                         kKZeroScalesC,
                                         kPowerOfTwoScalingIsExact,
                                         kPermutingRowsPermutesRows,
                                         kOneHotPicksTheNamedElement,
                                         kOneProductIsRoundedOnce,
                                         kTwoProductsAreAddedOnce,
                                         kSameBitsTwice,
                                         kWiderLayoutSameBits,
                                         kSecondCallOtherPointers,
                                         kBatchInvariance,
                                         kPermutingSlicesPermutesSlices,
                                         kEmptyGroupsChangeNothing,
                                         kUnreadElementsStayOut,
                                         kWaitsForThePredecessor};
  return kLaws;
}

const Law& law(std::string_view name) {
  if (name.empty()) return laws().front();
  const auto found =
      std::ranges::find_if(laws(), [&](const Law& entry) { return entry.name == name; });
  if (found != laws().end()) return *found;
  std::vector<std::string_view> names;
  for (const Law& entry : laws()) names.push_back(entry.name);
  throw request_error(unknown("property", name, names));
}

Case adapted(const Law& law, const Contract& contract, const Case& problem) {
  Case changed = law.adapted(contract, problem);
  changed.property = law.name;
  return normalized(contract, changed);
}

std::optional<Case> adapted_to_domain(const Law& law, const Contract& contract,
                                      const Case& problem) {
  if (!law.applies(contract)) return std::nullopt;
  Case changed = adapted(law, contract, problem);
  if (violated(contract, changed)) return std::nullopt;
  // A case that is invalid as it stands is an error of its author, which its run reports.
  if (!has_valid_layout(contract, changed) && has_valid_layout(contract, problem)) {
    return std::nullopt;
  }
  return changed;
}

CheckResult check_law(const Law& law, const run::Context& context, const Case& problem,
                      bool locate) {
  if (context.before_launch) context.before_launch(problem);
  // The layout is checked before any data is generated or allocated.
  const campaign::Layouts layouts =
      lay_out(context.variant.contract, problem, run::kBufferLimitBytes);
  if (layouts.any_packed() && !context.device.is_sparse()) {
    throw case_error(problem, "",
                     fmt::format("lines lie so far apart that a matrix takes more than {} bytes: "
                                 "the {} device does not hold it",
                                 run::kBufferLimitBytes, context.device.name()));
  }
  run::Runner runner(context, locate);
  CheckResult result;
  try {
    result = law.check(runner, problem);
  } catch (const run::UnsupportedRun&) {
    result.launched = true;
  }
  result.jobs = runner.jobs();
  result.unsupported = runner.unsupported();
  result.notes = runner.notes();
  return result;
}

}  // namespace warpcheck::properties
