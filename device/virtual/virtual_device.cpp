#include "device/virtual/virtual_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "device/virtual/common_cause.hpp"
#include "device/virtual/counters/launch_observer.hpp"
#include "device/virtual/isa/decode.hpp"
#include "device/virtual/launch.hpp"
#include "device/virtual/machine/core/schedule.hpp"
#include "device/virtual/machine/grid/dispatch.hpp"
#include "device/virtual/origins/origin_tracker.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::device {
namespace {

/// Global memory of a job: the module's variables in their order, followed by the job's buffers.
struct JobMemory {
  machine::GlobalMemory all;
  std::size_t first_buffer = 0;
  std::vector<std::uint64_t> addresses;  // addresses of the buffers
};

JobMemory memory_of(const machine::Program& program, const Job& job) {
  JobMemory memory;
  memory.first_buffer = program.global_variables.size();
  for (const machine::GlobalVariable& variable : program.global_variables) {
    memory.all.add_variable(variable);
  }
  for (const Buffer& buffer : job.buffers) memory.all.add(buffer);
  for (std::size_t i = 0; i < job.buffers.size(); ++i) {
    memory.addresses.push_back(memory.all[memory.first_buffer + i].address);
  }
  // The preceding kernel writes this memory, so that it is not constant.
  for (const PredecessorUse& use : job.predecessor) {
    memory.all[memory.first_buffer + use.buffer].constant = false;
  }
  if (job.watch) memory.all[memory.first_buffer + job.watch->buffer].watch(job.watch->offset);
  return memory;
}

/// The bytes of a kernel's parameters in the layout of its PTX; empty if the number or a size of
/// the arguments differs.
std::optional<std::vector<std::byte>> parameter_bytes(const machine::FunctionCode& kernel,
                                                      const Launch& launch,
                                                      const std::vector<std::uint64_t>& addresses) {
  if (launch.arguments.size() != kernel.parameters.size()) return std::nullopt;
  std::vector<std::byte> bytes(kernel.parameter_bytes);
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const machine::ParameterPlace& place = kernel.parameters[i];
    std::byte* to = bytes.data() + place.offset;
    if (const auto* buffer = std::get_if<BufferAddress>(&launch.arguments[i])) {
      if (place.bytes != sizeof(std::uint64_t)) return std::nullopt;
      const std::uint64_t address = addresses[buffer->buffer] + buffer->offset;
      std::memcpy(to, &address, sizeof address);
    } else if (const auto* value = std::get_if<ByteArgument>(&launch.arguments[i])) {
      if (place.bytes != value->bytes.size() || !value->is_valid()) return std::nullopt;
      std::copy(value->bytes.begin(), value->bytes.end(), to);
      for (const ByteArgument::Pointer& pointer : value->pointers) {
        const std::uint64_t address = addresses[pointer.target.buffer] + pointer.target.offset;
        std::memcpy(to + pointer.offset, &address, sizeof address);
      }
    } else if (const auto* tensor = std::get_if<TensorMapArgument>(&launch.arguments[i])) {
      if (place.bytes != kTensorMapBytes) return std::nullopt;
      TensorMap map = tensor->map;
      map.address = addresses[tensor->target.buffer] + tensor->target.offset;
      const auto encoded = encode(map);
      std::copy(encoded.begin(), encoded.end(), to);
    } else {
      const Scalar& scalar = std::get<Scalar>(launch.arguments[i]);
      if (place.bytes != scalar.size) return std::nullopt;
      std::memcpy(to, scalar.bytes.data(), scalar.size);
    }
  }
  return bytes;
}

/// The reason why the driver refuses a tensor map of the launch; empty if it accepts all of them.
std::optional<std::string> refused_map(const Launch& launch,
                                       const std::vector<std::uint64_t>& addresses) {
  for (const Argument& argument : launch.arguments) {
    const auto* tensor = std::get_if<TensorMapArgument>(&argument);
    if (tensor == nullptr) continue;
    TensorMap map = tensor->map;
    map.address = addresses[tensor->target.buffer] + tensor->target.offset;
    if (const auto reason = illegal_argument(map)) {
      return fmt::format("cuTensorMapEncodeTiled returns CUDA_ERROR_INVALID_VALUE: {}", *reason);
    }
  }
  return std::nullopt;
}

