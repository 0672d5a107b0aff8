#include "runtime/runtime.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/diagnostic.hpp"
#include "device/virtual/session.hpp"

namespace warpcheck::runtime {
namespace {

constexpr std::size_t kRememberedFrees = std::size_t{1} << 16;  // latest frees that findings name
constexpr int kInputStatus = 2;
constexpr int kEnvironmentStatus = 3;

/// Events go to the standard error if the variable is not set.
ExecOptions options_of_environment() try {
  const char* const text = std::getenv(kOptionsVariable);
  return text == nullptr ? ExecOptions{} : options_from_json(text);
} catch (const InputError& error) {
  fmt::print(stderr, "warpcheck: {}\n", error.what());
  std::_Exit(kInputStatus);
}

/// The model of the options; its multiprocessors as they state.
device::GpuModel gpu_of(const ExecOptions& options) {
  const device::GpuModel* const model = device::gpu_model(options.gpu);
  if (model == nullptr) throw request_error(fmt::format("there is no GPU {}", options.gpu));
  device::GpuModel gpu = *model;
  if (options.multiprocessors != 0) gpu.multiprocessors = options.multiprocessors;
  return gpu;
}

std::unique_ptr<device::Session> make_session(const ExecOptions& options,
                                              const device::GpuModel& gpu) {
  return device::make_virtual_session({.host_threads = options.host_threads,
                                       .races = options.races,
                                       .weak_volatile = options.weak_volatile,
                                       .mma_arch = static_cast<unsigned>(gpu.capability),
                                       .gpu = gpu,
                                       .limits = options.limits});
}

}  // namespace

Runtime::Runtime()
    : options_(options_of_environment()),
      gpu_(gpu_of(options_)),
      log_(options_.events),
      session_(make_session(options_, gpu_)),
      binaries_(*session_, static_cast<unsigned>(gpu_.capability)) {
  totals_.process = getpid();
  log_.write(StartEvent{getpid()});
  std::atexit([] { Runtime::instance().finish(); });
}

Runtime& Runtime::instance() {
  static Runtime* const runtime = new Runtime();
  return *runtime;
}

cudaError_t& last_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

bool& uses_runtime() {
  thread_local bool uses = false;
  return uses;
}

cudaError_t error_of_exception(Runtime& runtime) try { throw; } catch (const InputError& error) {
  runtime.log().write(ErrorEvent{error.what(), kInputStatus});
  return cudaErrorNoKernelImageForDevice;
} catch (const std::bad_alloc&) {
  return cudaErrorMemoryAllocation;
} catch (const std::exception& error) {
  runtime.log().write(ErrorEvent{error.what(), kEnvironmentStatus});
  return cudaErrorUnknown;
}

void Runtime::report(FindingClass kind, std::string message, std::vector<RelatedStack> related) {
  FindingEvent event;
  event.finding.kind = kind;
  event.finding.message = std::move(message);
  event.stack = host_stack();
  event.related = std::move(related);
  log_.write_once(event);
}

void Runtime::report_undefined(const std::string& access, std::uint64_t address,
                               std::size_t bytes) {
  const auto memory = session_->containing(address);
  if (!memory) return;
  const auto offset = static_cast<std::ptrdiff_t>(address - memory->address);
  const MemoryPlace place{memory->name, offset, bytes, false, memory->bytes};
  report(FindingClass::uninitialized_read,
         fmt::format("{}, {} bytes at offset {} of {}, which were never written", access, bytes,
                     offset, memory->name),
         options_.origins ? stacks_of_origin(place) : stacks_of(memory->name));
}

cudaError_t Runtime::misuse(cudaError_t error, std::string message) {
  report(FindingClass::api_misuse, std::move(message));
  return error;
}

cudaError_t Runtime::unsupported(const std::string& what, std::string reason) {
  add_calls(totals_.unsupported, {what, 1});
  log_.write_once(UnsupportedEvent{{what, std::move(reason), "", {}}, "", host_stack()});
  return cudaErrorNotSupported;
}

bool Runtime::is_forked() {
  const pid_t process = getpid();
  pid_t expected = 0;
  if (user_.compare_exchange_strong(expected, process) || expected == process) return false;
  misuse(cudaErrorInitializationError,
         "a child process of fork() uses the CUDA runtime, which its parent used before the fork; "
         "the child may use it only after exec()");
  return true;
}

void Runtime::count_call() {
  if (getpid() != totals_.process) {  // a child of fork() counts its own calls
    totals_ = {};
    totals_.process = getpid();
  }
  ++totals_.calls;
}

void Runtime::mark_freed(HostAllocation& allocation) {
  allocation.freed_by = stacks_.add_current();
  freed_.push_back(allocation.name);
  if (freed_.size() <= kRememberedFrees) return;
  allocations_.erase(freed_.front());
  freed_.pop_front();
}

std::vector<device::AccessedRange> Runtime::take_accesses() { return std::exchange(accesses_, {}); }

cudaError_t Runtime::take_launch_error() {
  const cudaError_t error = std::exchange(launch_error_, cudaSuccess);
  const cudaError_t device_status = device_error();
  return device_status != cudaSuccess ? device_status : error;
}

void Runtime::note_access(const device::AccessedRange& range) {
  if (!order_.active()) return;
  for (const device::AddressRange& part : session_->memory_at(range.address, range.bytes)) {
    accesses_.push_back({part.address, part.bytes, range.kinds});
  }
}

HostAllocation& Runtime::add_allocation(std::size_t bytes, MemoryUse use) {
  HostAllocation added;
  added.number = ++allocation_count_;
  added.name = fmt::format("allocation {}", added.number);
  added.bytes = bytes;
  added.use = use;
  added.allocated_by = stacks_.add_current();
  return allocations_.emplace(added.name, added).first->second;
}

HostAllocation* Runtime::allocation_at(std::uint64_t address) {
  const auto info = session_->containing(address);
  return info ? allocation_named(info->name) : nullptr;
}

HostAllocation* Runtime::allocation_named(const std::string& name) {
  const auto found = allocations_.find(name);
  return found == allocations_.end() ? nullptr : &found->second;
}

std::vector<RelatedStack> Runtime::stacks_of(const std::string& allocation) const {
  std::vector<RelatedStack> stacks;
  const auto found = allocations_.find(allocation);
  if (found == allocations_.end()) return stacks;
  stacks.push_back({allocation + " allocated by", stacks_.at(found->second.allocated_by)});
  if (found->second.freed_by != 0) {
    stacks.push_back({allocation + " freed by", stacks_.at(found->second.freed_by)});
  }
  return stacks;
}

void Runtime::write_totals() {
  totals_.repeated = log_.repeated();
  totals_.kernels.clear();
  for (const auto& [kernel, runs] : kernel_runs_) totals_.kernels.push_back(runs);
  std::sort(totals_.kernels.begin(), totals_.kernels.end(),
            [](const KernelRuns& one, const KernelRuns& other) { return one.name < other.name; });
  log_.write(totals_);
}

/// A test is checked on its own, unless memory remains that may lack results of an earlier one.
void Runtime::begin_test(ProgramTest test, double seconds) {
  const bool is_of_marker = seconds > 0.0;
  budget_.begin_test(test.name, {is_of_marker ? seconds : options_.test_seconds, is_of_marker});
  const bool has_old_memory =
      std::any_of(allocations_.begin(), allocations_.end(), [&](const auto& one) {
        return one.second.freed_by == 0 && one.second.number <= incomplete_allocations_;
      });
  if (!test.name.empty() && lacks_results_ && !has_old_memory) {
    lacks_results_ = false;
    unfinished_launch_ = 0;
    launch_error_ = cudaSuccess;
  }
  log_.begin_test(std::move(test));
}

void Runtime::note_undefined_copy(const UndefinedCopy& copy) {
  constexpr std::size_t kRemembered = 4096;
  std::vector<std::byte> bytes(copy.bytes);
  std::size_t undefined = 0;
  if (!options_.origins || session_->read(copy.from, bytes, &undefined) || undefined == 0) return;
  undefined_copies_.push_back(copy);
  undefined_copies_.back().called_by = stacks_.add_current();
  if (undefined_copies_.size() > kRemembered) undefined_copies_.pop_front();
}

std::vector<RelatedStack> Runtime::stacks_of_origin(const MemoryPlace& place) {
  std::vector<RelatedStack> stacks = stacks_of(place.name);
  const HostAllocation* const allocation = allocation_named(place.name);
  if (allocation == nullptr) return stacks;
  std::uint64_t address = allocation->address + static_cast<std::uint64_t>(place.offset);
  // Each copy came before the one that it is the source of.
  for (auto copy = undefined_copies_.rbegin(); copy != undefined_copies_.rend(); ++copy) {
    if (address - copy->to >= copy->bytes) continue;
    address = copy->from + (address - copy->to);
    const HostAllocation* const source = allocation_at(address);
    if (source == nullptr) break;
    stacks.push_back(
        {fmt::format("undefined bytes of {} copied by {}, called by", source->name, copy->function),
         stacks_.at(copy->called_by)});
    for (RelatedStack& one : stacks_of(source->name)) stacks.push_back(std::move(one));
  }
  return stacks;
}

void Runtime::report_leaks() {
  struct Leak {
    std::uint64_t allocations = 0;
    std::uint64_t bytes = 0;
    MemoryUse use = MemoryUse::device;
  };
  std::map<std::uint64_t, Leak> leaks;  // keyed by stack
  for (const device::AllocationInfo& live : session_->live()) {
    const auto allocation = allocations_.find(live.name);
    if (allocation == allocations_.end()) continue;
    // Registered memory is memory of the host, imported memory is that of another process.
    const MemoryUse use = allocation->second.use;
    if (use == MemoryUse::registered || use == MemoryUse::imported) continue;
    Leak& leak = leaks[stacks_.first_equal(allocation->second.allocated_by)];
    ++leak.allocations;
    leak.bytes += allocation->second.bytes;
    leak.use = use;
  }
  for (const auto& [stack, leak] : leaks) {
    FindingEvent event;
    event.finding.kind = FindingClass::leak;
    event.finding.message = fmt::format(
        "{} bytes of {}{} are not freed", leak.bytes,
        leak.use == MemoryUse::pinned ? "pinned memory of the host" : "device memory",
        leak.allocations == 1 ? "" : fmt::format(" in {} allocations", leak.allocations));
    event.stack = stacks_.at(stack);
    log_.write_once(event);
  }
}

void Runtime::finish() {
  const std::lock_guard lock(mutex_);
  if (getpid() != totals_.process) return;  // a child of fork() that did nothing
  if (options_.leaks) report_leaks();
  write_totals();
}

}  // namespace warpcheck::runtime
