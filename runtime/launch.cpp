// Launches: parameters, the selection of kernels, and the report of their findings.
#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "base/hash.hpp"
#include "base/text/demangle.hpp"
#include "runtime/device_model.hpp"
#include "runtime/runtime.hpp"
#include "runtime/schedules.hpp"

namespace warpcheck::runtime {
namespace {

Dim3 extent_of(const dim3& extent) { return {extent.x, extent.y, extent.z}; }

/// Copies the buffer that the pairs of `extra` describe, which end with a null.
std::vector<std::byte> parameter_buffer(void** extra) {
  const std::byte* first = nullptr;
  std::size_t bytes = 0;
  for (; extra != nullptr && *extra != nullptr; extra += 2) {
    const auto key = reinterpret_cast<std::uintptr_t>(extra[0]);
    if (key == 1) first = static_cast<const std::byte*>(extra[1]);
    if (key == 2) bytes = *static_cast<const std::size_t*>(extra[1]);
  }
  return first == nullptr ? std::vector<std::byte>() : std::vector(first, first + bytes);
}

/// Warp instructions of a launch that is run under further schedules, too.
constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 20;

/// The error of a launch of which no thread ran; cudaSuccess if threads ran.
cudaError_t error_of_limit(device::LaunchLimit exceeded) {
  switch (exceeded) {
    case device::LaunchLimit::none:
      return cudaSuccess;
    case device::LaunchLimit::residents:
      return cudaErrorCooperativeLaunchTooLarge;
    case device::LaunchLimit::cluster:
      return cudaErrorInvalidClusterSize;
    default:
      return cudaErrorInvalidConfiguration;
  }
}

/// The error by which a GPU ends the context (CUDA Runtime API, cudaError); cudaSuccess for
/// findings that it does not detect.
cudaError_t error_of_fault(const Finding& finding) {
  if (finding.grade != Grade::failure) return cudaSuccess;
  switch (finding.kind) {
    case FindingClass::out_of_bounds:
    case FindingClass::use_after_free:
      return cudaErrorIllegalAddress;
    case FindingClass::misaligned:
      return cudaErrorMisalignedAddress;
    case FindingClass::illegal_instruction:
      return cudaErrorIllegalInstruction;
    case FindingClass::invalid_call:
      return cudaErrorInvalidPc;
    case FindingClass::launch_failure:
      return cudaErrorLaunchFailure;
    default:
      return cudaSuccess;
  }
}

/// True for faults that end a launch on every GPU. The others may be in memory that a GPU does not
/// check.
bool ends_a_launch(FindingClass kind) {
  return kind == FindingClass::launch_failure || kind == FindingClass::invalid_call ||
         kind == FindingClass::illegal_instruction;
}

/// The launches by threads of the device as calls: they have no object of the host.
HostStack frames_of(const std::vector<device::LaunchSite>& launches) {
  HostStack frames;
  for (const device::LaunchSite& launch : launches) {
    HostFrame& frame = frames.emplace_back();
    frame.function = fmt::format("thread {} of block {} of {}", triple(launch.thread.thread),
                                 triple(launch.thread.block), demangle(launch.kernel));
    frame.file = launch.source.file;
    frame.line = launch.source.line;
  }
  return frames;
}

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

bool Runtime::is_selected(const Kernel& kernel) {
  const std::string plain = demangle(kernel.info.entry);
  const std::string base = plain.substr(0, plain.find_first_of("(<"));
  if (!matches(options_.kernels, kernel.info.entry) && !matches(options_.kernels, plain) &&
      !matches(options_.kernels, base)) {
    return false;
  }
  const std::uint64_t number = matching_launches_++;
  if (number < options_.skip) return false;
  return options_.count == 0 || number - options_.skip < options_.count;
}

void Runtime::report_repeated(const std::string& kernel, const std::vector<Finding>& findings) {
  if (findings.empty()) return;
  FindingEvent event;
  event.kernel = kernel;
  event.launch = launch_number_;
  event.after = unfinished_launch_;
  event.stack = host_stack();
  for (const Finding& finding : findings) {
    if (lacks_results_ && finding.kind == FindingClass::uninitialized_read) continue;
    event.finding = finding;
    log_.write_repeated(event);
  }
}

void Runtime::report_findings(const std::string& kernel, const std::vector<Finding>& findings,
                              const HostStack& stack) {
  FindingEvent event;
  event.kernel = kernel;
  event.launch = launch_number_;
  event.after = unfinished_launch_;
  event.stack = stack;
  for (const Finding& finding : findings) {
    if (lacks_results_ && finding.kind == FindingClass::uninitialized_read) continue;
    const bool is_barrier =
        finding.grade == Grade::exited_threads || finding.grade == Grade::different_barriers;
    if (is_barrier && is_of_device_runtime(kernel)) continue;
    event.finding = finding;
    event.related.clear();
    if (finding.memory) event.related = stacks_of(finding.memory->name);
    if (finding.origin && finding.origin->memory) {
      for (RelatedStack& one : stacks_of_origin(*finding.origin->memory)) {
        const bool known =
            std::any_of(event.related.begin(), event.related.end(),
                        [&](const RelatedStack& earlier) { return earlier.title == one.title; });
        if (!known) event.related.push_back(std::move(one));
      }
    }
    log_.write_once(event);
  }
}

void Runtime::report(const Kernel& kernel, const device::LaunchResult& result) {
  if (!result.findings.empty()) {
    report_findings(kernel.info.entry, result.findings, host_stack());
  }
  report_repeated(kernel.info.entry, result.repeated);
  for (const device::DeviceGridFindings& grid : result.device_grids) {
    HostStack stack = frames_of(grid.launched_by);
    const HostStack host_calls = host_stack();
    stack.insert(stack.end(), host_calls.begin(), host_calls.end());
    report_findings(grid.kernel, grid.findings, stack);
  }
  if (result.unsupported) {
    log_.write_once(UnsupportedEvent{*result.unsupported, kernel.info.entry, host_stack()});
  }
  if (result.stopped) {
    log_.write_once(
        UnsupportedEvent{budget_.over_time(launch_number_), kernel.info.entry, host_stack()});
  }
}

/// A kernel that cannot observe the order of its threads has the same races in each schedule. The
/// first runs of a kernel count, and then fewer and fewer. Memory that the program registered may
/// be shared with other processes, and so may memory at two addresses.
bool Runtime::needs_other_schedules(const Kernel& kernel, std::uint64_t run) const {
  constexpr std::uint64_t kFirstRuns = 8;
  const bool chosen = run <= kFirstRuns || std::has_single_bit(run);
  return options_.schedules > 1 && options_.races && kernel.info.observes_order && chosen &&
         shared_memories_ == 0 &&
         std::none_of(allocations_.begin(), allocations_.end(), [](const auto& one) {
           return one.second.use == MemoryUse::registered && one.second.freed_by == 0;
         });
}

void Runtime::exclude(const Kernel& kernel) {
  KernelRuns& runs = kernel_runs_[&kernel];
  runs.name = kernel.info.entry;
  ++runs.skipped;
  ++totals_.skipped;
  lacks_results_ = true;
  incomplete_allocations_ = allocation_count_;
}

void Runtime::skip(const Kernel& kernel, device::Unsupported reason) {
  exclude(kernel);
  log_.write_once(UnsupportedEvent{std::move(reason), kernel.info.entry, host_stack()});
  note_unfinished_launch();
}

cudaError_t Runtime::run(const Kernel& kernel, device::SessionLaunch launch) {
  KernelRuns& runs = kernel_runs_[&kernel];
  std::optional<OtherSchedules> others;
  if (needs_other_schedules(kernel, runs.runs + 1)) {
    others.emplace(*session_, kernel.module, launch, options_.schedules);
  }
  const auto begin = LaunchBudget::Clock::now();
  launch.stop.deadline = budget_.deadline(begin);
  launch.footprint = order_.active();
  launch.origins = options_.origins;
  device::LaunchResult result = session_->launch(kernel.module, launch);
  accesses_ = std::move(result.accesses);
  runs.name = kernel.info.entry;
  ++runs.runs;
  const std::chrono::duration<double> seconds = LaunchBudget::Clock::now() - begin;
  runs.seconds += seconds.count();
  budget_.spend(seconds.count());
  totals_.warp_instructions += result.warp_instructions;
  std::fwrite(result.printed.data(), 1, result.printed.size(), stdout);
  report(kernel, result);
  if (others && result.completed && result.warp_instructions <= kMostInstructions) {
    report_other_schedules(kernel, *others, result);
  }
  if (std::has_single_bit(totals_.launches)) write_totals();
  if (const cudaError_t refused = error_of_limit(result.exceeded)) return refused;
  note_errors(result);
  return cudaSuccess;
}

/// A GPU ends the context after a fault. Here kernels still run, so that further defects are found;
/// only the calls return the error. A launch that a limit ended is no fault.
void Runtime::note_errors(const device::LaunchResult& result) {
  cudaError_t fault = cudaSuccess;
  std::vector<const std::vector<Finding>*> all = {&result.findings, &result.repeated};
  for (const device::DeviceGridFindings& grid : result.device_grids) all.push_back(&grid.findings);
  for (const std::vector<Finding>* const findings : all) {
    for (const Finding& finding : *findings) {
      const bool counts =
          options_.sticky_errors || (!result.completed && ends_a_launch(finding.kind));
      if (fault == cudaSuccess && counts) fault = error_of_fault(finding);
    }
  }
  if (result.assertion_failed) fault = cudaErrorAssert;
  cudaError_t none = cudaSuccess;
  device_error_.compare_exchange_strong(none, fault);
  if (result.unsupported || result.stopped) note_unfinished_launch();
  if (result.completed) return;
  lacks_results_ = true;
  incomplete_allocations_ = allocation_count_;
  launch_error_ = fault != cudaSuccess ? fault : cudaErrorLaunchFailure;
}

void Runtime::note_unfinished_launch() {
  lacks_results_ = true;
  incomplete_allocations_ = allocation_count_;
  if (unfinished_launch_ == 0) unfinished_launch_ = launch_number_;
}

void Runtime::report_other_schedules(const Kernel& kernel, OtherSchedules& others,
                                     const device::LaunchResult& first_result) {
  OtherSchedules::Result other = others.result();
  std::vector<Finding>& reported = other_schedule_findings_[kernel.module];
  const auto is_among = [](const std::vector<Finding>& all, const Finding& one) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Finding& earlier) { return same_places(earlier, one); });
  };
  std::vector<Finding> repeated;
  const auto keep_new = [&](std::vector<Finding>& findings) {
    std::erase_if(findings, [&](const Finding& finding) {
      if (is_among(reported, finding)) repeated.push_back(finding);
      const bool is_known =
          is_among(first_result.findings, finding) || is_among(reported, finding) ||
          std::any_of(first_result.device_grids.begin(), first_result.device_grids.end(),
                      [&](const auto& grid) { return is_among(grid.findings, finding); });
      if (!is_known) reported.push_back(finding);
      return is_known;
    });
  };
  device::LaunchResult found;
  found.findings = std::move(other.findings);
  found.device_grids = std::move(other.device_grids);
  keep_new(found.findings);
  for (device::DeviceGridFindings& grid : found.device_grids) keep_new(grid.findings);
  report(kernel, found);
  report_repeated(kernel.info.entry, repeated);
  for (std::string& failure : other.failures) {
    log_.write_once(
        UnsupportedEvent{{"--seeds", std::move(failure), "", {}}, kernel.info.entry, host_stack()});
  }
}

