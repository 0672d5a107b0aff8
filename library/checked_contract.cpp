#include "library/checked_contract.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "base/text/shell_word.hpp"
#include "device/virtual/virtual_device.hpp"
#include "properties/campaign/campaign.hpp"
#include "properties/campaign/replay.hpp"
#include "properties/case/tensor_case.hpp"
#include "properties/shrink/shrink.hpp"
#include "report/failure_block.hpp"
#include "report/json/finding_json.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"

namespace warpcheck::library {
namespace {

using properties::campaign::CampaignReport;
using properties::campaign::FindingReport;
using properties::campaign::VariantReport;
using properties::campaign::Verdict;
using workflows::targets::LocatedCase;
using workflows::targets::Target;

std::unique_ptr<device::Device> device_of(const warpcheck_check_options& options,
                                          unsigned threads) {
  const std::string_view name = options.device == nullptr ? "virtual" : options.device;
  if (name != "virtual") {
    throw EnvironmentError(fmt::format(
        "found device {}, expected virtual: the library has no other one; `warpcheck check` has",
        name));
  }
  return device::make_virtual_device({.host_threads = threads});
}

std::string line_of_verdict(const VariantReport& variant) {
  if (!variant.findings.empty() || variant.verdict == Verdict::pass) return {};
  std::string text = fmt::format("{}: {}", variant.variant, report::verdict(variant));
  for (const auto& form : variant.unsupported) {
    text += fmt::format(": {}: {}", report::form_text(form.what), form.what.reason);
  }
  return text + "\n";
}

int status_of(const CampaignReport& totals) {
  switch (report::outcome_of(totals, {})) {
    case report::Outcome::passed:
      return WARPCHECK_OK;
    case report::Outcome::failed:
      return WARPCHECK_FINDINGS;
    case report::Outcome::error:
      return WARPCHECK_ERROR;
    case report::Outcome::undecided:
      break;
  }
  return WARPCHECK_UNSUPPORTED;
}

bool has_no_output(const contract::Contract& contract, const properties::Case& problem) {
  if (contract.tensors == nullptr) return problem.is_empty();
  return properties::tensor::has_no_output(contract, problem);
}

LocatedCase located_case(const std::string& line) {
  return {properties::parse_case(line), {"case", 1}, line};
}

}  // namespace

void CheckedContract::open(const std::string& path) {
  generator_ = {};
  targets_ = workflows::targets::resolve_targets(std::vector{path});
  clear();
}

void CheckedContract::clear() {
  verdicts_.assign(targets_.size(), "");
  text_.clear();
}

const Target& CheckedContract::target(const std::string& variant) const {
  const auto found = std::find_if(targets_.begin(), targets_.end(), [&](const Target& one) {
    return one.variant.contract.name == variant;
  });
  if (found == targets_.end()) {
    throw request_error(fmt::format("the contract has no variant '{}'", variant));
  }
  return *found;
}

const Target& CheckedContract::target_of(const LocatedCase& located) const {
  const Target& found = target(located.problem.variant);
  workflows::targets::require_no_ignored_field(found.variant.contract, located);
  return found;
}

std::string CheckedContract::generate_case(const std::string& variant, std::uint64_t seed,
                                           std::int64_t index) {
  if (index < 0) throw request_error(fmt::format("found case {}, expected at least 0", index));
  if (!generator_.cases || generator_.variant != variant || generator_.seed != seed) {
    generator_ = {};
    generator_ = {variant, seed,
                  properties::generate::make_cases(target(variant).variant, {.seed = seed})};
  }
  return to_line(generator_.cases->draw(index).problem);
}

std::vector<std::string> CheckedContract::simpler_cases(const std::string& line) const {
  const LocatedCase located = located_case(line);
  std::vector<std::string> simpler;
  const auto reject = [&](const properties::Case& candidate) {
    simpler.push_back(to_line(candidate));
    return false;
  };
  (void)properties::shrink::shrink(target_of(located).variant.contract, located.problem, reject,
                                   {.deadline = std::chrono::steady_clock::time_point::max()});
  return simpler;
}

int CheckedContract::check(const warpcheck_check_options& options, const Listener& listener) {
  clear();
  properties::campaign::CampaignOptions chosen;
  chosen.cases = options.cases;
  chosen.seed = options.seed;
  chosen.jobs = options.jobs;
  const auto device = device_of(options, 1);
  properties::campaign::Listener none;
  return finish(properties::campaign::run_campaign(workflows::targets::variants_of(targets_),
                                                   *device, chosen, none),
                listener);
}

int CheckedContract::run_case(const std::string& line, const warpcheck_check_options& options,
                              const Listener& listener) {
  clear();
  const LocatedCase located = located_case(line);
  const Target& target = target_of(located);
  const auto device = device_of(options, job_count(options.jobs));
  properties::campaign::Listener none;
  const auto replayed =
      properties::campaign::replay(target.variant, located.problem, *device, none);
  if (!replayed.not_launched.empty()) {
    if (!has_no_output(target.variant.contract, located.problem)) {
      throw request_error(fmt::format("nothing was launched: {}", replayed.not_launched));
    }
    verdicts_[static_cast<std::size_t>(&target - targets_.data())] = "not launched";
    text_ =
        fmt::format("{}: not launched: {}\n", target.variant.contract.name, replayed.not_launched);
    return WARPCHECK_OK;
  }
  CampaignReport totals;
  totals.add(replayed.report);
  return finish(totals, listener);
}

int CheckedContract::finish(const CampaignReport& totals, const Listener& listener) {
  for (const VariantReport& variant : totals.variants) {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].variant.contract.name == variant.variant) {
        verdicts_[i] = report::verdict(variant);
      }
    }
    for (const FindingReport& finding : variant.findings) report(finding, listener);
    text_ += line_of_verdict(variant);
  }
  text_ += report::totals(totals).text() + "\n";
  return status_of(totals);
}

void CheckedContract::report(const FindingReport& finding, const Listener& listener) {
  const std::string line = to_line(finding.smallest);
  const std::string replay =
      fmt::format("warpcheck replay --device virtual --in {} {}",
                  shell_word(target(finding.variant).path), shell_word(line));
  const std::string text = report::failure_block(finding, replay, report::Paint(false));
  text_ += text;
  if (!listener) return;
  auto json = report::finding_json("finding", finding);
  json["replay"] = replay;
  const std::string event = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string kind(name(finding.finding.kind));
  listener({finding.variant.c_str(), kind.c_str(), finding.finding.message.c_str(), line.c_str(),
            finding.finding.source.file.c_str(), finding.finding.source.line, text.c_str(),
            event.c_str()});
}

}  // namespace warpcheck::library
