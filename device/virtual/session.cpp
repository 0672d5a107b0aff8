#include "device/virtual/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <new>
#include <unordered_map>
#include <utility>

#include "device/virtual/isa/decode.hpp"
#include "device/virtual/launch.hpp"
#include "device/virtual/machine/grid/dispatch.hpp"
#include "device/virtual/machine/memory/memory.hpp"
#include "device/virtual/machine/memory/reservation.hpp"
#include "device/virtual/machine/memory/textures.hpp"
#include "device/virtual/origins/origin_tracker.hpp"
#include "device/virtual/reported_findings.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::device {
namespace {

using machine::Allocation;
using machine::GlobalMemory;

/// The first slot of device allocations. Its address is 2^47, beyond the addresses of processes.
constexpr std::uint64_t kFirstSlot =
    (0x8000'0000'0000 - machine::kGlobalBase) >> machine::kGlobalSlotBits;

struct Module {
  std::shared_ptr<const machine::Program> program;
  ReportedFindings reported;  // findings of the module's launches
};

class VirtualSession final : public Session {
 public:
  VirtualSession(const VirtualOptions& options, std::uint64_t memory_bytes)
      : options_(options), total_(memory_bytes), free_(memory_bytes) {}

  std::optional<std::uint64_t> allocate(const AllocationRequest& request) override {
    const std::uint64_t most = request.host != nullptr ? kMostBufferBytes : free_;
    if (request.bytes > std::min<std::uint64_t>(most, kMostBufferBytes)) return std::nullopt;
    const Allocation* made = nullptr;
    try {
      made = request.host != nullptr
                 ? memory_.add_host_bytes(request.name, request.host, request.bytes)
             : request.kind == MemoryKind::host_visible
                 ? memory_.add_host_visible(request.name, request.bytes)
                 : &memory_.add_block(request.name, request.bytes);
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
    if (made == nullptr) return std::nullopt;
    if (request.host == nullptr) free_ -= request.bytes;
    live_.emplace(++allocated_, made->address);
    numbers_[made->address] = allocated_;
    return made->address;
  }

  FreeResult free(std::uint64_t address) override {
    Allocation* const block = memory_.near(address);
    if (block == nullptr || !contains(*block, address)) return FreeResult::unknown;
    if (block->heap == machine::HeapState::freed) return FreeResult::freed_before;
    const auto number = numbers_.find(block->address);
    // The address belongs to a variable or to the device heap.
    if (number == numbers_.end()) return FreeResult::unknown;
    if (address != block->address) return FreeResult::not_the_start;
    live_.erase(number->second);
    numbers_.erase(number);
    if (!block->registered) free_ += block->extent.bytes();
    memory_.free_block(*block);
    return FreeResult::freed;
  }

  std::vector<AllocationInfo> live() const override {
    std::vector<AllocationInfo> all;
    for (const auto& [number, address] : live_) all.push_back(info(*memory_.near(address)));
    return all;
  }

  std::optional<AllocationInfo> containing(std::uint64_t address) const override {
    const Allocation* const block = memory_.near(address);
    if (block == nullptr || block->heap == machine::HeapState::freed ||
        !contains(*block, address)) {
      return std::nullopt;
    }
    return info(*block);
  }

  std::uint64_t total_bytes() const override { return total_; }
  std::uint64_t free_bytes() const override { return free_; }

  void export_memory(std::uint64_t address, const SharedMemoryFile& file) override {
    Allocation& block = *memory_.near(address);
    const machine::Bytes before = block.container.bytes;
    auto data = machine::SparseBytes::from_file(file.descriptor, file.offset, file.bytes);
    auto shadow =
        machine::SparseBytes::from_file(file.descriptor, file.shadow_offset(), file.bytes);
    std::memcpy(data.data(), before.data, file.bytes);
    std::memcpy(shadow.data(), before.shadow, file.bytes);
    put_bytes(block, std::move(data), std::move(shadow));
  }
  std::optional<std::uint64_t> import_memory(const std::string& name,
                                             const SharedMemoryFile& file) override {
    const auto address = allocate({file.bytes, MemoryKind::device, name});
    if (!address) return std::nullopt;
    Allocation& block = *memory_.near(*address);
    put_bytes(block, machine::SparseBytes::from_file(file.descriptor, file.offset, file.bytes),
              machine::SparseBytes::from_file(file.descriptor, file.shadow_offset(), file.bytes));
    return address;
  }

  std::optional<std::uint64_t> reserve(const std::string& name, std::size_t bytes) override {
    if (bytes > kMostBufferBytes) return std::nullopt;
    try {
      return memory_.add_reservation(name, bytes).address;
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
  }
  void set_parts(std::uint64_t address, std::span<const AddressPart> parts) override {
    memory_.reservation_at(address).set_parts(parts);
  }
  void share_memory(std::span<const std::uint64_t> addresses, std::size_t bytes) override {
    std::vector<std::byte*> data;
    std::vector<std::byte*> shadows;
    for (const std::uint64_t address : addresses) {
      const machine::Bytes range = memory_.reserved_bytes(address, bytes);
      data.push_back(range.data);
      shadows.push_back(range.shadow);
    }
    machine::SparseBytes::share(data, bytes);
    machine::SparseBytes::share(shadows, bytes);
  }
  void unshare_memory(std::uint64_t address, std::size_t bytes) override {
    const machine::Bytes range = memory_.reserved_bytes(address, bytes);
    machine::SparseBytes::unshare(range.data, bytes);
    machine::SparseBytes::unshare(range.shadow, bytes);
  }
  std::vector<AddressRange> memory_at(std::uint64_t address, std::size_t bytes) const override {
    const Allocation* const block = memory_.near(address);
    if (block == nullptr || block->container.mappings == nullptr) return {{address, bytes}};
    std::vector<AddressRange> ranges;
    for (std::size_t begin = address - block->address, end = begin + bytes; begin < end;) {
      const machine::Mapping& mapping = mapping_at(*block->container.mappings, begin);
      const std::size_t stop = std::min(end, mapping.begin + mapping.bytes);
      ranges.push_back({mapping.memory + (begin - mapping.begin), stop - begin});
      begin = stop;
    }
    return ranges;
  }
  void end_reservation(std::uint64_t address) override { memory_.end_reservation(address); }

  std::uint64_t add_texture(Texture texture) override { return textures_.add(std::move(texture)); }
  bool destroy_texture(std::uint64_t handle) override { return textures_.destroy(handle); }

  ModuleId load(const std::string& ptx, const std::string& file) override {
    ptx::Module parsed = ptx::parse(ptx, file);
    const std::vector<std::uint64_t> managed = place_managed(parsed);
    auto program = isa::decode(std::move(parsed), {memory_.next_slot(), managed});
    for (const machine::GlobalVariable& variable : program->global_variables) {
      if (!variable.managed) {
        memory_.add_variable(variable);
      } else {
        memory_.initialize(variable);
      }
    }
    modules_.push_back({std::move(program), {}});
    return static_cast<ModuleId>(modules_.size() - 1);
  }

  std::optional<ModuleVariable> variable(ModuleId module, std::string_view name) const override {
    const machine::Program& program = *modules_.at(module).program;
    auto placed = program.global_variables.begin();  // place of the next variable of the loop
    for (const ptx::Variable& variable : program.module.variables) {
      if (variable.space == ptx::StateSpace::shared) continue;
      if (variable.name == name) return ModuleVariable{placed->address, variable.bytes()};
      ++placed;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Dim3> cluster(ModuleId module, std::string_view entry) const {
    const machine::FunctionCode* const code = modules_.at(module).program->find_entry(entry);
    if (code == nullptr || !code->source->directives.reqnctapercluster) return std::nullopt;
    return machine::declared_cluster(*code);
  }

  std::optional<KernelInfo> kernel(ModuleId module, std::string_view entry) const override {
    const machine::FunctionCode* const code = modules_.at(module).program->find_entry(entry);
    if (code == nullptr) return std::nullopt;
    KernelInfo info{std::string(entry),
                    {},
                    code->parameter_bytes,
                    code->shared_bytes,
                    code->local_bytes,
                    observes_order(*modules_.at(module).program, *code),
                    machine::launches_dependents(*modules_.at(module).program, *code)};
    for (const machine::ParameterPlace& place : code->parameters) {
      info.parameters.push_back({place.offset, place.bytes});
    }
    return info;
  }

  LaunchResult launch(ModuleId module, const SessionLaunch& launch) override try {
    Module& loaded = modules_.at(module);
    const machine::FunctionCode* const kernel = loaded.program->find_entry(launch.entry);
    LaunchResult result;
    std::vector<Finding> findings;
    if (std::string refused = refusal(kernel, launch); !refused.empty()) {
      findings.push_back(launch_failure(std::move(refused)));
      result.exceeded = LaunchLimit::declared;
    } else {
      std::optional<origins::OriginTracker> tracker;
      if (launch.origins) tracker.emplace(*loaded.program);
      VirtualOptions options = options_;
      if (launch.instructions != 0) {
        std::uint64_t& most = options.limits.instructions;
        most = most == 0 ? launch.instructions : std::min(most, launch.instructions);
      }
      LaunchEnd end = run_kernel(options, tracker ? 1 : options_.host_threads,
                                 {.program = loaded.program.get(),
                                  .kernel = kernel,
                                  .memory = &memory_,
                                  .textures = &textures_,
                                  .grid = launch.grid,
                                  .block = launch.block,
                                  .cluster = launch.cluster,
                                  .shared_bytes = launch.shared_bytes,
                                  .parameters = launch.parameters,
                                  .schedule_seed = launch.schedule_seed,
                                  .interleave = launch.interleave,
                                  .pending_launches = launch.pending_launches,
                                  .keep_going = true,
                                  .may_be_slow = true,
                                  .footprint = launch.footprint,
                                  .programmatic = launch.programmatic && launch.footprint,
                                  .observer = tracker ? &*tracker : nullptr,
                                  .stop = &launch.stop});
      memory_.end_launch();
      result.exceeded = end.exceeded;
      result.completed = !end.refused && !end.grid.faulted;
      result.unsupported = std::move(end.unsupported);
      result.stopped = end.grid.stopped;
      result.accesses = std::move(end.accesses);
      result.printed = std::move(end.grid.printed);
      result.warp_instructions = end.grid.warp_instructions;
      findings = std::move(end.grid.findings);
      if (!result.unsupported) result.unsupported = wait_for_host(findings);
      if (tracker) {
        tracker->add_evidence(findings);
        for (DeviceGridFindings& grid : end.device_grids) tracker->add_evidence(grid.findings);
      }
      result.assertion_failed = std::any_of(findings.begin(), findings.end(), is_assertion);
      if (end.refused) findings.push_back(std::move(*end.refused));
      for (DeviceGridFindings& grid : end.device_grids) {
        result.assertion_failed =
            result.assertion_failed ||
            std::any_of(grid.findings.begin(), grid.findings.end(), is_assertion);
        loaded.reported.keep_new(*loaded.program, grid.findings, result.repeated);
        if (!grid.findings.empty()) result.device_grids.push_back(std::move(grid));
      }
    }
    loaded.reported.keep_new(*loaded.program, findings, result.repeated);
    result.findings = std::move(findings);
    return result;
  } catch (const std::bad_alloc&) {
    LaunchResult result;
    result.unsupported = no_memory();
    return result;
  }

  std::optional<RangeError> write(std::uint64_t to, std::span<const std::byte> bytes) override {
    const auto range = find(to, bytes.size());
    if (range.error) return range.error;
    if (bytes.empty()) return std::nullopt;
    std::memmove(range.bytes.data, bytes.data(), bytes.size());
    std::memset(range.bytes.shadow, kDefined, bytes.size());
    return std::nullopt;
  }

  std::optional<RangeError> read(std::uint64_t from, std::span<std::byte> bytes,
                                 std::size_t* undefined) const override {
    const auto range = find(from, bytes.size());
    if (undefined != nullptr) *undefined = 0;
    if (range.error) return range.error;
    if (bytes.empty()) return std::nullopt;
    std::memmove(bytes.data(), range.bytes.data, bytes.size());
    if (undefined != nullptr) {
      *undefined = static_cast<std::size_t>(
          std::count_if(range.bytes.shadow, range.bytes.shadow + bytes.size(),
                        [](std::byte bits) { return bits != std::byte{kDefined}; }));
    }
    return std::nullopt;
  }

  std::optional<RangeError> copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) override {
    const auto source = find(from, bytes);
    if (source.error) return source.error;
    const auto target = find(to, bytes);
    if (target.error) return target.error;
    if (bytes == 0) return std::nullopt;
    std::memmove(target.bytes.data, source.bytes.data, bytes);
    std::memmove(target.bytes.shadow, source.bytes.shadow, bytes);
    return std::nullopt;
  }

  std::optional<RangeError> fill(std::uint64_t to, std::byte value, std::size_t bytes) override {
    const auto range = find(to, bytes);
    if (range.error) return range.error;
    if (bytes == 0) return std::nullopt;
    std::memset(range.bytes.data, static_cast<int>(value), bytes);
    std::memset(range.bytes.shadow, kDefined, bytes);
    return std::nullopt;
  }

  std::optional<RangeError> find_undefined(std::uint64_t from,
                                           std::span<std::byte> flags) const override {
    const auto range = find(from, flags.size());
    if (range.error) return range.error;
    std::transform(range.bytes.shadow, range.bytes.shadow + flags.size(), flags.begin(),
                   [](std::byte bits) { return std::byte{bits != std::byte{kDefined}}; });
    return std::nullopt;
  }

  std::optional<RangeError> set_undefined(std::uint64_t to,
                                          std::span<const std::byte> flags) override {
    const auto range = find(to, flags.size());
    if (range.error) return range.error;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (flags[i] != std::byte{0}) range.bytes.shadow[i] = std::byte{0};
    }
    return std::nullopt;
  }

 private:
  static constexpr unsigned char kDefined = 0xff;

  static void put_bytes(Allocation& block, machine::SparseBytes data, machine::SparseBytes shadow) {
    block.data = std::move(data);
    block.shadow = std::move(shadow);
    block.container.bytes.data = block.data.data();
    block.container.bytes.shadow = block.shadow.data();
  }

  struct Range {
    machine::Bytes bytes;
    std::optional<RangeError> error;
  };

  static bool observes_order(const machine::Program& program, const machine::FunctionCode& kernel) {
    const auto observes = [&](const machine::FunctionCode& code) {
      return machine::may_observe_order(program, code) ||
             machine::has_counted_barrier(program, code);
    };
    if (!machine::may_launch_grids(program)) return observes(kernel);
    const auto& functions = program.functions;
    return std::any_of(functions.begin(), functions.end(), [&](const machine::FunctionCode& code) {
      return code.source->is_entry && observes(code);
    });
  }

  /// True if the address lies in the extent that the allocation has or had. The first byte counts
  /// even if the extent is empty.
  static bool contains(const Allocation& block, std::uint64_t address) {
    return address - block.address < std::max<std::size_t>(block.extent.bytes(), 1);
  }

  static AllocationInfo info(const Allocation& block) {
    return {block.name, block.address, block.extent.bytes(),
            GlobalMemory::is_host_visible(block) ? MemoryKind::host_visible : MemoryKind::device};
  }

  /// Finds the bytes of a range. Returns an error unless all belong to one allocation that is not
  /// freed.
  Range find(std::uint64_t address, std::size_t bytes) const {
    const Allocation* const block = memory_.near(address);
    if (block == nullptr) return {{}, RangeError{}};
    const auto offset = static_cast<std::ptrdiff_t>(address - block->address);
    const std::size_t size = block->extent.bytes();
    RangeError error{RangeError::Kind::out_of_bounds, block->name, offset, size,
                     block->refused != nullptr ? block->refused : ""};
    if (block->heap == machine::HeapState::freed) {
      error.kind = RangeError::Kind::freed;
      return {{}, std::move(error)};
    }
    const bool inside =
        offset >= 0 && bytes <= size && static_cast<std::size_t>(offset) <= size - bytes;
    if (!inside) return {{}, std::move(error)};
    const machine::Bytes& all = block->container.bytes;
    return {{all.data + offset, all.shadow + offset, bytes}, std::nullopt};
  }

  /// Allocates the managed variables of a module, and returns their addresses.
  std::vector<std::uint64_t> place_managed(const ptx::Module& module) {
    std::vector<std::uint64_t> addresses;
    for (const ptx::Variable& variable : module.variables) {
      if (!variable.managed || !isa::is_global(variable)) continue;
      const Allocation* const made = memory_.add_host_visible(variable.name, variable.bytes());
      if (made == nullptr) throw std::bad_alloc();
      addresses.push_back(made->address);
    }
    return addresses;
  }

  static bool is_assertion(const Finding& finding) {
    return finding.source.facts.callee == "__assertfail";
  }

  /// Removes a deadlock of threads that wait for memory that the host, too, can change: in this
  /// session, the host runs after the launch.
  std::optional<Unsupported> wait_for_host(std::vector<Finding>& findings) const {
    const auto waits = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.kind == FindingClass::deadlock && finding.memory &&
             is_host_visible(finding.memory->name);
    });
    if (waits == findings.end()) return std::nullopt;
    Unsupported unsupported{
        "a wait for the host",
        "the kernel waits for a change of memory that the host can access; warpcheck runs a "
        "kernel to its end before the host continues",
        "", waits->source};
    unsupported.undecided = std::move(*waits);
    findings.erase(waits);
    return unsupported;
  }

