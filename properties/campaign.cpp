#include "properties/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "properties/asking.hpp"
#include "properties/domain.hpp"
#include "properties/errors.hpp"
#include "properties/generate/cases.hpp"
#include "properties/investigate.hpp"
#include "properties/programs.hpp"

namespace warpcheck::properties {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFindings = 3;         // of a variant
constexpr std::int64_t kCasesAfterFinding = 24;  // to see whether there is another one

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// The listener, from whatever thread.
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

class VariantCampaign {
 public:
  VariantCampaign(const Bench& bench, const CampaignOptions& options, unsigned jobs,
                  std::function<void(std::int64_t cases, std::string_view activity)> progress)
      : bench_(bench),
        options_(options),
        jobs_(jobs),
        progress_(std::move(progress)),
        agenda_(options.properties, bench.variant.contract),
        generator_(bench.variant.contract, options.seed, bench.device.is_sparse()) {
    report_.variant = bench.variant.contract.name;
    report_.device = bench.device.name();
  }

  /// Until the cases, the time (empty: no limit) or the patience with a failing variant is at an
  /// end.
  VariantReport run(std::optional<Clock::time_point> deadline) {
    const Clock::time_point start = Clock::now();
    const std::int64_t chunk = 16 * static_cast<std::int64_t>(jobs_);
    for (std::int64_t first = 0; first < options_.cases && !ended_; first += chunk) {
      if (deadline && first > 0 && Clock::now() >= *deadline) break;
      const auto results = asked_cases(first, std::min(first + chunk, options_.cases));
      for (std::size_t i = 0; i < results.size() && !ended_; ++i) {
        merge(results[i], first + static_cast<std::int64_t>(i));
      }
      progress_(report_.cases, "checking");
    }
    for (const Suspect& suspect : suspects_) report(suspect);
    if (!report_.findings.empty()) {
      report_.verdict = Verdict::finding;
    } else if (judged_ > 0 && trusted_ == 0) {
      report_.verdict = Verdict::mistrusted;
    }
    report_.power = judged_ > 0 ? powers_ / static_cast<double>(judged_) : 1.0;
    report_.seconds = seconds_since(start);
    return std::move(report_);
  }

 private:
  /// Runs cases first to last - 1 on all threads; results in the order of the cases.
  std::vector<CaseResult> asked_cases(std::int64_t first, std::int64_t last) {
    std::vector<CaseResult> results(static_cast<std::size_t>(last - first));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < results.size(); i = next++) {
        try {
          const std::int64_t index = first + static_cast<std::int64_t>(i);
          results[i] = asked_case(bench_, agenda_, generator_.draw(index), index);
        } catch (...) {
          results[i].error = std::current_exception();
        }
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::min<std::size_t>(jobs_, results.size()); ++i) {
      threads.emplace_back(work);
    }
    work();
    for (std::thread& thread : threads) thread.join();
    return results;
  }

  void merge(const CaseResult& result, std::int64_t index) {
    if (result.error) std::rethrow_exception(result.error);
    ++report_.asked.drawn;
    if (result.drawn.excluded_by) {
      ++excluded_[*result.drawn.excluded_by];
    } else {
      ++report_.asked.inside;
    }
    name_main_obstacle();
    if (result.asked) ++report_.cases;
    if (result.power) weigh(*result.power, result.shows_terms);
    for (const Suspect& note : result.notes) take_note(note);
    for (const Suspect& suspect : result.suspects) {
      const bool known = std::any_of(suspects_.begin(), suspects_.end(), [&](const Suspect& other) {
        return same_finding(suspect.evidence.finding, other.evidence.finding);
      });
      if (!known && suspects_.size() < kMostFindings) suspects_.push_back(suspect);
      // A launch that was refused says nothing of what the kernel does.
      const bool ran = !was_refused(suspect.evidence.finding);
      if (ran && patience_ends_at_ < 0) patience_ends_at_ = index + kCasesAfterFinding;
    }
    ended_ =
        suspects_.size() == kMostFindings || (patience_ends_at_ >= 0 && index >= patience_ends_at_);
  }

  void take_note(const Suspect& note) {
    const bool known =
        std::any_of(report_.notes.begin(), report_.notes.end(), [&](const FindingReport& other) {
          return same_places(other.finding, note.evidence.finding);
        });
    if (known) return;
    report_.notes.push_back(report_of(bench_, *note.property, note.problem, note.evidence));
  }

  /// A case that is not meant to show terms may be trusted for itself, but says nothing about the
  /// others.
  void weigh(double power, bool shows_terms) {
    if (power == 0.0) ++report_.mistrusted;
    if (!shows_terms) return;
    ++judged_;
    if (power > 0.0) ++trusted_;
    powers_ += power;
  }

  void name_main_obstacle() {
    std::int64_t most = 0;
    for (const auto& [conjunct, count] : excluded_) {
      if (count <= most) continue;
      most = count;
      report_.asked.excluded_by = conjunct;
    }
  }