/// The buffers that the kernel launched before the job uses during its first launch.
std::vector<SharedWithPredecessor> shared_memory(const Job& job, const Launch& launch,
                                                 const std::vector<std::uint64_t>& addresses) {
  std::vector<SharedWithPredecessor> shared;
  if (&launch != &job.launches.front()) return shared;
  for (const PredecessorUse& use : job.predecessor) {
    const Buffer& buffer = job.buffers[use.buffer];
    shared.push_back({addresses[use.buffer], buffer.name, buffer.element_bytes, use.writes});
  }
  return shared;
}

/// Sets what the launch requires of the kernel. Returns the reason why it is refused; empty: none.
std::string prepare(const machine::Program& program, const Job& job, const Launch& launch,
                    JobMemory& memory, KernelLaunch& prepared) {
  prepared.kernel = program.find_entry(launch.entry);
  if (auto reason = refusal(prepared.kernel, launch.entry); !reason.empty()) return reason;
  if (auto reason = refused_map(launch, memory.addresses)) return *reason;
  auto parameters = parameter_bytes(*prepared.kernel, launch, memory.addresses);
  if (!parameters) {
    return fmt::format("the arguments do not fit the parameters of {}", launch.entry);
  }
  prepared.program = &program;
  prepared.memory = &memory.all;
  prepared.grid = launch.grid;
  prepared.block = launch.block;
  prepared.cluster = launch.cluster;
  prepared.shared_bytes = launch.shared_bytes;
  prepared.parameters = std::move(*parameters);
  prepared.schedule_seed = job.schedule_seed;
  prepared.interleave = job.interleave;
  prepared.splits_lanes = !job.count;
  prepared.instruction_budget = job.instruction_budget / job.budget_divisor;
  prepared.digest = job.digest;
  prepared.shared = shared_memory(job, launch, memory.addresses);
  prepared.limits_only = job.limits_only;
  prepared.stop = &job.stop;
  return {};
}

/// Properties of a run that decide whether it is repeated.
struct RunTraits {
  bool blocks_raced = false;         // the result depends on the order of host threads
  bool has_crowded_barrier = false;  // see machine::Block::has_crowded_barrier()
};

/// Adds the end of a launch to the outcome of its job. Returns false if the launch did not
/// complete: the job then ends.
bool add_end(LaunchEnd end, Outcome& outcome, RunTraits& traits) {
  if (end.refused) {
    outcome.findings.push_back(std::move(*end.refused));
    return false;
  }
  traits.blocks_raced = traits.blocks_raced || end.blocks_raced;
  machine::GridResult& result = end.grid;
  outcome.stopped = result.stopped;
  outcome.warp_instructions += result.warp_instructions;
  traits.has_crowded_barrier = traits.has_crowded_barrier || result.has_crowded_barrier;
  outcome.printed += result.printed;
  if (outcome.access_digest) {  // the digest depends on the order of the launches
    outcome.access_digest = mixed(*outcome.access_digest, result.access_digest);
  }
  if (result.writer) outcome.writer = std::move(result.writer);
  outcome.unsupported = std::move(end.unsupported);
  const auto add = [&](std::vector<Finding>& findings) {
    for (Finding& finding : findings) machine::add_if_new(outcome.findings, std::move(finding));
  };
  add(result.findings);
  add(end.early);
  for (DeviceGridFindings& grid : end.device_grids) add(grid.findings);
  return !result.faulted;
}

class VirtualDevice final : public Device {
 public:
  explicit VirtualDevice(const VirtualOptions& options) : options_(options) {}

  std::string_view name() const override { return "virtual"; }
  bool is_sparse() const override { return true; }
  bool is_deterministic() const override { return true; }
  bool checks_predecessor() const override { return options_.races; }
  std::string description() const override {
    std::string text = "PTX on the CPU, all checks on";
    if (!options_.races) text += " except the detection of races";
    if (options_.mma_arch != 0) text += fmt::format("; tensor cores of sm_{}", options_.mma_arch);
    return text;
  }

  std::shared_ptr<const device::Program> load(const std::string& ptx,
                                              const std::string& file) override {
    return isa::decode(ptx::parse(ptx, file));
  }

  Outcome run(const device::Program& loaded, const Job& job) override try {
    RunTraits traits;
    Outcome outcome = run_once(loaded, job, traits);
    if (needs_other_schedules(dynamic_cast<const machine::Program&>(loaded), job, outcome,
                              traits)) {
      add_findings_of_other_schedules(loaded, job, outcome);
    }
    remove_explained_notes(outcome.findings);
    join_races(dynamic_cast<const machine::Program&>(loaded), outcome.findings);
    return outcome;
  } catch (const std::bad_alloc&) {
    Outcome outcome;
    outcome.unsupported = no_memory();
    return outcome;
  }

