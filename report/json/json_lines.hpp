// The output of --json: one JSON object per line, written when the event happens. The keys are
// defined in docs/schema/events.schema.json.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"
#include "report/run/run_info.hpp"

namespace warpcheck::report {

class JsonLines final : public Report {
 public:
  explicit JsonLines(std::unique_ptr<std::ostream> out, bool races_unchecked = false)
      : out_(std::move(out)), races_unchecked_(races_unchecked) {}

  /// Throws InputError if the file cannot be opened. With `races_unchecked`, the summary lists
  /// races as unchecked.
  [[nodiscard]] static std::unique_ptr<JsonLines> to_file(const std::string& path,
                                                          bool races_unchecked = false);

  /// Returns the command that runs a case again; without it, findings have no "replay".
  using ReplayCommand = std::function<std::string(const campaign::Case&)>;

  /// The variants are the kernels of a program.
  void set_program() { is_program_ = true; }

  /// Writes the event "start", which is the first, and adds the replay command to all findings.
  void start(const RunInfo& run, ReplayCommand replay_command);

  void found(const campaign::FindingReport& finding) override;
  void noted(const campaign::FindingReport& note) override;
  void finished(const campaign::VariantReport& variant) override;
  void not_checked(const contract::TargetError& error) override;
  void fuzzed(const workflows::fuzz::FuzzReport& report) override;
  void drifted(const workflows::history::Drift& drift) override;
  void proved(const workflows::prove::VariantResult& result) override;
  void without_contract(const std::vector<std::string>& files) override;
  void evaluated(const Requirements& requirements) override { requirements_ = requirements; }
  /// Throws EnvironmentError if a line could not be written, for example because the disk is full.
  void summary(const campaign::CampaignReport& campaign) override;

 private:
  void write_finding(std::string_view event_kind, const campaign::FindingReport& report);

  std::unique_ptr<std::ostream> out_;
  std::string file_;  // empty: the standard output
  bool races_unchecked_;
  bool is_program_ = false;
  ReplayCommand replay_command_;
  Requirements requirements_;
  std::vector<workflows::prove::VariantResult> proofs_;
};

}  // namespace warpcheck::report
