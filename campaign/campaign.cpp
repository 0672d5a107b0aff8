#include "campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "campaign/programs.hpp"
#include "campaign/variant_queue.hpp"

namespace warpcheck::campaign {
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

  /// Drops the event during another one.
  template <typename Event>
  void try_to(const Event& event) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) event(listener_);
  }

 private:
  Listener& listener_;
  std::mutex mutex_;
};

/// The campaigns of all variants, and their events.
class CampaignRun {
 public:
  CampaignRun(std::span<const contract::Variant> variants, device::Device& device,
              const CampaignOptions& options, Listener& listener, Journal* journal)
      : variants_(variants),
        device_(device),
        options_(options),
        announce_(listener),
        journal_(journal),
        programs_(device),
        queue_(
            variants.size(), job_count(options.jobs),
            {.open = [this](std::size_t i) { return open(i); },
             .finished = [this](std::size_t i, VariantReport one) { finished(i, std::move(one)); },
             .failed = [this](std::size_t i, const std::exception_ptr& error) { failed(i, error); },
             .interrupted = [this] { return interrupted(); }}) {}

  CampaignReport run() {
    start(0);
    queue_.run();
    report_.seconds = seconds_since(start_);
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool interrupted() const {
    return options_.interrupted != nullptr && *options_.interrupted;
  }

  std::unique_ptr<VariantCampaign> open(std::size_t index) {
    const contract::Variant& variant = variants_[index];
    contexts_[index] = std::make_unique<run::Context>(
        run::Context{variant, device_, programs_.of(variant),
                     [this](const Case& problem) {
                       announce_([&](Listener& target) { target.launching(problem); });
                     },
                     options_.strict});
    std::unique_ptr<VariantJournal> journal;
    if (journal_ != nullptr) journal = journal_->open(variant.contract.name);
    return std::make_unique<VariantCampaign>(
        *contexts_[index], options_, std::move(journal),
        [this, index](std::int64_t cases, std::size_t findings, std::string_view activity) {
          progress(index, cases, findings, activity);
        },
        deadline_of(index));
  }

  /// The remaining variants share the remaining time.
  [[nodiscard]] std::optional<Clock::time_point> deadline_of(std::size_t index) const {
    if (options_.budget_seconds <= 0.0) return {};
    const double left = std::max(options_.budget_seconds - seconds_since(start_), 0.0);
    const auto at_once = static_cast<double>(queue_.at_once());
    const double share = std::min(at_once / static_cast<double>(variants_.size() - index), 1.0);
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(left * share));
  }

  /// Shows the first variant that is not finished.
  void progress(std::size_t index, std::int64_t cases, std::size_t findings,
                std::string_view activity) {
    const std::int64_t before = cases_[index].exchange(cases);
    const std::int64_t all_cases = all_cases_ += cases - before;
    if (index != queue_.front()) return;
    const Progress now{.variant = variants_[index].contract.name,
                       .index = index,
                       .variants = variants_.size(),
                       .cases = cases,
                       .planned = options_.cases,
                       .findings = findings,
                       .seconds = seconds_since(start_),
                       .activity = activity,
                       .budget_seconds = options_.budget_seconds,
                       .all_cases = all_cases};
    announce_.try_to([&](Listener& target) { target.progress(now); });
  }

  void start(std::size_t index) {
    if (index == variants_.size() || interrupted()) return;
    announce_([&](Listener& target) { target.started(variants_[index]); });
  }

  void finished(std::size_t index, VariantReport finished) {
    if (interrupted() && finished.cases == 0) return;
    announce_([&](Listener& target) { report_to(target, finished); });
    report_.add(std::move(finished));
    start(index + 1);
  }

  void failed(std::size_t index, const std::exception_ptr& exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const InputError& error) {
      if (!options_.continue_after_errors) throw;
      report_.errors.push_back({variants_[index].contract.name, error.diagnostics()});
      announce_([&](Listener& target) { target.not_checked(report_.errors.back()); });
    }
    start(index + 1);
  }

  Clock::time_point start_ = Clock::now();
  std::span<const contract::Variant> variants_;
  device::Device& device_;
  const CampaignOptions& options_;
  Announcer announce_;
  Journal* journal_;
  Programs programs_;
  std::vector<std::unique_ptr<run::Context>> contexts_ =
      std::vector<std::unique_ptr<run::Context>>(variants_.size());
  // Counted, of each variant.
  std::vector<std::atomic<std::int64_t>> cases_ =
      std::vector<std::atomic<std::int64_t>>(variants_.size());
  std::atomic<std::int64_t> all_cases_ = 0;
  CampaignReport report_;
  VariantQueue queue_;
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
          : fmt::format("; the output is empty in {} cases, which launch nothing", report.empty),
      stopped_text(report)));
}

CampaignReport run_campaign(std::span<const contract::Variant> variants, device::Device& device,
                            const CampaignOptions& options, Listener& listener, Journal* journal) {
  for (const std::string& name : options.properties) (void)properties::law(name);
  CampaignReport report = CampaignRun(variants, device, options, listener, journal).run();
  const bool interrupted = options.interrupted != nullptr && *options.interrupted;
  if (journal != nullptr && !interrupted) journal->finished(report);
  if (report.cases == 0 && !options.continue_after_errors && !interrupted)
    throw no_case_error(report, options);
  return report;
}

}  // namespace warpcheck::campaign
