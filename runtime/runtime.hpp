// The state of the CUDA runtime in this process.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "device/gpu_model.hpp"
#include "device/session.hpp"
#include "runtime/binaries.hpp"
#include "runtime/cuda_api.hpp"
#include "runtime/event_log.hpp"
#include "runtime/events/options.hpp"
#include "runtime/host_guards.hpp"
#include "runtime/host_stack.hpp"
#include "runtime/launch_budget.hpp"
#include "runtime/order/stream_order.hpp"
#include "runtime/postponed.hpp"

namespace warpcheck::runtime {

class OtherSchedules;

/// The function that allocated: cudaMalloc(), cudaMallocManaged(), cudaHostAlloc() and their kin;
/// cudaHostRegister(); or cudaIpcOpenMemHandle().
enum class MemoryUse : std::uint8_t { device, managed, pinned, registered, imported };

/// A copy of bytes of which some were undefined.
struct UndefinedCopy {
  std::uint64_t to = 0;
  std::uint64_t from = 0;
  std::size_t bytes = 0;
  std::uint64_t called_by = 0;  // id of a stack
  const char* function = "";
};

struct HostAllocation {
  std::string name;          // name in findings: "allocation 3"
  std::uint64_t number = 0;  // the first one is 1
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  MemoryUse use = MemoryUse::device;
  unsigned flags = 0;              // flags of cudaHostAlloc()
  bool in_order = false;           // allocated by cudaMallocAsync() in a stream
  std::uint64_t allocated_by = 0;  // id of a stack
  std::uint64_t freed_by = 0;      // id of a stack; 0: not freed
};

/// A launch whose arguments have been read.
struct LaunchWork {
  const void* host =
      nullptr;  // the function of the host, or the handle, that stands for the kernel
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;       // dynamic
  std::vector<std::byte> parameters;  // bytes in the layout of the PTX
  std::optional<Dim3> cluster = {};   // the blocks of a cluster; empty: as the kernel declares
  bool programmatic = false;          // may begin when the previous kernel in the stream permits it
};

class Runtime {
 public:
  /// Created by the first call, and never destroyed: the program's own destructors may call it.
  static Runtime& instance();

  [[nodiscard]] const ExecOptions& options() const { return options_; }
  [[nodiscard]] const device::GpuModel& gpu() const { return gpu_; }
  [[nodiscard]] std::recursive_mutex& mutex() { return mutex_; }
  [[nodiscard]] device::Session& session() { return *session_; }
  [[nodiscard]] Binaries& binaries() { return binaries_; }
  [[nodiscard]] EventLog& log() { return log_; }
  [[nodiscard]] StackTable& stacks() { return stacks_; }
  [[nodiscard]] StreamOrder& order() { return order_; }

  /// Reports a wrong call of the host, and returns `error`.
  cudaError_t misuse(cudaError_t error, std::string message);
  /// Reports a finding at a call of the host.
  void report(FindingClass kind, std::string message, std::vector<RelatedStack> related = {});
  /// Reports a read of bytes that were never written. `access`: "aten::sum reads element 3 of
  /// self".
  void report_undefined(const std::string& access, std::uint64_t address, std::size_t bytes);
  /// Reports a function of the runtime, or a use of it, that does not exist here. Returns
  /// cudaErrorNotSupported.
  cudaError_t unsupported(const std::string& what, std::string reason);

  /// Adds an allocation with the current stack; the name is that of a request.
  [[nodiscard]] HostAllocation& add_allocation(std::size_t bytes, MemoryUse use);
  /// The live allocation that contains the address; null if there is none.
  [[nodiscard]] HostAllocation* allocation_at(std::uint64_t address);
  /// The allocation of this name; null if there never was one.
  [[nodiscard]] HostAllocation* allocation_named(const std::string& name);
  /// Stores the current stack as the one that freed it.
  void mark_freed(HostAllocation& allocation);
  /// The stacks that allocated and freed the allocation of this name.
  [[nodiscard]] std::vector<RelatedStack> stacks_of(const std::string& allocation) const;

  /// Call this before a copy within the device. Only with ExecOptions::origins.
  void note_undefined_copy(const UndefinedCopy& copy);
  /// More memory, or less, is mapped at two addresses at a time: other processes share it.
  void count_shared_memory(int more) { shared_memories_ += more; }

  /// The calls that copied undefined bytes to a place, and those that allocated their source.
  [[nodiscard]] std::vector<RelatedStack> stacks_of_origin(const MemoryPlace& place);

  /// Sets the parameters of a launch. `arguments`: a pointer to each; null: `extra` has them all,
  /// as cuLaunchKernel() accepts it.
  cudaError_t read_arguments(LaunchWork& work, void** arguments, void** extra = nullptr);
  /// Runs a kernel.
  cudaError_t launch(const LaunchWork& work);
  /// Its accesses to memory, if the order of streams is active.
  [[nodiscard]] std::vector<device::AccessedRange> take_accesses();
  /// Adds an access to those of the current work. The range lies in one allocation.
  void note_access(const device::AccessedRange& range);
  [[nodiscard]] std::uint64_t launches() const { return launch_number_; }

