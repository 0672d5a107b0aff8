// The variants of one contract, and the result of their last run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/generate/cases.hpp"
#include "campaign/report.hpp"
#include "library/include/warpcheck/warpcheck.h"
#include "reference/host/host_call.hpp"
#include "workflows/targets/case_lines.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::library {

class CheckedContract {
 public:
  using Listener = std::function<void(const warpcheck_finding&)>;

  /// Throws InputError and EnvironmentError, as the other functions do.
  void open(const std::string& path);
  /// `replay` is the call that replays a case, with {} for its line.
  void open_ptx(const std::string& ptx, const std::string& file, const std::string& contract,
                const std::string& replay);

  /// Sets the reference of an operation that has none.
  void set_reference(const std::string& operation, const reference::ReferenceEntry& function);

  /// Both return a status of warpcheck.h.
  int check(const warpcheck_check_options& options, const Listener& listener);
  int run_case(const std::string& line, const warpcheck_check_options& options,
               const Listener& listener);

  /// The line of case `index` of the variant, without strides beyond 32 bits.
  [[nodiscard]] std::string generate_case(const std::string& variant, std::uint64_t seed,
                                          std::int64_t index);
  /// The simpler cases of the domain, as campaigns shrink.
  [[nodiscard]] std::vector<std::string> simpler_cases(const std::string& line) const;

  [[nodiscard]] const std::vector<workflows::targets::Target>& targets() const { return targets_; }
  /// The verdict of each target.
  [[nodiscard]] const std::vector<std::string>& verdicts() const { return verdicts_; }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::string& json() const { return json_; }

  std::string error;

 private:
  /// The generated cases of one seed, kept because a source of cases is slow to make.
  struct Generator {
    std::uint64_t seed = 0;
    std::unique_ptr<campaign::generate::CaseGenerator> cases;
  };

  void clear();
  [[nodiscard]] const workflows::targets::Target& target(const std::string& variant) const;
  [[nodiscard]] const workflows::targets::Target& target_of(
      const workflows::targets::LocatedCase& located) const;
  int finish(const campaign::CampaignReport& totals, const Listener& listener);
  [[nodiscard]] std::string replay_of(const campaign::FindingReport& finding) const;
  [[nodiscard]] nlohmann::ordered_json report(std::string_view event,
                                              const campaign::FindingReport& finding);
  static void notify(const Listener& listener, const campaign::FindingReport& finding,
                     const nlohmann::ordered_json& event);

  std::vector<workflows::targets::Target> targets_;
  std::map<std::string, Generator> generators_;  // the keys are variants; values refer to targets
  std::vector<std::string> verdicts_;
  std::string text_;
  std::string json_;
  std::string replay_;  // replays a case of PTX without a file; empty: use the command
};

}  // namespace warpcheck::library
