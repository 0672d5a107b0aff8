// Measures the cases per second of a campaign, with the device and without it, and the time of each
// step of a case on one thread.
//
//   warpcheck_phases cuda|virtual|FOLDER CASES MAX_SIZE JOBS[/WORKERS] [VARIANT|PATH...]
//
// JOBS threads share WORKERS worker processes of the GPU. A PATH is a kernel or a folder of
// kernels. The steps of a case are those of the product of matrices. A FOLDER replaces the GPU:
// prints the CPU time of a campaign of each variant. The folder stores the outcomes, which the
// first run records by the virtual device, so that it takes longer.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/process/freed_memory.hpp"
#include "bench/built_in.hpp"
#include "bench/recorded_gpu.hpp"
#include "campaign/campaign.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/judge/judge.hpp"
#include "campaign/run/problem.hpp"
#include "campaign/run/runner.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/worker.hpp"
#include "device/forwarding_device.hpp"
#include "device/virtual/virtual_device.hpp"

namespace {

using namespace warpcheck;
using Clock = std::chrono::steady_clock;

/// CPU seconds of this thread, or of all threads: other work on the machine does not count.
double cpu_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Device that measures the time of its jobs, over all threads.
class Timed final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string& ptx,
                                                            const std::string& file) override {
    const Clock::time_point start = Clock::now();
    auto program = ForwardingDevice::load(ptx, file);
    loading_ns += static_cast<std::int64_t>(seconds_since(start) * 1e9);
    return program;
  }
  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    const Clock::time_point start = Clock::now();
    device::Outcome outcome = inner().run(program, job);
    running_ns += static_cast<std::int64_t>(seconds_since(start) * 1e9);
    ++jobs;
    return outcome;
  }

  std::atomic<std::int64_t> jobs = 0;
  std::atomic<std::int64_t> loading_ns = 0;
  std::atomic<std::int64_t> running_ns = 0;
};

/// Device that records the outcomes of another one; after replay(), returns them.
class Recorder final : public device::ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;

  void replay() { replays_ = true; }
  /// CPU time of the replays.
  [[nodiscard]] double seconds() const { return static_cast<double>(replay_ns_) / 1e9; }

  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override {
    const double start = cpu_seconds();
    const std::uint64_t key = bench::fingerprint_of(job);
    if (replays_) {
      device::Outcome outcome = outcomes_.at(key);
      replay_ns_ += static_cast<std::int64_t>((cpu_seconds() - start) * 1e9);
      return outcome;
    }
    device::Outcome outcome = inner().run(program, job);
    const std::lock_guard lock(mutex_);
    outcomes_.emplace(key, outcome);
    return outcome;
  }

 private:
  bool replays_ = false;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, device::Outcome> outcomes_;
  std::atomic<std::int64_t> replay_ns_ = 0;
};

struct Request {
  std::int64_t cases = 0;
  std::int64_t max_size = 0;
  unsigned jobs = 1;
  unsigned workers = 1;
};

void campaign(const std::vector<contract::Variant>& variants, device::Device& device,
              const Request& request) {
  Timed timed(device);
  campaign::CampaignOptions options;
  options.cases = request.cases;
  options.max_size = request.max_size;
  options.jobs = request.jobs;
  campaign::Listener listener;
  const auto report = campaign::run_campaign(variants, timed, options, listener);
  const auto share = [&](const std::atomic<std::int64_t>& nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e7 / (report.seconds * request.jobs);
  };
  std::printf(
      "campaign: %zu variants, %lld cases, %u jobs, %u workers: %.2f s, %.0f cases per second, "
      "%lld "
      "findings\n",
      variants.size(), static_cast<long long>(report.cases), request.jobs, request.workers,
      report.seconds, static_cast<double>(report.cases) / report.seconds,
      static_cast<long long>(report.failed));
  std::printf(
      "  %lld device jobs; share of the time of all threads: %.1f %% in the device, %.1f %% "
      "loading\n",
      static_cast<long long>(timed.jobs.load()), share(timed.running_ns), share(timed.loading_ns));
}

/// CPU time of the campaign of each variant.
void campaigns(const std::vector<contract::Variant>& variants, device::Device& device,
               const Request& request) {
  campaign::CampaignOptions options;
  options.cases = request.cases;
  options.max_size = request.max_size;
  options.jobs = request.jobs;
  const std::atomic<bool> interrupted = false;  // launches can be stopped, as in the command
  options.interrupted = &interrupted;
  campaign::Listener listener;
  double all_seconds = 0.0;
  std::int64_t all_cases = 0;
  const auto print = [](const char* name, double seconds, std::int64_t cases) {
    std::printf("%-36s %8.1f us of CPU per case\n", name,
                seconds / static_cast<double>(cases) * 1e6);
  };
  for (const contract::Variant& variant : variants) {
    const double start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const auto report = campaign::run_campaign(std::span(&variant, 1), device, options, listener);
    const double seconds = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    print(variant.contract.name.c_str(), seconds, report.cases);
    all_seconds += seconds;
    all_cases += report.cases;
  }
  print("all", all_seconds, all_cases);
}

