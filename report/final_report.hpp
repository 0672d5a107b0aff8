// Reports that are written once, when a campaign is over.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/report.hpp"
#include "report/run/run_info.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {

/// A finished campaign with everything else that a report of it needs.
struct ReportContext {
  campaign::CampaignReport totals;
  std::vector<workflows::history::Drift> drifts;
  /// Returns a command for the shell.
  std::function<std::string(const campaign::Case&)> replay_command;
  /// Returns the file or folder of a variant; empty: it is built in.
  std::function<std::string(std::string_view variant)> path_of;
  /// Compiled sources of the variants that were checked, by file name.
  std::map<std::string, std::shared_ptr<const contract::Compiled>> sources = {};
  std::map<std::string, std::string> variant_sources = {};  // file of each of them
  workflows::history::CampaignTrend trend = {};
  Requirements requirements = {};
  std::vector<std::string> without_contract = {};            // .cu files
  std::vector<workflows::prove::VariantResult> proofs = {};  // empty: nothing was to be proved
  RunInfo run = {};
  bool is_program = false;  // the variants are kernels of a program, and the cases are their runs
  bool is_proof = false;    // the variants were proved, and no campaign ran

  /// The command that runs the smallest case of a finding again; empty: it has no case.
  [[nodiscard]] std::string replay_of(const campaign::FindingReport& finding) const {
    return finding.is_program() ? std::string() : replay_command(finding.smallest);
  }
  /// The proofs of a variant; null: it has none.
  [[nodiscard]] const workflows::prove::VariantResult* proof_of(std::string_view variant) const {
    const auto found =
        std::ranges::find(proofs, variant, &workflows::prove::VariantResult::variant);
    return found == proofs.end() ? nullptr : &*found;
  }
  /// "3 cases", "3 runs".
  [[nodiscard]] std::string cases_text(std::int64_t cases) const {
    return counted(cases, is_program ? "run" : "case");
  }
};

class FinalReport final : public Report {
 public:
  using Write = std::function<void(const ReportContext&)>;

  /// `context` has the functions that a report needs; events add the rest. `write` is called once,
  /// with the totals.
  FinalReport(ReportContext context, Write write)
      : context_(std::move(context)), write_(std::move(write)) {}

  void started(const contract::Variant& variant) override {
    if (!variant.compiled) return;
    context_.sources[variant.compiled->source_file] = variant.compiled;
    context_.variant_sources[variant.contract.name] = variant.compiled->source_file;
  }
  void compared(const workflows::history::CampaignTrend& trend) override { context_.trend = trend; }
  void drifted(const workflows::history::Drift& drift) override {
    context_.drifts.push_back(drift);
  }
  void proved(const workflows::prove::VariantResult& result) override {
    context_.proofs.push_back(result);
  }
  void without_contract(const std::vector<std::string>& files) override {
    context_.without_contract = files;
  }
  void evaluated(const Requirements& requirements) override {
    context_.requirements = requirements;
  }
  void summary(const campaign::CampaignReport& totals) override {
    context_.totals = totals;
    write_(context_);
  }

 private:
  ReportContext context_;
  Write write_;
};

}  // namespace warpcheck::report
