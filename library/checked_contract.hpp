// The variants of one contract, and the result of their last run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "library/include/warpcheck/warpcheck.h"
#include "properties/campaign/report.hpp"
#include "properties/generate/case_source.hpp"
#include "workflows/targets/case_lines.hpp"
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

  /// The line of case `index` of the variant, without strides beyond 32 bits.
  [[nodiscard]] std::string generate_case(const std::string& variant, std::uint64_t seed,
                                          std::int64_t index);
  /// The candidates of the shrinker for this case, of which none is accepted.
  [[nodiscard]] std::vector<std::string> simpler_cases(const std::string& line) const;

  [[nodiscard]] const std::vector<workflows::targets::Target>& targets() const { return targets_; }
  /// The verdict of each target.
  [[nodiscard]] const std::vector<std::string>& verdicts() const { return verdicts_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  std::string error;

 private:
  /// The generated cases of one variant and seed, kept because a source of cases is slow to make.
  struct Generator {
    std::string variant;
    std::uint64_t seed = 0;
    std::unique_ptr<properties::generate::CaseSource> cases;
  };

  void clear();
  [[nodiscard]] const workflows::targets::Target& target(const std::string& variant) const;
  [[nodiscard]] const workflows::targets::Target& target_of(
      const workflows::targets::LocatedCase& located) const;
  int finish(const properties::campaign::CampaignReport& totals, const Listener& listener);
  void report(const properties::campaign::FindingReport& finding, const Listener& listener);

  std::vector<workflows::targets::Target> targets_;
  Generator generator_;  // refers to a target
  std::vector<std::string> verdicts_;
  std::string text_;
};

}  // namespace warpcheck::library
