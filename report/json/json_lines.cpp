#include "report/json/json_lines.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/diagnostic.hpp"
#include "report/json/finding_json.hpp"
#include "report/json/proof_json.hpp"
#include "report/json/requirement_json.hpp"
#include "report/json/start_json.hpp"
#include "report/path.hpp"
#include "report/verdict.hpp"
#include "report/whole_file.hpp"
#include "workflows/fuzz/fuzzer.hpp"

namespace warpcheck::report {
namespace {

using Json = nlohmann::ordered_json;

/// The lines of each file that no case executed.
Json unexecuted_json(const campaign::coverage::ExecutedLines& lines) {
  Json files = Json::array();
  std::string file;
  for (const campaign::coverage::SourceLine& line : lines.unexecuted) {
    if (files.empty() || line.file != file) {
      file = line.file;
      files.push_back({{"file", relative_path(file)}, {"lines", Json::array()}});
    }
    files.back()["lines"].push_back(line.line);
  }
  return files;
}

Json properties_json(const std::vector<campaign::CheckedProperty>& properties) {
  Json cases = Json::object();
  for (const auto& checked : properties) cases[checked.name] = checked.cases;
  return cases;
}

/// The status of each property of a variant, by its name.
Json statuses_json(const workflows::prove::VariantResult& proof) {
  Json statuses = Json::object();
  for (const auto& one : proof.properties) {
    statuses[std::string(name(one.proof.property))] = name(one.status());
  }
  return statuses;
}

/// The number of properties with each status.
Json counts_json(const std::vector<workflows::prove::VariantResult>& proofs) {
  using workflows::prove::Status;
  Json counts = Json::object();
  for (const Status status : {Status::proved, Status::refuted, Status::unknown}) {
    std::size_t count = 0;
    for (const auto& proof : proofs) count += proof.count(status);
    counts[std::string(name(status))] = count;
  }
  return counts;
}

/// Bytes that are not UTF-8 (a message may quote a source file) become U+FFFD, so that the line is
/// valid JSON.
void write_line(std::ostream& out, const Json& event) {
  out << event.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

}  // namespace

std::unique_ptr<JsonLines> JsonLines::to_file(const std::string& path, bool races_unchecked) {
  auto file = std::make_unique<std::ofstream>(path);
  if (!*file) {
    Diagnostic error;
    error.where.file = path;
    error.message = std::string("cannot be written: ") + std::strerror(errno);
    throw InputError(std::move(error));
  }
  auto lines = std::make_unique<JsonLines>(std::move(file), races_unchecked);
  lines->file_ = path;
  return lines;
}

void JsonLines::start(const RunInfo& run, ReplayCommand replay_command) {
  replay_command_ = std::move(replay_command);
  *out_ << start_json(run) << '\n' << std::flush;
}

void JsonLines::write_finding(std::string_view event_kind, const campaign::FindingReport& report) {
  Json event = finding_json(event_kind, report);
  if (replay_command_ && !report.is_program()) {
    event["replay"] = replay_command_(report.smallest);
  }
  write_line(*out_, event);
}

void JsonLines::found(const campaign::FindingReport& report) { write_finding("finding", report); }

void JsonLines::noted(const campaign::FindingReport& report) { write_finding("note", report); }

void JsonLines::finished(const campaign::VariantReport& report) {
  for (const campaign::UnsupportedForm& form : report.unsupported) {
    write_line(*out_, unsupported_json(report.variant, report.device, form));
  }
  if (is_program_) {
    write_line(*out_, {{"event", "exec_kernel"},
                       {"kernel", report.variant},
                       {"verdict", verdict(report)},
                       {"runs", report.cases},
                       {"seconds", report.seconds}});
    return;
  }
  // No loss of a term would have been detected without a comparison.
  const double sensitivity = report.unsupported.empty() ? 1.0 : 0.0;
  Json event = {{"event", "variant"},
                {"variant", report.variant},
                {"device", report.device},
                {"verdict", verdict(report)},
                {"cases", report.cases},
                {"empty", report.empty},
                {"in_domain", report.acceptance.share()},
                {"sensitivity", report.sensitivity.value_or(sensitivity)},
                {"level_coverage", report.level_coverage.share()},
                {"pair_coverage", report.pair_coverage.share()},
                {"triples", report.triple_coverage.share()},
                {"seconds", report.seconds}};
  if (report.error_over_bound) event["error_over_bound"] = number_json(*report.error_over_bound);
  if (!report.properties.empty()) event["properties"] = properties_json(report.properties);
  for (const workflows::prove::VariantResult& proof : proofs_) {
    if (proof.variant == report.variant) event["proofs"] = statuses_json(proof);
  }
  if (report.stopped != 0) event["stopped"] = report.stopped;
  if (report.lines) {
    event["lines"] = report.lines->required;
    event["unexecuted"] = unexecuted_json(*report.lines);
  }
  write_line(*out_, event);
}

void JsonLines::fuzzed(const workflows::fuzz::FuzzReport& report) {
  for (const campaign::UnsupportedForm& form : report.unsupported) {
    write_line(*out_, unsupported_json(report.variant, report.device, form));
  }
  const workflows::fuzz::FuzzProgress& reached = report.reached;
  Json event = {{"event", "fuzz"},
                {"variant", report.variant},
                {"device", report.device},
                {"verdict", report.findings.empty() ? name(report.verdict())
                                                    : name(report.findings.front().finding.kind)},
                {"cases", reached.cases},
                {"corpus", reached.corpus},
                {"features", reached.features},
                {"edges", reached.edges},
                {"edges_total", reached.edges_total},
                {"findings", report.findings.size()},
                {"known", report.known},
                {"seconds", reached.seconds}};
  if (reached.error_over_bound) event["error_over_bound"] = *reached.error_over_bound;
  if (report.first_after) event["first_after"] = *report.first_after;
  write_line(*out_, event);
}

void JsonLines::drifted(const workflows::history::Drift& drift) {
  write_line(*out_, {{"event", "drift"},
                     {"variant", drift.variant},
                     {"device", drift.device},
                     {"since", drift.since},
                     {"cases", drift.cases},
                     {"same_cases", drift.same_cases},
                     {"typical_before", drift.before.typical},
                     {"typical", drift.now.typical},
                     {"largest_before", drift.before.largest},
                     {"largest", drift.now.largest},
                     {"usual", drift.usual}});
}

void JsonLines::proved(const workflows::prove::VariantResult& result) {
  *out_ << proof_json(result) << std::flush;
  proofs_.push_back(result);
}

void JsonLines::not_checked(const contract::TargetError& error) {
  for (const Json& event : error_json(error)) write_line(*out_, event);
}

void JsonLines::without_contract(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    write_line(*out_, {{"event", "without-contract"}, {"file", shown_path(file)}});
  }
}

void JsonLines::summary(const campaign::CampaignReport& campaign) {
  const Totals all = totals(campaign, requirements_);
  if (!campaign.not_run.empty()) {
    write_line(*out_, {{"event", "not-run"}, {"message", campaign.not_run}});
  }
  if (!requirements_.all.empty()) write_line(*out_, gate_json(campaign, requirements_));
  Json event = {{"event", "summary"},
                {"verdict", name(outcome_of(campaign, requirements_))},
                {"variants", campaign.variants.size()},
                {"failed", all.failed + all.not_met},
                {"known", all.known},
                {"errors", all.not_checked},
                {"mistrusted", all.mistrusted},
                {"unsupported", all.unsupported},
                {"cases", campaign.cases},
                {"empty", campaign.empty},
                {"seconds", campaign.seconds}};
  if (!proofs_.empty()) event["proofs"] = counts_json(proofs_);
  if (campaign.stopped != 0) event["stopped"] = campaign.stopped;
  if (races_unchecked_) event["unchecked"] = {name(FindingClass::race)};
  errno = 0;
  write_line(*out_, event);
  require_written(*out_, file_.empty() ? "the standard output" : file_);
}

}  // namespace warpcheck::report
