// The report that a person watches: one line a variant as soon as it is done, a block a finding,
// and at the end, of several variants, once more the lines of those that did not pass; then a
// summary. On a terminal also a line that lives while a variant is checked.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

#include "report/paint.hpp"
#include "report/report.hpp"

namespace warpcheck::report {

struct ConsoleOptions {
  bool live = false;         // a progress line: for terminals only
  bool colours = false;      // likewise
  bool quiet = false;        // only findings, the lines of what did not pass, and the summary
  bool cases = false;        // print each case line before its launch
  std::size_t columns = 80;  // of the terminal
  std::size_t name_width = 24;
  std::function<std::string(const properties::Case&)> replay_command;  // for the shell
};

class Console final : public Report {
 public:
  /// `out` outlives the console. Times are printed in seconds.
  Console(std::ostream& out, ConsoleOptions options);

  void found(const properties::campaign::FindingReport& finding) override;
  void noted(const properties::campaign::FindingReport& note) override;
  void finished(const properties::campaign::VariantReport& variant) override;
  void progress(const properties::campaign::Progress& progress) override;
  void launching(const properties::Case& problem) override;
  void fuzzing(const workflows::fuzz::FuzzProgress& progress) override;
  void fuzzed(const workflows::fuzz::FuzzReport& report) override;
  void drifted(const workflows::history::Drift& drift) override;
  void summary(const properties::campaign::CampaignReport& totals) override;

 private:
  /// Wipes the progress line, writes, and flushes: a crash must not swallow what was said.
  void say(const std::string& text);
  [[nodiscard]] std::string row(const properties::campaign::VariantReport& variant) const;
  void list_what_did_not_pass(const properties::campaign::CampaignReport& totals);
  /// The line that lives.
  void show(const std::string& line);

  std::ostream& out_;
  ConsoleOptions options_;
  Paint paint_;
  bool line_is_live_ = false;
};

}  // namespace warpcheck::report