  /// Later findings and launches belong to this test. An empty name: to no test.
  void begin_test(ProgramTest test, double seconds);

  /// True, and reported, if the parent of this process used the runtime before it called fork().
  [[nodiscard]] bool is_forked();
  void count_call();
  /// The process of the first call; 0: there was none.
  [[nodiscard]] pid_t process() const { return user_; }

  /// The error that a synchronising call returns: that of the device, or of a launch that was not
  /// completed, which only the next call returns.
  [[nodiscard]] cudaError_t take_launch_error();
  /// The error of the first fault of a kernel, which remains until cudaDeviceReset().
  [[nodiscard]] cudaError_t device_error() const { return device_error_; }
  /// True if a launch ended before it had written all that it writes: then undefined values are no
  /// findings.
  [[nodiscard]] bool lacks_results() const { return lacks_results_; }
  void reset_device_error() {
    device_error_ = cudaSuccess;
    lacks_results_ = false;
    unfinished_launch_ = 0;
    launch_error_ = cudaSuccess;
  }

  /// Reports allocations that are not freed, if the options request it, and the totals.
  void finish();

 private:
  Runtime();
  [[nodiscard]] bool is_selected(const Kernel& kernel);
  /// Counts a launch that is not executed. The memory then lacks its results.
  void exclude(const Kernel& kernel);
  /// Reports why a launch is not executed.
  void skip(const Kernel& kernel, device::Unsupported reason);
  cudaError_t run(const Kernel& kernel, device::SessionLaunch launch);
  [[nodiscard]] bool needs_other_schedules(const Kernel& kernel, std::uint64_t run) const;
  void report(const Kernel& kernel, const device::LaunchResult& result);
  void report_findings(const std::string& kernel, const std::vector<Finding>& findings,
                       const HostStack& stack);
  /// Reports findings that an earlier launch had, so that they belong to this test, too.
  void report_repeated(const std::string& kernel, const std::vector<Finding>& findings);
  void report_other_schedules(const Kernel& kernel, OtherSchedules& others,
                              const device::LaunchResult& first_result);
  void note_errors(const device::LaunchResult& result);
  /// The memory lacks results of the last launch, which was not executed to its end.
  void note_unfinished_launch();
  void report_leaks();
  void write_totals();

  ExecOptions options_;
  device::GpuModel gpu_;
  std::recursive_mutex mutex_;
  EventLog log_;
  std::unique_ptr<device::Session> session_;
  Binaries binaries_;
  StackTable stacks_;
  StreamOrder order_;
  std::vector<device::AccessedRange> accesses_;  // accesses of the last launch
  TotalsEvent totals_;
  std::unordered_map<const Kernel*, KernelRuns> kernel_runs_;
  // Keyed by name; includes freed ones.
  std::map<std::string, HostAllocation, std::less<>> allocations_;
  std::uint64_t allocation_count_ = 0;
  std::deque<std::string> freed_;               // names, the oldest first
  std::deque<UndefinedCopy> undefined_copies_;  // the oldest first
  std::atomic<pid_t> user_ = 0;                 // the process of the first call
  std::uint64_t matching_launches_ = 0;
  std::uint64_t launch_number_ = 0;  // the last launch that the options select
  LaunchBudget budget_{options_};
  int shared_memories_ = 0;
  std::unordered_map<device::ModuleId, std::vector<Finding>> other_schedule_findings_;
  bool lacks_results_ = false;           // a launch ended before it had written all that it writes
  std::uint64_t unfinished_launch_ = 0;  // the first one that did so without a fault; 0: none
  std::uint64_t incomplete_allocations_ = 0;  // the first ones, which may lack its results
  cudaError_t launch_error_ = cudaSuccess;
  std::atomic<cudaError_t> device_error_ = cudaSuccess;  // can be read without the mutex
};

/// Reports the exception that ended a call of the runtime.
cudaError_t error_of_exception(Runtime& runtime);

/// Runs the body of a function with the runtime locked.
template <typename Body>
cudaError_t locked_call(Body body) {
  Runtime& runtime = Runtime::instance();
  const PostponedWork postponed;
  // Another thread of the parent may have locked the mutex.
  if (runtime.is_forked()) return cudaErrorInitializationError;
  const std::lock_guard lock(runtime.mutex());
  const HostGuards::Pause pause;
  runtime.count_call();
  uses_runtime() = true;
  try {
    return body(runtime);
  } catch (...) {
    return error_of_exception(runtime);
  }
}

/// Runs the body of a function of the runtime with the runtime locked. Records its error.
template <typename Body>
cudaError_t api_call(Body body) {
  const cudaError_t error = locked_call(std::move(body));
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error() = error;
  return error;
}

}  // namespace warpcheck::runtime
