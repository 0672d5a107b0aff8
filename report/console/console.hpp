// The report on the terminal: one line per variant when it is done, one block per finding, and at
// the end, for several variants, the lines of those that did not pass again; then a summary. Shows
// the progress between them.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/paint.hpp"
#include "report/progress/progress_display.hpp"
#include "report/report.hpp"

namespace warpcheck::report {

struct ConsoleOptions {
  ProgressOptions progress;
  bool colours = false;  // used on terminals only
  bool quiet = false;  // prints findings, lines of variants that did not pass, and the summary only
  bool verbose = false;  // prints each case line before its launch, and all details of findings
  std::size_t columns = 100;  // width of the terminal; findings are wrapped there
  std::size_t name_width = 24;
  // Returns a command for the shell.
  std::function<std::string(const campaign::Case&)> replay_command;
};

class Console final : public Report {
 public:
  /// `out` outlives the console. Times are printed in seconds.
  Console(std::ostream& out, ConsoleOptions options);

  void found(const campaign::FindingReport& finding) override;
  void noted(const campaign::FindingReport& note) override;
  void finished(const campaign::VariantReport& variant) override;
  void progress(const campaign::Progress& progress) override;
  void launching(const campaign::Case& problem) override;
  void not_checked(const contract::TargetError& error) override;
  void without_contract(const std::vector<std::string>& files) override;
  void evaluated(const Requirements& requirements) override { requirements_ = requirements; }
  void fuzzing(const workflows::fuzz::FuzzProgress& progress) override;
  void fuzzed(const workflows::fuzz::FuzzReport& report) override;
  void drifted(const workflows::history::Drift& drift) override;
  void proved(const workflows::prove::VariantResult& result) override;
  void summary(const campaign::CampaignReport& totals) override;

 private:
  /// Erases the progress line, writes the text and flushes, so that a crash loses no output.
  void print(const std::string& text);
  void print_unsupported(std::string_view variant, std::string_view device,
                         const std::vector<campaign::UnsupportedForm>& forms);
  [[nodiscard]] std::string row(const campaign::VariantReport& variant) const;
  void list_not_passed(const campaign::CampaignReport& totals);
  void list_not_checked(const campaign::CampaignReport& totals);
  std::ostream& out_;
  ConsoleOptions options_;
  Paint paint_;
  Requirements requirements_;
  std::map<std::string, std::string, std::less<>> proved_;  // "6 of 6", by variant
  // The latest progress, and the cases of the variants before.
  ProgressDisplay progress_;
};

}  // namespace warpcheck::report
