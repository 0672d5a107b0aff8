// The variants of one contract, and the result of their last run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "library/include/warpcheck/warpcheck.h"
#include "properties/campaign/report.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::library {

class CheckedContract {
 public:
  using Listener = std::function<void(const warpcheck_finding&)>;

  /// Throws InputError and EnvironmentError, as the other functions do.
  void open(const std::string& path);

  /// Both return a status of warpcheck.h.
  int check(const warpcheck_check_options& options, const Listener& listener);
  int run_case(const std::string& line, const warpcheck_check_options& options,
               const Listener& listener);

  [[nodiscard]] const std::vector<workflows::targets::Target>& targets() const { return targets_; }
  /// The verdict of each target.
  [[nodiscard]] const std::vector<std::string>& verdicts() const { return verdicts_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  std::string error;

 private:
  void clear();
  int finish(const properties::campaign::CampaignReport& totals, const Listener& listener);
  void report(const properties::campaign::FindingReport& finding, const Listener& listener);

  std::vector<workflows::targets::Target> targets_;
  std::vector<std::string> verdicts_;
  std::string text_;
};

}  // namespace warpcheck::library
