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
#include "campaign/campaign.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/checks/reference.hpp"
#include "campaign/replay.hpp"
#include "campaign/shrink/shrink.hpp"
#include "contract/compile/ptx_source.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/failure_block.hpp"
#include "report/finding/message.hpp"
#include "report/json/finding_json.hpp"
#include "report/mistrust_text.hpp"
#include "report/unsupported_text.hpp"
#include "report/verdict.hpp"

namespace warpcheck::library {
namespace {

using campaign::CampaignReport;
using campaign::FindingReport;
using campaign::VariantReport;
using campaign::Verdict;
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
  if (variant.verdict == Verdict::mistrusted) {
    return fmt::format("{}: {}\n", variant.variant, report::mistrusted_pass(variant));
  }
  std::string text = fmt::format("{}: {}", variant.variant, report::verdict(variant));
  for (const auto& form : variant.unsupported) {
    text += fmt::format(": {}: {}", report::form_text(form.what), report::reason_text(form.what));
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

std::string printed(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

LocatedCase located_case(const std::string& line) {
  return {campaign::parse_case(line), {"case", 1}, line};
}

}  // namespace

void CheckedContract::open(const std::string& path) {
  generators_.clear();
  targets_ = workflows::targets::resolve_targets(std::vector{path}, {},
                                                 workflows::targets::References::in_program);
  clear();
}

void CheckedContract::open_ptx(const std::string& ptx, const std::string& file,
                               const std::string& contract, const std::string& replay) {
  const contract::KernelSource source = contract::ptx_kernel_source(file, ptx, contract);
  for (contract::Variant& variant : contract::variants_of(source, contract::read_ptx(source))) {
    targets_.push_back({std::move(variant), file});
  }
  replay_ = replay;
  clear();
}

void CheckedContract::set_reference(const std::string& operation,
                                    const reference::ReferenceEntry& function) {
  const auto host = std::make_shared<reference::InProcess>(operation, function);
  bool is_found = false;
  for (Target& target : targets_) {
    contract::Contract& contract = target.variant.contract;
    if (contract.operation != operation) continue;
    if (!campaign::checks::set_reference(contract, host)) {
      throw request_error(fmt::format("operation '{}' already has a reference", operation));
    }
    is_found = true;
  }
  if (!is_found) {
    throw request_error(fmt::format("no variant has the operation '{}'", operation));
  }
  generators_.clear();
}

void CheckedContract::clear() {
  verdicts_.assign(targets_.size(), "");
  text_.clear();
  json_.clear();
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
  Generator& generator = generators_[variant];
  if (!generator.cases || generator.seed != seed) {
    generator = {seed, std::make_unique<campaign::generate::CaseGenerator>(
                           target(variant).variant, campaign::generate::CaseOptions{.seed = seed})};
  }
  return to_line(generator.cases->draw(index).problem);
}

std::vector<std::string> CheckedContract::simpler_cases(const std::string& line) const {
  const LocatedCase located = located_case(line);
  std::vector<std::string> simpler;
  for (const campaign::Case& one :
       campaign::shrink::simpler_cases(target_of(located).variant.contract, located.problem)) {
    simpler.push_back(to_line(one));
  }
  return simpler;
}

int CheckedContract::check(const warpcheck_check_options& options, const Listener& listener) {
  clear();
  campaign::CampaignOptions chosen;
  chosen.cases = options.cases;
  chosen.seed = options.seed;
  chosen.jobs = options.jobs;
  const auto device = device_of(options, 1);
  campaign::Listener none;
  return finish(
      campaign::run_campaign(workflows::targets::variants_of(targets_), *device, chosen, none),
      listener);
}

int CheckedContract::run_case(const std::string& line, const warpcheck_check_options& options,
                              const Listener& listener) {
  clear();
  const LocatedCase located = located_case(line);
  const Target& target = target_of(located);
  const auto device = device_of(options, job_count(options.jobs));
  campaign::Listener none;
  const auto replayed = campaign::replay(target.variant, located.problem, *device, none);
  if (!replayed.not_launched.empty()) {
    if (!campaign::has_no_output(target.variant.contract, located.problem)) {
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
  auto findings = nlohmann::ordered_json::array();
  auto notes = nlohmann::ordered_json::array();
  auto variants = nlohmann::ordered_json::array();
  for (const VariantReport& variant : totals.variants) {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].variant.contract.name == variant.variant) {
        verdicts_[i] = report::verdict(variant);
      }
    }
    for (const FindingReport& finding : variant.findings) {
      findings.push_back(report("finding", finding));
      text_ += findings.back()["text"].get<std::string>();
      notify(listener, finding, findings.back());
    }
    for (const FindingReport& note : variant.notes) notes.push_back(report("note", note));
    const std::string line = line_of_verdict(variant);
    text_ += line;
    variants.push_back(
        {{"variant", variant.variant}, {"verdict", report::verdict(variant)}, {"text", line}});
  }
  text_ += report::totals(totals).text() + "\n";
  json_ = printed({{"cases", totals.cases},
                   {"findings", std::move(findings)},
                   {"notes", std::move(notes)},
                   {"variants", std::move(variants)}});
  return status_of(totals);
}

std::string CheckedContract::replay_of(const FindingReport& finding) const {
  const std::string line = to_line(finding.smallest);
  const std::size_t place = replay_.find("{}");
  if (place != std::string::npos) return std::string(replay_).replace(place, 2, line);
  return fmt::format("warpcheck replay --device virtual --in {} {}",
                     shell_word(target(finding.variant).path), shell_word(line));
}

nlohmann::ordered_json CheckedContract::report(std::string_view event,
                                               const FindingReport& finding) {
  const std::string replay = replay_of(finding);
  auto json = report::finding_json(event, finding);
  json["replay"] = replay;
  json["text"] = event == "note" ? report::note_line(finding)
                                 : report::failure_block(finding, replay, report::Paint(false));
  return json;
}

void CheckedContract::notify(const Listener& listener, const FindingReport& finding,
                             const nlohmann::ordered_json& event) {
  if (!listener) return;
  const std::string line = to_line(finding.smallest);
  const std::string kind(name(finding.finding.kind));
  const std::string text = event["text"];
  const std::string message = report::message_text(finding.finding);
  const std::string json = printed(event);
  listener({finding.variant.c_str(), kind.c_str(), message.c_str(), line.c_str(),
            finding.finding.source.file.c_str(), finding.finding.source.line, text.c_str(),
            json.c_str()});
}

}  // namespace warpcheck::library