 private:
  Outcome run_once(const device::Program& loaded, const Job& job, RunTraits& traits) const {
    const unsigned host_threads = job.track_origins ? 1 : options_.host_threads;
    Outcome outcome = run_over(host_threads, loaded, job, traits);
    if (host_threads > 1 && traits.blocks_raced && !outcome.stopped) {
      // The result of racing blocks depends on their order, which the seed determines on one
      // thread.
      outcome = run_over(1, loaded, job, traits);
    }
    return outcome;
  }

  /// True if the kernel may behave differently in another schedule, and then race or hang. Long
  /// launches run once.
  [[nodiscard]] bool needs_other_schedules(const machine::Program& program, const Job& job,
                                           const Outcome& outcome, const RunTraits& traits) const {
    // Largest number of warp instructions of a job that runs again.
    constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 17;
    if (!options_.races || job.watch || job.digest || job.limits_only || outcome.unsupported ||
        outcome.stopped) {
      return false;
    }
    if (outcome.warp_instructions > kMostInstructions) return false;
    if (std::any_of(outcome.findings.begin(), outcome.findings.end(),
                    [](const Finding& finding) { return finding.grade == Grade::failure; })) {
      return false;
    }
    if (traits.has_crowded_barrier) return true;
    return std::any_of(job.launches.begin(), job.launches.end(), [&](const Launch& launch) {
      const machine::FunctionCode* kernel = program.find_entry(launch.entry);
      return kernel != nullptr && machine::may_observe_order(program, *kernel);
    });
  }

  /// Runs the job in further schedules. The first one has the opposite order of warps, so that each
  /// two warps run in both orders. The schedules depend only on the job's seed.
  void add_findings_of_other_schedules(const device::Program& loaded, const Job& job,
                                       Outcome& outcome) const {
    constexpr std::uint64_t kSchedules = 7;
    // Largest total of warp instructions in all further schedules.
    constexpr std::uint64_t kMostInstructions = std::uint64_t{1} << 18;
    Job other = job;
    other.count = false;
    other.cover = false;
    std::uint64_t executed = outcome.warp_instructions;
    for (std::uint64_t i = 1; i <= kSchedules && executed < kMostInstructions; ++i) {
      other.schedule_seed = i == 1 ? job.schedule_seed ^ machine::kOppositeOrder
                                   : mixed(job.schedule_seed ^ mixed(i));
      other.interleave = i % 2 == 0;
      RunTraits traits;
      Outcome again = run_once(loaded, other, traits);
      executed += again.warp_instructions;
      for (Finding& finding : again.findings) {
        machine::add_if_new(outcome.findings, std::move(finding));
      }
    }
  }

  Outcome run_over(unsigned host_threads, const device::Program& loaded, const Job& job,
                   RunTraits& traits) const {
    const auto& program = dynamic_cast<const machine::Program&>(loaded);
    JobMemory memory = memory_of(program, job);
    std::optional<counters::LaunchObserver> observer;
    if (job.count || job.cover) observer.emplace(program, job.count, job.cover);
    std::optional<origins::OriginTracker> tracker;
    if (job.track_origins && !observer) tracker.emplace(program, job.exact_indices);
    machine::LaunchObserver* any = nullptr;
    if (observer) any = &*observer;
    if (tracker) any = &*tracker;
    bool completed = true;
    Outcome outcome;
    const auto begin = std::chrono::steady_clock::now();
    if (job.digest) outcome.access_digest = 0;
    for (const Launch& launch : job.launches) {
      KernelLaunch prepared;
      prepared.observer = any;
      std::string refused = prepare(program, job, launch, memory, prepared);
      LaunchEnd end;
      if (refused.empty()) {
        end = run_kernel(options_, host_threads, std::move(prepared));
      } else {
        end.refused = launch_failure(std::move(refused));
      }
      completed = add_end(std::move(end), outcome, traits);
      if (!completed) break;
    }
    if (!completed) outcome.access_digest.reset();
    if (tracker) {
      tracker->add_evidence(outcome.findings);
      outcome.overflows = tracker->overflows();
    }
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (observer && completed) {
      outcome.counts = observer->counts();
      outcome.coverage = observer->coverage();
    }
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
      outcome.buffers.push_back(
          memory.all.contents(memory.first_buffer + i, job.buffers[i].packed));
    }
    return outcome;
  }

  VirtualOptions options_;
};

}  // namespace

std::unique_ptr<Device> make_virtual_device(const VirtualOptions& options) {
  return std::make_unique<VirtualDevice>(options);
}

}  // namespace warpcheck::device
