#include "properties/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "properties/campaign/programs.hpp"
#include "properties/campaign/variant_campaign.hpp"

namespace warpcheck::properties::campaign {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string stopped_text(const CampaignReport& report) {
  for (const VariantReport& variant : report.variants) {
    if (!variant.stopped_case) continue;
    return fmt::format("; the time limit stopped {} cases that were still running, first {}",
                       report.stopped, to_line(*variant.stopped_case));
  }
  return {};
}

/// Calls a listener from any thread, one call at a time.
class Announcer {
 public:
  explicit Announcer(Listener& listener) : listener_(listener) {}

  template <typename Event>
  void operator()(const Event& event) {
    const std::lock_guard lock(mutex_);
    event(listener_);
  }

 private:
  Listener& listener_;
  std::mutex mutex_;
};

}  // namespace

std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::finding:
      return "finding";
    case Verdict::mistrusted:
      return "mistrusted";
    case Verdict::unsupported:
      return "unsupported";
  }
  return {};
}

void add(std::vector<CheckedProperty>& checked, const CheckedProperty& more) {
  const auto same = std::find_if(checked.begin(), checked.end(),
                                 [&](const CheckedProperty& one) { return one.name == more.name; });
  if (same == checked.end()) {
    checked.push_back(more);
  } else {
    same->cases += more.cases;
    same->seconds += more.seconds;
  }
}

void list_properties(VariantReport& report, const std::vector<std::string>& names) {
  std::vector<CheckedProperty> listed;
  for (const std::string& name : names) add(listed, {name, 0, 0.0});
  for (const CheckedProperty& checked : report.properties) add(listed, checked);
  report.properties = std::move(listed);
}

void add(std::vector<UnsupportedForm>& forms, const UnsupportedForm& form) {
  const auto same = std::find_if(forms.begin(), forms.end(), [&](const UnsupportedForm& other) {
    return other.what.form == form.what.form;
  });
  if (same == forms.end()) {
    forms.push_back(form);
  } else {
    same->cases += form.cases;
  }
}

void CampaignReport::add(VariantReport variant) {
  failed += variant.verdict == Verdict::finding ? 1 : 0;
  mistrusted += variant.verdict == Verdict::mistrusted ? 1 : 0;
  unsupported += variant.verdict == Verdict::unsupported ? 1 : 0;
  cases += variant.cases;
  empty += variant.empty;
  stopped += variant.stopped;
  variants.push_back(std::move(variant));
}

void require_lines(VariantReport& report, coverage::ExecutedLines lines) {
  // Lines behind an instruction that the device could not execute are not counted.
  if (report.verdict != Verdict::pass && report.verdict != Verdict::mistrusted) return;
  if (!lines.unexecuted.empty()) report.verdict = Verdict::mistrusted;
  report.lines = std::move(lines);
}

void report_to(Listener& listener, const VariantReport& report) {
  for (const FindingReport& finding : report.findings) listener.found(finding);
  for (const FindingReport& note : report.notes) listener.noted(note);
  listener.finished(report);
}

InputError no_case_error(const CampaignReport& report, const CampaignOptions& options) {
  return request_error(fmt::format(
      "no case was run: {} variant{}, {} cases each{}, {}{}{}", report.variants.size(),
      report.variants.size() == 1 ? "" : "s", options.cases,
      options.shard.is_whole() ? std::string()
                               : fmt::format(" in {} shards, of which this is number {}",
                                             options.shard.of, options.shard.number),
      options.properties.empty()
          ? "all properties"
          : fmt::format("properties {}", fmt::join(options.properties, ", ")),
      report.empty == 0
          ? std::string()
          : fmt::format("; m or n is 0 in {} cases, which launch nothing", report.empty),
      stopped_text(report)));
}

CampaignReport run_campaign(std::span<const contract::Variant> variants, device::Device& device,
                            const CampaignOptions& options, Listener& listener, Journal* journal) {
  const Clock::time_point start = Clock::now();
  for (const std::string& name : options.properties) (void)checks::property(name);
  const unsigned jobs = job_count(options.jobs);
  Announcer announce(listener);
  Programs programs(device);
  CampaignReport report;
  const auto interrupted = [&] { return options.interrupted != nullptr && *options.interrupted; };
  for (std::size_t i = 0; i < variants.size() && !interrupted(); ++i) {
    const contract::Variant& variant = variants[i];
    announce([&](Listener& target) { target.started(variant); });
    const auto launching = [&](const Case& problem) {
      announce([&](Listener& target) { target.launching(problem); });
    };
    const auto progress = [&](std::int64_t cases, std::size_t findings, std::string_view activity) {
      const Progress now{variant.contract.name, i,        variants.size(),      cases,
                         options.cases,         findings, seconds_since(start), activity,
                         options.budget_seconds};
      announce([&](Listener& target) { target.progress(now); });
    };
    std::optional<Clock::time_point> deadline;
    if (options.budget_seconds > 0.0) {
      const double left = options.budget_seconds - seconds_since(start);
      deadline =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                             std::max(left, 0.0) / static_cast<double>(variants.size() - i)));
    }
    try {
      const RunContext context{variant, device, programs.of(variant), launching, options.strict};
      VariantReport finished =
          VariantCampaign(context, options, jobs, journal, progress).run(deadline);
      if (interrupted() && finished.cases == 0) break;
      announce([&](Listener& target) { report_to(target, finished); });
      report.add(std::move(finished));
    } catch (const InputError& error) {
      if (!options.continue_after_errors) throw;
      report.errors.push_back({variant.contract.name, error.diagnostics()});
      announce([&](Listener& target) { target.not_checked(report.errors.back()); });
    }
  }
  report.seconds = seconds_since(start);
  if (journal != nullptr && !interrupted()) journal->finished(report);
  if (report.cases == 0 && !options.continue_after_errors && !interrupted())
    throw no_case_error(report, options);
  return report;
}

}  // namespace warpcheck::properties::campaign
