#include "tests/kernels/checked_law.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <cstdlib>
#include <sstream>
#include <unordered_map>

#include "base/text/shell_word.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "campaign/shrink/cases_of.hpp"
#include "report/finding/message.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::uint64_t kSeed = 20261121;

using NoReproduction = std::unordered_map<std::string, rc::detail::Reproduce>;

rc::detail::TestParams parameters(int cases) {
  rc::detail::TestParams chosen;
  chosen.seed = kSeed;
  if (std::getenv("RC_PARAMS") != nullptr) {
    chosen.seed = rc::detail::configuration().testParams.seed;
  }
  chosen.maxSuccess = cases;
  return chosen;
}

int successes(const rc::detail::TestResult& result) {
  if (result.is<rc::detail::SuccessResult>()) {
    return result.get<rc::detail::SuccessResult>().numSuccess;
  }
  if (result.is<rc::detail::GaveUpResult>()) {
    return result.get<rc::detail::GaveUpResult>().numSuccess;
  }
  if (result.is<rc::detail::FailureResult>()) {
    return result.get<rc::detail::FailureResult>().numSuccess;
  }
  return 0;
}

}  // namespace

LawChecker::LawChecker(const contract::Variant& variant, device::Device& device,
                       const generate::CaseOptions& options)
    : variant_(variant),
      device_(device),
      program_(device.load(variant.compiled->ptx, variant.compiled->ptx_file)),
      cases_(shrink::cases_of(variant, options)) {}

CheckedLaw LawChecker::check(const properties::Law& law, int cases) const {
  const run::Context context{variant_, device_, *program_};
  CheckedLaw checked;
  const auto holds = [&] {
    const auto problem = properties::adapted_to_domain(law, variant_.contract, *cases_);
    RC_PRE(problem.has_value());
    const checks::CheckResult result = check_law(law, context, *problem, true);
    RC_PRE(result.launched);
    if (result.evidence.empty()) return;
    const Finding& finding = result.evidence.front().finding;
    if (checked.finding && checked.finding->kind != finding.kind) return;
    checked.finding = finding;
    checked.problem = *problem;
    RC_FAIL(fmt::format("{}: {}", name(finding.kind), report::message_text(finding)));
  };
  const rc::detail::TestParams chosen = parameters(cases);
  rc::detail::TestListenerAdapter listener;
  const auto result = rc::detail::checkTestable(holds, rc::detail::TestMetadata{}, chosen, listener,
                                                NoReproduction{});
  checked.launched = successes(result);
  checked.failed = result.is<rc::detail::FailureResult>() || result.is<rc::detail::Error>();
  std::ostringstream text;
  if (checked.finding) text << replay_command(checked.problem) << '\n';
  text << "RC_PARAMS=\"seed=" << chosen.seed << "\" generates the same cases\n";
  printResultMessage(result, text);
  checked.text = text.str();
  return checked;
}

std::string LawChecker::replay_command(const Case& problem) const {
  return fmt::format("warpcheck replay --device {} --in {} {}", device_.name(),
                     shell_word(variant_.compiled->source_file), shell_word(to_line(problem)));
}

}  // namespace warpcheck::campaign
