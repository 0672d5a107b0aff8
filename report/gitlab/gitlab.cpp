#include "report/gitlab/gitlab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/cause/cause.hpp"
#include "report/finding/message.hpp"
#include "report/mistrust_text.hpp"
#include "report/path.hpp"
#include "report/unsupported_text.hpp"

namespace warpcheck::report {
namespace {

using campaign::UnsupportedForm;
using campaign::VariantReport;
using campaign::Verdict;

class Issues {
 public:
  explicit Issues(const ReportContext& context) : context_(context) {}

  void add(const Cause& cause) {
    const auto& first = *cause.findings.front();
    std::string text = cause_text(cause, context_);
    if (cause.is_known()) text += "\nKnown: " + first.known;
    const bool fails = cause.fails && !cause.is_known();
    add(name(first.finding.kind), text, fails ? "critical" : "info", place_of(first, context_),
        fingerprints_.of(first));
  }

  void add(const OtherProblem& problem) {
    add(problem.rule, problem.message, problem.rule == kNotProved ? "info" : "critical",
        problem.where, problem.fingerprint);
  }

  void add_mistrusted(const VariantReport& variant) {
    add("mistrusted", variant.variant + ": " + mistrusted_pass(variant), "major",
        source_of(variant.variant, context_),
        fingerprint("mistrusted", variant.variant + variant.device));
  }

  void add_unsupported(const VariantReport& variant, const UnsupportedForm& form) {
    const SourcePlace& source = form.what.source;
    add("unsupported",
        fmt::format("{}: {}: {}", variant.variant, unsupported_forms(variant.device, {form}),
                    reason_text(form.what)),
        "major", {source.file, source.line, 0},
        fingerprint("unsupported", variant.variant + variant.device + form.what.form));
  }

  void add_refusal(const std::string& reason) {
    add("not-run", "Nothing was checked: " + reason, "critical", {},
        fingerprint("not-run", reason));
  }

  [[nodiscard]] const nlohmann::ordered_json& all() const { return all_; }

 private:
  void add(std::string_view rule, const std::string& text, std::string_view severity,
           const Location& where, const std::string& fingerprint) {
    all_.push_back(
        {{"description", text},
         {"check_name", rule},
         {"fingerprint", fingerprint},
         {"severity", severity},
         {"location",
          {{"path", path_of(where.file)}, {"lines", {{"begin", std::max(where.line, 1U)}}}}}});
  }

  /// GitLab requires a path: without a file, it is that of the policy or the current folder.
  [[nodiscard]] std::string path_of(const std::string& file) const {
    const std::string shown = file.empty() ? context_.requirements.policy : file;
    if (shown.empty()) return ".";
    const std::string within = relative_to_repository(shown).string();
    return within.empty() ? shown : within;
  }

  const ReportContext& context_;
  Fingerprints fingerprints_;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
};

}  // namespace

std::string gitlab(const ReportContext& context) {
  Issues issues(context);
  if (!context.totals.not_run.empty()) issues.add_refusal(context.totals.not_run);
  for (const Cause& cause : causes(context.totals)) issues.add(cause);
  for (const OtherProblem& problem : other_problems(context)) issues.add(problem);
  for (const VariantReport& variant : context.totals.variants) {
    if (variant.verdict == Verdict::mistrusted) issues.add_mistrusted(variant);
    for (const UnsupportedForm& form : variant.unsupported) issues.add_unsupported(variant, form);
  }
  return issues.all().dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace warpcheck::report
