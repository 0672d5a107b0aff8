#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "campaign/case/product.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/progress.hpp"
#include "cli/options/exit_status.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/bench_text.hpp"
#include "report/finding/message.hpp"
#include "report/json/bench_json.hpp"
#include "report/svg/bench_plot.hpp"
#include "report/whole_file.hpp"
#include "workflows/bench/gpu_bench.hpp"
#include "workflows/bench/virtual_bench.hpp"
#include "workflows/profile/cases.hpp"
#include "workflows/targets/targets.hpp"

namespace warpcheck::cli {
namespace {

using contract::Variant;
using workflows::bench::Result;
using workflows::bench::Results;
using workflows::targets::Target;

/// The device that times a case: a GPU, or the virtual device.
struct Stopwatch {
  std::string device;
  std::string clock;
  std::vector<ProblemSize> sizes;  // default sizes of products, if the command has none
  double steps;                    // steps of another operation
  std::function<Result(const Variant&, const campaign::Case&)> measure;  // times and checks a case
};

// Steps of a case that takes the reference a second.
constexpr double kCheckedSteps = 0x1p17;

Stopwatch gpu_stopwatch(const BenchCommand& command) {
  const auto bench = std::make_shared<workflows::bench::GpuBench>(
      workflows::bench::GpuOptions{command.rounds == 0 ? 30 : command.rounds});
  return {bench->description(),
          bench->clock(),
          {{4096, 4096, 4096}, {64, 8192, 8192}, {4095, 4097, 4099}},
          0x1p29,
          [bench](const Variant& variant, const campaign::Case& line) {
            std::optional<campaign::Case> checked;
            if (!campaign::is_product(variant.contract)) {
              checked = workflows::profile::case_near(variant.contract, 1, 1, 1, kCheckedSteps);
              checked->data = campaign::Recipe::normal;
            }
            return bench->measure(variant, line, checked);
          }};
}

Stopwatch virtual_stopwatch(const BenchCommand& command) {
  const std::shared_ptr<device::Device> device = device::make_virtual_device(
      {.host_threads = 1, .mma_arch = command.common.virtual_device.mma_arch});
  const workflows::bench::VirtualOptions options{command.rounds == 0 ? 5 : command.rounds,
                                                 report::message_text};
  return {named(*device) + ", one host thread",
          workflows::bench::processor(),
          {{256, 256, 256}},
          kCheckedSteps,
          [device, options](const Variant& variant, const campaign::Case& line) {
            return measure_virtual(variant, line, *device, options);
          }};
}

Stopwatch stopwatch(const BenchCommand& command) {
  const bool on_gpu = command.common.device == "cuda" ||
                      (command.common.device == "auto" && device::cuda::available({}));
  return on_gpu ? gpu_stopwatch(command) : virtual_stopwatch(command);
}

/// Cases of products have these sizes, or the nearest ones. Another operation has one case.
std::vector<campaign::Case> timed_cases(const BenchCommand& command, const Stopwatch& stopwatch,
                                        const contract::Contract& contract) {
  std::vector<campaign::Case> cases;
  if (!command.line.empty()) {
    cases.push_back(campaign::parse_case(command.line));
  } else if (campaign::is_product(contract)) {
    for (const ProblemSize& size : command.sizes.empty() ? stopwatch.sizes : command.sizes) {
      cases.push_back(workflows::profile::case_near(contract, size.m, size.n, size.k));
    }
  } else {
    cases.push_back(workflows::profile::case_near(contract, 1, 1, 1, stopwatch.steps));
  }
  // Arithmetic on numbers with few bits takes fewer watts, so that the clock is higher.
  for (campaign::Case& one : cases) one.data = campaign::Recipe::normal;
  return cases;
}

/// Times cases of targets, and prints the results.
class Timing {
 public:
  Timing(const Stopwatch& stopwatch, const std::vector<Target>& targets, JsonOutput& json)
      : stopwatch_(stopwatch), json_(json), results_{stopwatch.device, stopwatch.clock, {}} {
    for (const Target& target : targets) {
      widest_ = std::max(widest_, target.variant.contract.name.size());
    }
    json_.console() << fmt::format("{}\n{}\n\n{}", stopwatch.device, stopwatch.clock,
                                   report::bench_head(widest_));
  }

  void time(const Variant& variant, const campaign::Case& line) {
    std::ostream& out = json_.console();
    const std::string& name = variant.contract.name;
    try {
      const Result result = stopwatch_.measure(variant, line);
      out << report::bench_row(result, widest_) << std::flush;
      json_.write(report::bench_json(result) + "\n");
      results_.results.push_back(result);
      has_failed_ = has_failed_ || !result.wrong.empty();
    } catch (const InputError& error) {
      fail(name, error.diagnostics().front().message);
    } catch (const std::runtime_error& error) {
      fail(name, error.what());
    }
  }

  /// The variant has no time, for this reason.
  void fail(const std::string& variant, std::string_view reason) {
    json_.console() << fmt::format("{}: {}\n", variant, reason);
    has_failed_ = true;
  }

  [[nodiscard]] const Results& results() const { return results_; }
  [[nodiscard]] int status() const { return has_failed_ ? kFindings : kPassed; }

 private:
  const Stopwatch& stopwatch_;
  JsonOutput& json_;
  Results results_;
  std::size_t widest_ = 7;
  bool has_failed_ = false;
};

int bench_targets(const BenchCommand& command, JsonOutput& json, std::string& done) {
  const std::vector<Target> targets =
      resolve_with_progress(command.targets, command.line, json.console());
  std::optional<report::WholeFile> plot;
  if (!command.svg.empty()) plot.emplace(command.svg);
  const Stopwatch timer = stopwatch(command);
  json.start({.command = command.common.command_line, .device = timer.device}, targets);
  Timing timing(timer, targets, json);
  std::vector<std::vector<campaign::Case>> cases;
  std::size_t most = 0;
  for (const Target& target : targets) {
    const contract::Contract& contract = target.variant.contract;
    try {
      cases.push_back(timed_cases(command, timer, contract));
    } catch (const InputError& error) {
      cases.emplace_back();
      timing.fail(contract.name, error.diagnostics().front().message);
    }
    most = std::max(most, cases.back().size());
  }
  // All variants at one size, before the next one.
  for (std::size_t number = 0; number < most; ++number) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (number >= cases[i].size()) continue;
      timing.time(targets[i].variant, cases[i][number]);
      done = fmt::format("{} cases were timed", timing.results().results.size());
    }
  }
  if (plot) plot->write(report::bench_plot(timing.results()));
  return timing.status();
}

}  // namespace

int run(const BenchCommand& command) {
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return bench_targets(command, json, done);
  });
}

}  // namespace warpcheck::cli
