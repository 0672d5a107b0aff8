// The report that other programs read: one JSON object a line, written as it happens.
//   {"event":"finding", variant, device, class, case, smallest, file, line, message}
//     in a function that was inlined, also called_from: [{file, line}, ...], the kernel's line last
//     a race also has other_file, other_line, count and, where it is benign, "benign":true
//     of a case that was kept before, also regression: its file and line
//   {"event":"note", ...}: the same keys; told, but no failure
//   {"event":"variant", variant, device, verdict, cases, asked, power, seconds}
//   {"event":"fuzz", variant, device, verdict, cases, corpus, features, edges, edges_there,
//     findings, known, seconds}: of a search; also error_over_bound and first_after where there is
//     one
//   {"event":"drift", variant, device, since, cases, same_cases, typical_before, typical,
//     largest_before, largest, usual}: error over bound; the variant passes all the same
//   {"event":"summary", variants, failed, mistrusted, cases, seconds}
// With races not looked for, the summary says so: "unchecked":["race"].
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "report/report.hpp"

namespace warpcheck::report {

class JsonLines final : public Report {
 public:
  explicit JsonLines(std::unique_ptr<std::ostream> out, bool races_unchecked = false)
      : out_(std::move(out)), races_unchecked_(races_unchecked) {}

  /// Throws InputError where the file cannot be written.
  [[nodiscard]] static std::unique_ptr<JsonLines> to_file(const std::string& path,
                                                          bool races_unchecked = false);

  void found(const properties::campaign::FindingReport& finding) override;
  void noted(const properties::campaign::FindingReport& note) override;
  void finished(const properties::campaign::VariantReport& variant) override;
  void fuzzed(const workflows::fuzz::FuzzReport& report) override;
  void drifted(const workflows::history::Drift& drift) override;
  void summary(const properties::campaign::CampaignReport& totals) override;

 private:
  std::unique_ptr<std::ostream> out_;
  bool races_unchecked_;
};

}  // namespace warpcheck::report
