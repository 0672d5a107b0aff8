// The problems of a campaign as formats for code review list them: one per cause. Findings of the
// same class at the same source line have one cause, for any number of cases and variants.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/final_report.hpp"

namespace warpcheck::report {

struct Cause {
  // Ordered as the variants.
  std::vector<const campaign::FindingReport*> findings;
  bool fails = false;  // true: a finding; false: only notes

  /// True if the policy of a gate accepts all findings.
  [[nodiscard]] bool is_known() const;
};

/// Findings first, then notes, of each variant. The causes point into the campaign.
[[nodiscard]] std::vector<Cause> causes(const campaign::CampaignReport& campaign);

/// Returns the variant, the class, the message, the diagnosis and the notes. Adds the smallest case
/// and its replay command or, for a program, the innermost call of each stack.
[[nodiscard]] std::string cause_text(const Cause& cause, const ReportContext& context);

/// The line of the finding; without one, the source or the folder of its variant. The file is empty
/// if the variant has none.
[[nodiscard]] Location place_of(const campaign::FindingReport& report,
                                const ReportContext& context);

/// The source of a variant; empty: unknown.
[[nodiscard]] Location source_of(const std::string& variant, const ReportContext& context);

/// The line of the finding; empty if the excerpt has none.
[[nodiscard]] std::string source_line(const campaign::run::Excerpt& excerpt);

/// Fingerprints of findings: they depend on the class, the file and the text of the line without
/// blanks, so that they stay the same when lines move; without a line, on the class, the variant
/// and the property. Equal lines of a file have equal hashes; a number after the hash distinguishes
/// them, as in GitHub's own fingerprints.
class Fingerprints {
 public:
  [[nodiscard]] std::string of(const campaign::FindingReport& report);

 private:
  std::map<std::string, int> seen_;
};

/// The fingerprint of a problem that is no finding. `name` identifies it in every run.
[[nodiscard]] std::string fingerprint(std::string_view rule, std::string_view name);

inline constexpr std::string_view kSourceError = "source-error";
inline constexpr std::string_view kUnmetRequirement = "unmet-requirement";
inline constexpr std::string_view kNotProved = "not-proved";

/// A target that could not be checked, a requirement that is not met, or a property that is unknown
/// after a proof, which is no failure.
struct OtherProblem {
  std::string_view rule;  // kSourceError, kUnmetRequirement or kNotProved
  std::string message;
  Location where;  // the file is empty if there is none
  std::string fingerprint;
};

[[nodiscard]] std::vector<OtherProblem> other_problems(const ReportContext& context);

}  // namespace warpcheck::report
