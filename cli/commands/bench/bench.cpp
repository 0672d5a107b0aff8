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
#include "campaign/matrices/product.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/crash.hpp"
#include "cli/commands/devices.hpp"
#include "cli/commands/json_output.hpp"
#include "cli/commands/progress.hpp"
#include "cli/commands/reports.hpp"
#include "cli/options/exit_status.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/console/bench_text.hpp"
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
  std::vector<ProblemSize> sizes;  // default sizes, if the command has none
  std::function<Result(const Variant&, const campaign::Case&)> measure;
};

Stopwatch gpu_stopwatch(const BenchCommand& command) {
  const auto bench = std::make_shared<workflows::bench::GpuBench>(
      workflows::bench::GpuOptions{command.rounds == 0 ? 30 : command.rounds});
  return {bench->description(),
          bench->clock(),
          {{4096, 4096, 4096}, {64, 8192, 8192}, {4095, 4097, 4099}},
          [bench](const Variant& variant, const campaign::Case& line) {
            return bench->measure(variant, line);
          }};
}

Stopwatch virtual_stopwatch(const BenchCommand& command) {
  const std::shared_ptr<device::Device> device = device::make_virtual_device(
      {.host_threads = 1, .mma_arch = command.common.virtual_device.mma_arch});
  const workflows::bench::VirtualOptions options{command.rounds == 0 ? 5 : command.rounds};
  return {named(*device) + ", one host thread",
          workflows::bench::processor(),
          {{256, 256, 256}},
          [device, options](const Variant& variant, const campaign::Case& line) {
            return measure_virtual(variant, line, *device, options);
          }};
}

Stopwatch stopwatch(const BenchCommand& command) {
  const bool on_gpu = command.common.device == "cuda" ||
                      (command.common.device == "auto" && device::cuda::available({}));
  return on_gpu ? gpu_stopwatch(command) : virtual_stopwatch(command);
}

/// Prints the reason why a variant has no time, and returns the exit status.
int print_failure(const Variant& variant, std::string_view reason, std::ostream& out) {
  out << fmt::format("{}: {}\n", variant.contract.name, reason);
  return kFindings;
}

/// Times one variant at one size. Returns the exit status.
int bench_one(const Stopwatch& stopwatch, const Target& target, const ProblemSize& size,
              std::size_t widest, JsonOutput& json, Results& results) {
  std::ostream& out = json.console();
  const contract::Contract& contract = target.variant.contract;
  if (!campaign::is_product(contract)) {
    return print_failure(target.variant, "no matrix product: bench times only those", out);
  }
  try {
    campaign::Case line =
        workflows::profile::case_near(target.variant.contract, size.m, size.n, size.k);
    // Arithmetic on numbers with few bits takes fewer watts, so that the clock is higher.
    line.data = campaign::Recipe::normal;
    const Result result = stopwatch.measure(target.variant, line);
    out << report::bench_row(result, widest) << std::flush;
    json.write(report::bench_json(result) + "\n");
    results.results.push_back(result);
    return result.wrong.empty() ? kPassed : kFindings;
  } catch (const InputError& error) {
    return print_failure(target.variant, error.diagnostics().front().message, out);
  } catch (const std::runtime_error& error) {
    return print_failure(target.variant, error.what(), out);
  }
}

int bench_targets(const BenchCommand& command, JsonOutput& json, std::string& done) {
  std::ostream& out = json.console();
  CommandProgress progress(out);
  std::vector<Target> targets =
      workflows::targets::resolve_targets(command.targets, progress.compiling());
  if (command.targets.empty()) {
    std::erase_if(targets,
                  [](const Target& one) { return !campaign::is_product(one.variant.contract); });
  }
  progress.erase();
  print_cache_note(targets);
  std::optional<report::WholeFile> plot;
  if (!command.svg.empty()) plot.emplace(command.svg);
  const Stopwatch timer = stopwatch(command);
  json.start({.command = command.common.command_line, .device = timer.device}, targets);
  std::size_t widest = 7;
  for (const Target& target : targets) {
    widest = std::max(widest, target.variant.contract.name.size());
  }
  out << fmt::format("{}\n{}\n\n{}", timer.device, timer.clock, report::bench_head(widest));
  Results results{timer.device, timer.clock, {}};
  int status = kPassed;
  for (const ProblemSize& size : command.sizes.empty() ? timer.sizes : command.sizes) {
    for (const Target& target : targets) {
      status = worse_status(status, bench_one(timer, target, size, widest, json, results));
      done = fmt::format("{} products were timed", results.results.size());
    }
  }
  if (plot) plot->write(report::bench_plot(results));
  return status;
}

}  // namespace

int run(const BenchCommand& command) {
  return run_interruptibly(command.common.json, [&](JsonOutput& json, std::string& done) {
    return bench_targets(command, json, done);
  });
}

}  // namespace warpcheck::cli
