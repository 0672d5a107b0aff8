// Reports that are made of a whole campaign when it is over, and of nothing before that.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/report.hpp"

namespace warpcheck::report {

/// A campaign that is over, and what else a report needs to tell of it.
struct ReportContext {
  properties::campaign::CampaignReport totals;
  std::vector<workflows::history::Drift> drifts;
  /// For the shell.
  std::function<std::string(const properties::Case&)> replay_command;
  /// The file or folder of a variant; empty: it is built in.
  std::function<std::string(std::string_view variant)> path_of;
  /// Those of the variants that were checked, by their files; none where nothing was.
  std::map<std::string, std::shared_ptr<const contract::Compiled>> sources = {};
  workflows::history::CampaignTrend pasts = {};
};

class FinalReport final : public Report {
 public:
  using Write = std::function<void(const ReportContext&)>;

  /// `told` has what else a report needs; `write` is called once, with the totals.
  FinalReport(ReportContext told, Write write) : told_(std::move(told)), write_(std::move(write)) {}

  void started(const contract::Variant& variant) override {
    if (variant.compiled) told_.sources[variant.compiled->source_file] = variant.compiled;
  }
  void remembered(const workflows::history::CampaignTrend& pasts) override { told_.pasts = pasts; }
  void drifted(const workflows::history::Drift& drift) override { told_.drifts.push_back(drift); }
  void summary(const properties::campaign::CampaignReport& totals) override {
    told_.totals = totals;
    write_(told_);
  }

 private:
  ReportContext told_;
  Write write_;
};

}  // namespace warpcheck::report