  /// Two suspects may turn out to be one finding when they have been shrunk and located.
  void report(const Suspect& suspect) {
    progress_(report_.cases, "shrinking");
    Bench bench = bench_;
    bench.before_launch = [&, before = bench_.before_launch](const Case& problem) {
      if (before) before(problem);
      progress_(report_.cases, "shrinking");
    };
    FindingReport found = investigate(
        bench, suspect, {options_.shrink, options_.shrink_seconds, options_.shrink_launches});
    const bool known = std::any_of(
        report_.findings.begin(), report_.findings.end(), [&](const FindingReport& other) {
          return other.finding.kind == found.finding.kind &&
                 other.finding.source.line == found.finding.source.line &&
                 other.finding.source.file == found.finding.source.file;
        });
    if (!known) report_.findings.push_back(std::move(found));
  }

  const Bench& bench_;
  const CampaignOptions& options_;
  unsigned jobs_;
  std::function<void(std::int64_t, std::string_view)> progress_;
  Agenda agenda_;
  CaseGenerator generator_;
  VariantReport report_;
  std::vector<Suspect> suspects_;
  std::map<std::string, std::int64_t> excluded_;
  std::int64_t judged_ = 0;   // cases with terms, compared with the reference
  std::int64_t trusted_ = 0;  // of them: with power
  double powers_ = 0.0;       // of them together
  std::int64_t patience_ends_at_ = -1;
  bool ended_ = false;
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
  }
  return {};
}

CampaignReport run_campaign(std::span<const kernels::Variant> variants, device::Device& device,
                            const CampaignOptions& options, Listener& listener) {
  const Clock::time_point start = Clock::now();
  for (const std::string& name : options.properties) (void)property(name);
  const unsigned jobs =
      options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  Announcer announce(listener);
  Programs programs(device);
  CampaignReport report;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const kernels::Variant& variant = variants[i];
    announce([&](Listener& hears) { hears.started(variant); });
    const Bench bench{
        variant, device, programs.of(variant),
        [&](const Case& problem) { announce([&](Listener& hears) { hears.launching(problem); }); },
        options.strict_races};
    const auto progress = [&](std::int64_t cases, std::string_view activity) {
      const Progress now{variant.contract.name, i,       variants.size(), cases, options.cases,
                         seconds_since(start),  activity};
      announce([&](Listener& hears) { hears.progress(now); });
    };
    std::optional<Clock::time_point> deadline;
    if (options.budget_seconds > 0.0) {
      const double left = options.budget_seconds - seconds_since(start);
      deadline =
          Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                             std::max(left, 0.0) / static_cast<double>(variants.size() - i)));
    }
    VariantReport done = VariantCampaign(bench, options, jobs, progress).run(deadline);
    for (const FindingReport& finding : done.findings) {
      announce([&](Listener& hears) { hears.found(finding); });
    }
    for (const FindingReport& note : done.notes) {
      announce([&](Listener& hears) { hears.noted(note); });
    }
    announce([&](Listener& hears) { hears.finished(done); });
    report.failed += done.verdict == Verdict::finding ? 1 : 0;
    report.mistrusted += done.verdict == Verdict::mistrusted ? 1 : 0;
    report.cases += done.cases;
    report.variants.push_back(std::move(done));
  }
  report.seconds = seconds_since(start);
  if (report.cases == 0) {
    throw request_error(fmt::format(
        "no case was asked: {} variants, {} cases each, {}", variants.size(), options.cases,
        options.properties.empty()
            ? "all properties"
            : fmt::format("properties {}", fmt::join(options.properties, ", "))));
  }
  return report;
}

ReplayReport replay(const kernels::Variant& variant, const Case& problem, device::Device& device,
                    Listener& listener, bool strict_races) {
  const Clock::time_point start = Clock::now();
  const Property& asked = property(problem.property);
  if (!asked.applies(variant.contract)) {
    throw request_error(fmt::format("{} says nothing about {}", asked.name, variant.contract.name));
  }
  Programs programs(device);
  const Bench bench{variant, device, programs.of(variant),
                    [&](const Case& line) { listener.launching(line); }, strict_races};
  const Case line = adapted(asked, variant.contract, problem);
  const Answer answer = ask(bench, asked, line, true);

  ReplayReport replayed;
  replayed.outside = violated(variant.contract, line).value_or("");
  replayed.printed = answer.printed;
  replayed.launched = answer.launched;
  VariantReport& report = replayed.report;
  report.variant = variant.contract.name;
  report.device = device.name();
  report.cases = 1;
  report.asked = {1, replayed.outside.empty() ? 1 : 0, replayed.outside};
  report.power = answer.power.value_or(1.0);
  for (const Evidence& evidence : answer.evidence) {
    report.findings.push_back(report_of(bench, asked, line, evidence));
  }
  for (const Evidence& note : answer.notes) {
    report.notes.push_back(report_of(bench, asked, line, note));
  }
  if (!report.findings.empty()) {
    report.verdict = Verdict::finding;
  } else if (answer.power == 0.0) {
    report.mistrusted = 1;
    report.verdict = Verdict::mistrusted;
  }
  report.seconds = seconds_since(start);
  return replayed;
}

}  // namespace warpcheck::properties
