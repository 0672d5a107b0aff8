#include "workflows/fuzz/fuzzer.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "base/diagnostic.hpp"
#include "base/parallel_for.hpp"
#include "campaign/programs.hpp"
#include "workflows/fuzz/search.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using Clock = Search::Clock;

Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

campaign::Verdict FuzzReport::verdict() const {
  using campaign::Verdict;
  if (!findings.empty()) return Verdict::finding;
  return unsupported.empty() ? Verdict::pass : Verdict::unsupported;
}

std::vector<FuzzReport> run_fuzz(std::span<const contract::Variant> variants,
                                 device::Device& device, const FuzzOptions& options,
                                 Listener& listener) {
  for (const std::string& name : options.properties) (void)properties::law(name);
  const unsigned jobs = job_count(options.jobs);
  const Clock::time_point start = Clock::now();
  campaign::Programs programs(device);
  std::mutex mutex;
  std::vector<FuzzReport> reports;
  std::int64_t cases = 0;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    if (options.interrupted != nullptr && options.interrupted->load()) break;
    listener.started(variants[i]);
    const campaign::run::Context context{variants[i], device, programs.of(variants[i]),
                                         [&](const campaign::Case& problem) {
                                           const std::lock_guard lock(mutex);
                                           listener.launching(problem);
                                         },
                                         options.strict};
    std::optional<Clock::time_point> deadline;
    if (options.budget_seconds > 0.0) {
      const Clock::duration left = start + duration_of(options.budget_seconds) - Clock::now();
      deadline = Clock::now() + left / static_cast<Clock::rep>(variants.size() - i);
    }
    Search search(
        context, options, jobs,
        [&](const FuzzProgress& progress) {
          const std::lock_guard lock(mutex);
          listener.fuzzing(progress);
        },
        [&](const campaign::FindingReport& finding) {
          const std::lock_guard lock(mutex);
          listener.found(finding);
        });
    reports.push_back(search.run(deadline));
    cases += reports.back().reached.cases;
    listener.fuzzed(reports.back());
  }
  const bool interrupted = options.interrupted != nullptr && options.interrupted->load();
  if (cases == 0 && !options.minimise && !interrupted) {
    throw request_error("no case was run: nothing in the contract's domain fits the properties");
  }
  return reports;
}

}  // namespace warpcheck::workflows::fuzz
