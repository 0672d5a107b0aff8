#include "workflows/bench/gpu_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/diagnostic.hpp"
#include "workflows/bench/peak.hpp"
#include "workflows/bench/spot_check.hpp"

namespace warpcheck::workflows::bench {
namespace {

using campaign::run::Problem;
using device::cuda::DeviceAddress;

// Values of CUdevice_attribute.
constexpr int kClockRate = 13;  // kHz, the highest one
constexpr int kMultiprocessors = 16;
constexpr int kMemoryClockRate = 36;  // kHz
constexpr int kBusWidth = 37;         // bits
constexpr int kL2Bytes = 38;
constexpr int kMajor = 75;
constexpr int kMinor = 76;

constexpr int kWarmUp = 3;
constexpr double kSeconds = 1e-3;  // intended total time of the launches that one sample times
constexpr int kMostLaunches = 100;
constexpr std::size_t kMostCopies = 16;
constexpr std::size_t kMostBytes = std::size_t{8} << 30;

std::size_t bytes_of(const device::Job& job) {
  std::size_t bytes = 0;
  for (const device::Buffer& buffer : job.buffers) bytes += buffer.extent.bytes();
  return std::max<std::size_t>(1, bytes);
}

bool is_restored(const device::Buffer& buffer) {
  return buffer.access == device::Access::read_write && buffer.initialized;
}

}  // namespace

/// The buffers of the job once, the calls that use them, and an output for cuBLAS.
struct GpuBench::Copy {
  std::vector<DeviceAddress> buffers;
  std::vector<device::cuda::DirectGpu::Call> calls;
  DeviceAddress cublas_output = 0;
};

GpuBench::GpuBench(const GpuOptions& options) : options_(options) {
  try {
    cublas_ = std::make_unique<Cublas>();
  } catch (const EnvironmentError& error) {
    no_cublas_ = error.what();
  }
}

std::string GpuBench::clock() const {
  const auto highest = clock_.highest();
  return highest ? fmt::format("{:.0f} MHz at most", *highest * 1e-6)
                 : "clock unknown: " + clock_.why_unknown();
}

std::vector<GpuBench::Copy> GpuBench::make_copies(const Problem& problem, bool with_cublas) {
  const std::size_t bytes = bytes_of(problem.job);
  const std::size_t cache = 2 * static_cast<std::size_t>(gpu_.attribute(kL2Bytes));
  const std::size_t most = std::clamp<std::size_t>(kMostBytes / bytes, 1, kMostCopies);
  std::vector<Copy> copies(std::clamp<std::size_t>(cache / bytes + 1, 1, most));
  const device::cuda::Module module = gpu_.load(problem.variant->compiled->ptx);
  for (Copy& copy : copies) {
    copy.buffers = gpu_.place(problem.job.buffers);
    for (const device::Launch& launch : problem.job.launches) {
      copy.calls.push_back(gpu_.prepare(module, launch, copy.buffers));
    }
    if (with_cublas) {
      copy.cublas_output = gpu_.allocate(problem.job.buffers[problem.output].extent.bytes());
    }
  }
  return copies;
}

/// Copies the buffers that the kernel writes, such as a workspace of zeros.
void GpuBench::restore(const Problem& problem, const Copy& copy) const {
  for (std::size_t i = 0; i < problem.job.buffers.size(); ++i) {
    const device::Buffer& buffer = problem.job.buffers[i];
    if (is_restored(buffer)) gpu_.copy_rows(buffer, copy.buffers[i]);
  }
}

std::string GpuBench::check(const Problem& problem, Copy& copy) {
  std::vector<std::size_t> outputs = problem.other_outputs;
  outputs.push_back(problem.output);
  for (const std::size_t output : outputs) {
    gpu_.copy_rows(problem.job.buffers[output], copy.buffers[output]);
  }
  restore(problem, copy);
  for (auto& call : copy.calls) gpu_.launch(call);
  gpu_.wait();
  return wrong_element(problem, [&](std::size_t buffer) {
    return gpu_.read(copy.buffers[buffer], problem.job.buffers[buffer].extent.bytes());
  });
}

double GpuBench::mean_time(int count, const std::function<void(int)>& start) const {
  gpu_.begin_timing();
  for (int i = 0; i < count; ++i) start(i);
  return gpu_.end_timing() * 1e-3 / count;
}

void GpuBench::time_in_turn(const Problem& problem, std::vector<Copy>& copies,
                            CublasProduct* cublas, Result& result) const {
  const auto copy_of = [&](int number) -> Copy& {
    return copies[static_cast<std::size_t>(number) % copies.size()];
  };
  const auto run = [&](int number) {
    for (auto& call : copy_of(number).calls) gpu_.launch(call);
  };
  const auto run_cublas = [&](int number) {
    const Copy& copy = copy_of(number);
    cublas->launch(copy.buffers[0], copy.buffers[1], copy.cublas_output);
  };
  // A kernel that needs the original contents of its buffers runs once after each restore().
  const bool once = std::ranges::any_of(problem.job.buffers, is_restored);
  int count = once ? 1 : kWarmUp;
  std::vector<double> ours;
  std::vector<double> theirs;
  std::vector<double> clocks;
  for (int round = 0; round < kWarmUp + options_.rounds; ++round) {
    if (once) restore(problem, copy_of(0));
    const double own = mean_time(count, run);
    const double other = cublas == nullptr ? 0.0 : mean_time(count, run_cublas);
    if (round < kWarmUp) {
      if (!once) count = std::clamp(static_cast<int>(kSeconds / own), 1, kMostLaunches);
      continue;
    }
    ours.push_back(own);
    theirs.push_back(other);
    if (const auto hertz = clock_.now()) clocks.push_back(*hertz);
  }
  result.seconds = summarize(ours);
  if (cublas != nullptr) result.cublas_seconds = summarize(theirs);
  if (!clocks.empty()) result.clock_hz = summarize(clocks).median;
}

std::string GpuBench::check_case(const contract::Variant& variant, const campaign::Case& line) {
  const Problem problem = campaign::run::usual_problem(variant, line);
  std::vector<Copy> copies = make_copies(problem, false);
  std::string wrong = check(problem, copies.front());
  gpu_.release();
  return wrong;
}

Result GpuBench::measure(const contract::Variant& variant, const campaign::Case& line,
                         const std::optional<campaign::Case>& checked) {
  const Problem problem = campaign::run::usual_problem(variant, line);
  Result result = result_of(problem);
  if (checked) result.wrong = check_case(variant, *checked);
  if (result.counts_operations()) {
    const int capability = gpu_.attribute(kMajor) * 10 + gpu_.attribute(kMinor);
    result.peak = operations_per_clock(variant.contract, capability) *
                  gpu_.attribute(kMultiprocessors) * gpu_.attribute(kClockRate) * 1e3;
  }
  // Memory transfers on both edges of its clock.
  result.peak_bandwidth =
      2.0 * gpu_.attribute(kMemoryClockRate) * 1e3 * gpu_.attribute(kBusWidth) / 8.0;
  std::unique_ptr<CublasProduct> cublas;
  result.no_cublas = result.counts_operations() ? no_cublas_ : "no product of matrices";
  if (cublas_ != nullptr && result.counts_operations()) {
    cublas = cublas_->product(variant.contract, problem.line, problem.layouts,
                              gpu_.allocate(Cublas::kWorkspaceBytes), result.no_cublas);
  }
  std::vector<Copy> copies = make_copies(problem, cublas != nullptr);
  if (!checked) result.wrong = check(problem, copies.front());
  time_in_turn(problem, copies, cublas.get(), result);
  if (!checked && result.wrong.empty()) result.wrong = check(problem, copies.back());
  gpu_.wait();
  gpu_.release();
  return result;
}

}  // namespace warpcheck::workflows::bench