  [[nodiscard]] bool is_host_visible(const std::string& name) const {
    return std::any_of(live_.begin(), live_.end(), [&](const auto& one) {
      const Allocation& block = *memory_.near(one.second);
      return block.name == name && GlobalMemory::is_host_visible(block);
    });
  }

  /// The reason why the launch cannot begin; empty: it can.
  static std::string refusal(const machine::FunctionCode* kernel, const SessionLaunch& launch) {
    std::string reason = device::refusal(kernel, launch.entry);
    if (reason.empty() && launch.parameters.size() != kernel->parameter_bytes) {
      reason = fmt::format("{} bytes of arguments for {}, which takes {}", launch.parameters.size(),
                           launch.entry, kernel->parameter_bytes);
    }
    return reason;
  }

  VirtualOptions options_;
  std::uint64_t total_;
  std::uint64_t free_;
  machine::GlobalMemory memory_{kFirstSlot};
  machine::Textures textures_;
  std::map<std::uint64_t, std::uint64_t> live_;  // maps an allocation's number to its address
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;  // maps the address to the number
  std::uint64_t allocated_ = 0;
  std::vector<Module> modules_;
};

}  // namespace

std::optional<Dim3> declared_cluster(const Session& session, ModuleId module,
                                     std::string_view entry) {
  return dynamic_cast<const VirtualSession&>(session).cluster(module, entry);
}

std::unique_ptr<Session> make_virtual_session(const VirtualOptions& options,
                                              std::uint64_t memory_bytes) {
  return std::make_unique<VirtualSession>(options, memory_bytes);
}

}  // namespace warpcheck::device
