#include "workflows/init/draft/trial.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/diagnostic.hpp"
#include "campaign/campaign.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/replay.hpp"
#include "contract/contract.hpp"
#include "contract/parameters/parameter_check.hpp"

namespace warpcheck::workflows::init {

using campaign::Case;
using campaign::VariantReport;
using campaign::Verdict;

namespace {

/// The name of each contract that is tried: the generated cases depend on it, and the guess must
/// not depend on the name of the kernel.
constexpr const char* kName = "guess";

Draft with_neutral_name(Draft draft) {
  draft.name = kName;
  return draft;
}

void rename(Case& problem, const Draft& draft) {
  problem.variant = draft.name;
  problem.operation = draft.operation_name();
}

/// Gives the results the names of the draft.
void rename(VariantReport& report, const Draft& draft) {
  report.variant = draft.name;
  for (auto* const findings : {&report.findings, &report.notes}) {
    for (campaign::FindingReport& one : *findings) {
      one.variant = draft.name;
      rename(one.original, draft);
      rename(one.smallest, draft);
    }
  }
  for (campaign::UnsupportedForm& form : report.unsupported) {
    rename(form.problem, draft);
  }
}

/// Changes a case so that it meets the equalities of a contract for square matrices.
Case inside_domain(const contract::Contract& contract, Case problem) {
  problem = campaign::normalized(contract, std::move(problem));
  if (!campaign::violated(contract, problem)) return problem;
  Case square = problem;
  for (const char* extent : {"m", "k"}) square.set_value(extent, problem.number("n"));
  return campaign::normalized(contract, std::move(square));
}

}  // namespace

contract::Variant Trial::variant_of(const Draft& draft) const {
  const std::string toml = to_toml(with_neutral_name(draft), false);
  std::vector<contract::Contract> contracts =
      contract::parse_contracts(toml, {"guessed contract", 1, 1});
  contract::Variant variant{std::move(contracts.front()), kernel_.compiled, {kernel_.entry}};
  std::vector<Diagnostic> errors = contract::check_parameters(
      variant.contract, variant.contract.launches.front(), kernel_.entry);
  if (!errors.empty()) throw InputError(std::move(errors));
  return variant;
}

std::array<Case, 4> Trial::shapes(const Draft& draft, const Screening& screening) {
  const std::int64_t tile = screening.tile;
  std::array<Case, kShapes> cases;
  const std::array<std::array<std::int64_t, 3>, kShapes> sizes = {
      {{tile, 2 * tile, 32}, {2 * tile, tile, 64}, {2 * tile, 2 * tile, 48}, {tile, tile, tile}}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case& problem = cases[i];
    problem.variant = kName;
    problem.set_value("m", sizes[i][0]);
    problem.set_value("n", sizes[i][1]);
    problem.set_value("k", sizes[i][2]);
    problem.set_value("batch", draft.takes("batch") ? 2 : 1);
    problem.set_value("beta", draft.takes("beta") ? screening.beta : 0.0);
    problem.seed = i + 1;
  }
  return cases;
}

bool Trial::passes(const Draft& draft, const Case& problem) const {
  try {
    const contract::Variant variant = variant_of(draft);
    campaign::Listener listener;
    const Case inside = inside_domain(variant.contract, problem);
    const auto replayed = campaign::replay(variant, inside, device_, listener);
    const Verdict verdict = replayed.report.verdict;
    return replayed.not_launched.empty() &&
           (verdict == Verdict::pass || verdict == Verdict::mistrusted);
  } catch (const InputError&) {
    return false;
  }
}

int Trial::passed_shapes(const Draft& draft, const Screening& screening, int best) const {
  int passed = 0;
  int left = kShapes;
  for (const Case& shape : shapes(draft, screening)) {
    if (passed + left-- <= best) break;
    if (passes(draft, shape)) ++passed;
  }
  return passed;
}

VariantReport Trial::check(const Draft& draft, const campaign::CampaignOptions& options) const {
  const contract::Variant variant = variant_of(draft);
  campaign::CampaignOptions chosen = options;
  chosen.jobs = jobs_;
  campaign::Listener listener;
  auto report = campaign::run_campaign(std::span(&variant, 1), device_, chosen, listener);
  rename(report.variants.front(), draft);
  return std::move(report.variants.front());
}

std::optional<VariantReport> Trial::check_if_valid(const Draft& draft,
                                                   const campaign::CampaignOptions& options) const {
  try {
    return check(draft, options);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace warpcheck::workflows::init