/// Measures what surrounds the device: runs the campaign of each variant again with the recorded
/// outcomes.
void host_side(const std::vector<contract::Variant>& variants, device::Device& device,
               const Request& request) {
  campaign::CampaignOptions options;
  options.cases = request.cases;
  options.max_size = request.max_size;
  options.jobs = request.jobs;
  campaign::Listener listener;
  double seconds = 0.0;
  double replaying = 0.0;
  std::int64_t cases = 0;
  for (const contract::Variant& variant : variants) {
    Recorder recorder(device);
    const std::span one(&variant, 1);
    (void)campaign::run_campaign(one, recorder, options, listener);
    recorder.replay();
    const double start = cpu_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const auto report = campaign::run_campaign(one, recorder, options, listener);
    seconds += cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - start;
    replaying += recorder.seconds();
    cases += report.cases;
  }
  const auto per_case = [&](double sum) { return sum / static_cast<double>(cases) * 1e6; };
  std::printf(
      "without the device: %.1f us of CPU per case, and %.1f us to copy recorded outcomes\n",
      per_case(seconds - replaying), per_case(replaying));
}

/// Times the steps of cases of matches-reference, on this thread: CPU time, but for the device.
class Steps {
  template <typename Step>
  auto timed(const char* name, const Step& step) {
    const double start = cpu_seconds();
    auto result = step();
    seconds_[name] += cpu_seconds() - start;
    return result;
  }

 public:
  void measure(const contract::Variant& variant, device::Device& device, const Request& request) {
    const auto program = device.load(variant.compiled->ptx, variant.compiled->ptx_file);
    const campaign::generate::CaseGenerator generator(variant.contract, 0, false, request.max_size);
    for (std::int64_t i = 0; i < request.cases; ++i) {
      const auto line = timed("case", [&] { return generator.draw(i).problem; });
      auto operands =
          timed("operands", [&] { return campaign::run::operands(variant.contract, line); });
      const auto problem = timed("buffers", [&] {
        return campaign::run::make_problem(variant, line, std::move(operands),
                                           campaign::run::usual_poison(line));
      });
      if (problem.job.launches.empty()) continue;
      ++cases_;
      const Clock::time_point start = Clock::now();
      const auto outcome = device.run(*program, problem.job);
      seconds_["device"] += seconds_since(start);
      launches_ += outcome.seconds;
      const auto gemm = campaign::run::reference_problem(problem, 0);
      const auto expected = timed("reference", [&] { return reference::gemm(gemm); });
      (void)timed("judge", [&] {
        return campaign::judge::judge(gemm, expected, expected.value).sensitivity;
      });
    }
  }

  void print() const {
    for (const auto& [name, seconds] : seconds_) {
      std::printf("  %-10s %8.1f us per case\n", name.c_str(), seconds / cases_ * 1e6);
    }
    std::printf("  %-10s %8.1f us per case, in the device\n", "launches", launches_ / cases_ * 1e6);
  }

 private:
  std::map<std::string, double> seconds_;
  double launches_ = 0.0;
  double cases_ = 0.0;
};

/// Adds the built-in variant of a name, or those of a file or folder.
void add_variants(const char* argument, std::vector<contract::Variant>& variants) {
  if (!std::filesystem::exists(argument)) {
    variants.push_back(bench::built_in(argument));
    return;
  }
  for (contract::Variant& variant : contract::variants_at(argument)) {
    variants.push_back(std::move(variant));
  }
}

}  // namespace

int main(int argc, char** argv) {
  device::cuda::maybe_run_worker(argc, argv);
  keep_freed_memory();
  if (argc < 5) {
    std::fprintf(stderr,
                 "usage: warpcheck_phases cuda|virtual|FOLDER CASES MAX_SIZE JOBS[/WORKERS] "
                 "[VARIANT|PATH...]\n");
    return 2;
  }
  char* slash = nullptr;
  const auto jobs = static_cast<unsigned>(std::strtoul(argv[4], &slash, 10));
  const auto workers = *slash == '/' ? static_cast<unsigned>(std::atoi(slash + 1)) : jobs;
  const Request request{std::atoll(argv[2]), std::atoll(argv[3]), jobs, workers};
  std::vector<contract::Variant> variants;
  for (int i = 5; i < argc; ++i) add_variants(argv[i], variants);
  if (variants.empty()) variants = contract::builtin_variants();
  try {
    if (std::filesystem::is_directory(argv[1])) {
      const auto recorded = device::make_virtual_device({.host_threads = 1});
      bench::RecordedGpu gpu(*recorded, argv[1]);
      campaigns(variants, gpu, request);
      return 0;
    }
    const auto device = std::string(argv[1]) == "cuda"
                            ? device::cuda::open({.workers = request.workers})
                            : device::make_virtual_device({.host_threads = 1});
    std::printf("%s\n", device->description().c_str());
    campaign(variants, *device, request);
    host_side(variants, *device, request);
    Steps steps;
    for (const contract::Variant& variant : variants) {
      if (!variant.contract.tensors) steps.measure(variant, *device, request);
    }
    steps.print();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpcheck_phases: %s\n", error.what());
    return 3;
  }
  return 0;
}