cudaError_t Runtime::read_arguments(LaunchWork& work, void** arguments, void** extra) {
  const Kernel* const kernel = binaries_.kernel(work.host);
  if (kernel == nullptr) {
    return misuse(cudaErrorInvalidDeviceFunction,
                  "a kernel is launched that no fat binary of the program contains");
  }
  const device::KernelInfo& info = kernel->info;
  work.parameters = parameter_buffer(extra);
  work.parameters.resize(info.parameter_bytes);
  if (arguments == nullptr && extra == nullptr && !info.parameters.empty()) {
    return misuse(cudaErrorInvalidValue, demangle(info.entry) + " is launched without arguments");
  }
  for (std::size_t i = 0; arguments != nullptr && i < info.parameters.size(); ++i) {
    const device::KernelParameter& parameter = info.parameters[i];
    std::memcpy(work.parameters.data() + parameter.offset, arguments[i], parameter.bytes);
  }
  return cudaSuccess;
}

cudaError_t Runtime::launch(const LaunchWork& work) {
  const Kernel* const kernel = binaries_.kernel(work.host);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (!is_selected(*kernel)) {
    exclude(*kernel);
    return cudaSuccess;
  }
  ++launch_number_;
  if (budget_.is_test_over()) {
    skip(*kernel, budget_.over_time(launch_number_));
    return launch_error_ = cudaErrorLaunchFailure;
  }
  if (!budget_.has_launch(*kernel, work)) {
    skip(*kernel, budget_.skipped_launches(*kernel));
    return cudaSuccess;
  }
  ++totals_.launches;
  if (std::has_single_bit(totals_.launches)) write_totals();  // the program may crash later
  if (work.shared_bytes > kernel->most_dynamic_shared) {
    return misuse(
        cudaErrorInvalidValue,
        fmt::format("{} is launched with {} bytes of dynamic shared memory; the limit is "
                    "{} bytes unless cudaFuncSetAttribute raises it",
                    demangle(kernel->info.entry), work.shared_bytes, kernel->most_dynamic_shared));
  }
  const std::uint64_t blocks =
      work.cluster ? std::uint64_t{work.cluster->x} * work.cluster->y * work.cluster->z : 1;
  if (blocks > device::kMostPortableCluster && !kernel->large_clusters) {
    return misuse(cudaErrorInvalidClusterSize,
                  fmt::format("{} is launched with clusters of {} blocks; the limit is {} unless "
                              "cudaFuncAttributeNonPortableClusterSizeAllowed is set",
                              demangle(kernel->info.entry), blocks, device::kMostPortableCluster));
  }
  device::SessionLaunch launch;
  launch.entry = kernel->info.entry;
  launch.grid = extent_of(work.grid);
  launch.block = extent_of(work.block);
  launch.cluster = work.cluster;
  launch.programmatic = work.programmatic;
  launch.shared_bytes = work.shared_bytes;
  launch.parameters = work.parameters;
  launch.schedule_seed = options_.seed;
  launch.pending_launches = device_limit(cudaLimitDevRuntimePendingLaunchCount).value_or(0);
  return run(*kernel, std::move(launch));
}

}  // namespace warpcheck::runtime
