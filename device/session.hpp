// Device memory that outlives a launch: allocations, modules and launches in order, as a CUDA
// context has them. The bytes and their definedness are kept from one launch to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/accessed_range.hpp"
#include "device/finding.hpp"
#include "device/gpu_model.hpp"
#include "device/limits.hpp"
#include "device/texture.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::device {

/// `host_visible`: the device address is also a host address, and the host accesses the bytes
/// directly (managed and pinned memory). Such bytes count as defined, because the device does not
/// observe what the host writes.
enum class MemoryKind : std::uint8_t { device, host_visible };

struct AllocationRequest {
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  std::string name;      // name in findings; the caller keeps names unique
  void* host = nullptr;  // host_visible only: the bytes, if the host has them already
};

enum class FreeResult : std::uint8_t { freed, unknown, freed_before, not_the_start };

struct AllocationInfo {
  std::string name;
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
};

/// Consecutive addresses of a reservation.
struct AddressPart {
  enum class State : std::uint8_t { unmapped, was_mapped, no_access, read_only, accessible };
  std::size_t bytes = 0;
  State state = State::unmapped;
  // The address that identifies memory which several parts of reservations share; races at any of
  // these parts use it. 0: only this part maps the memory.
  std::uint64_t memory = 0;
};

struct AddressRange {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

/// A file with the bytes of an allocation, followed by their definedness, which begins at a
/// multiple of the page size.
struct SharedMemoryFile {
  int descriptor = -1;
  std::size_t offset = 0;  // offset of the first byte: a multiple of kPageBytes
  std::size_t bytes = 0;

  static constexpr std::size_t kPageBytes = 4096;
  [[nodiscard]] std::size_t shadow_offset() const {
    return offset + (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
  }
  [[nodiscard]] std::size_t file_bytes() const { return shadow_offset() + bytes; }
};

/// A range of memory that an operation of the host cannot access.
struct RangeError {
  enum class Kind : std::uint8_t { unknown, out_of_bounds, freed };
  Kind kind = Kind::unknown;
  std::string allocation;     // the nearest allocation; empty: none
  std::ptrdiff_t offset = 0;  // byte offset of the range in `allocation`
  std::size_t allocated = 0;  // bytes of the allocation
  // The reason why no byte of a part of a reservation can be accessed; empty for other ranges.
  std::string refused = {};
};

using ModuleId = std::uint32_t;

struct ModuleVariable {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
};

struct KernelParameter {
  std::size_t offset = 0;  // offset in the parameter bytes
  std::size_t bytes = 0;
};

struct KernelInfo {
  std::string entry;  // mangled name
  std::vector<KernelParameter> parameters;
  std::size_t parameter_bytes = 0;
  std::size_t static_shared_bytes = 0;
  std::size_t local_bytes = 0;       // local memory of a thread
  bool observes_order = false;       // another order of threads may change the kernel's behaviour
  bool launches_dependents = false;  // the kernel contains griddepcontrol.launch_dependents
};

struct SessionLaunch {
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::optional<Dim3> cluster;        // cluster size in blocks; empty: as the kernel declares
  std::size_t shared_bytes = 0;       // dynamic shared memory
  std::vector<std::byte> parameters;  // laid out as in KernelInfo::parameters
  std::uint64_t schedule_seed = 0;
  bool interleave = false;  // switch between warps, and between diverged lanes, more often
  bool footprint = false;   // fill LaunchResult::accesses
  // May begin before the previous kernel ends; LaunchResult::accesses then marks early accesses.
  bool programmatic = false;
  bool origins = false;  // set Finding::origin of undefined values; this is slower
  // The number of pending launches by threads of a grid for which a device has room.
  std::size_t pending_launches = 2048;
  // Limit of warp instructions, if it is lower than the session's; 0: the session's.
  std::uint64_t instructions = 0;
  StopCondition stop;
};

/// A launch by a thread of the device (dynamic parallelism).
struct LaunchSite {
  std::string kernel;  // mangled name of the thread's kernel
  SourcePlace source;
  ThreadPlace thread;
};

/// The findings of a grid that a thread launched.
struct DeviceGridFindings {
  std::string kernel;  // mangled name of the grid's kernel
  // The launch of the grid, then the launch of its parent grid, and so on.
  std::vector<LaunchSite> launched_by;
  std::vector<Finding> findings;
};

struct LaunchResult {
  std::vector<Finding> findings;  // findings that no earlier launch of the module reported
  std::vector<DeviceGridFindings> device_grids;  // new findings of grids that threads launched
  std::vector<Finding> repeated;           // findings that an earlier launch of the module reported
  std::optional<Unsupported> unsupported;  // the reason why the launch ended before it completed
  LaunchLimit exceeded = LaunchLimit::none;  // the limit that prevented the launch: no thread ran
  bool completed = false;                    // every thread ran to its end
  bool stopped = false;                      // SessionLaunch::stop ended the launch
  bool assertion_failed = false;             // assert() in the kernel ended the launch
  // Accesses to allocations and variables, if SessionLaunch::footprint is set and races are
  // checked.
  std::vector<AccessedRange> accesses;
  std::string printed;
  std::uint64_t warp_instructions = 0;
};

/// One thread at a time may use a session.
class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  /// Returns the address: `host`, or else a multiple of 256. Empty if the total of all allocations
  /// exceeds the memory of the device; bytes of the host do not count. An allocation of 0 bytes has
  /// an address that no other allocation has. Bytes of the host must not overlap those of another
  /// allocation; free() leaves them to the host.
  [[nodiscard]] virtual std::optional<std::uint64_t> allocate(const AllocationRequest& request) = 0;
  [[nodiscard]] virtual FreeResult free(std::uint64_t address) = 0;
  /// The allocations that are not freed, in the order in which they were allocated.
  [[nodiscard]] virtual std::vector<AllocationInfo> live() const = 0;
  /// The allocation that contains the address; empty if there is none.
  [[nodiscard]] virtual std::optional<AllocationInfo> containing(std::uint64_t address) const = 0;
  /// The memory of the device in bytes, and the part of it that is not allocated.
  [[nodiscard]] virtual std::uint64_t total_bytes() const = 0;
  [[nodiscard]] virtual std::uint64_t free_bytes() const = 0;

  /// Moves the bytes of an allocation of the device, and their definedness, to a file in memory,
  /// for other processes. Throws EnvironmentError if the system refuses.
  virtual void export_memory(std::uint64_t address, const SharedMemoryFile& file) = 0;
  /// Allocates memory whose bytes are those of an export; empty as for allocate().
  [[nodiscard]] virtual std::optional<std::uint64_t> import_memory(
      const std::string& name, const SharedMemoryFile& file) = 0;

  /// Reserves addresses without memory; the first address is a multiple of 2 MiB. Empty if the host
  /// does not have enough addresses. Memory that a part gets keeps the bytes, and their
  /// definedness, that a part had there before; at first, they are undefined.
  [[nodiscard]] virtual std::optional<std::uint64_t> reserve(const std::string& name,
                                                             std::size_t bytes) = 0;
  /// Sets all parts of a reservation, from its first byte to its last.
  virtual void set_parts(std::uint64_t address, std::span<const AddressPart> parts) = 0;
  /// Maps the ranges of `bytes` bytes at these addresses, multiples of 2 MiB in reservations, to
  /// one memory: that of the first range.
  virtual void share_memory(std::span<const std::uint64_t> addresses, std::size_t bytes) = 0;
  /// Gives the range memory of its own again.
  virtual void unshare_memory(std::uint64_t address, std::size_t bytes) = 0;
  /// The ranges that LaunchResult::accesses lists for a range of one allocation, or of parts with
  /// the same access: the ranges of AddressPart::memory, or the range itself.
  [[nodiscard]] virtual std::vector<AddressRange> memory_at(std::uint64_t address,
                                                            std::size_t bytes) const = 0;
  /// Ends a reservation. Later accesses to it are findings.
  virtual void end_reservation(std::uint64_t address) = 0;

  /// Adds a texture or surface object, whose image lies in allocations. Returns its handle, which
  /// is not 0 and which no other object gets.
  [[nodiscard]] virtual std::uint64_t add_texture(Texture texture) = 0;
  /// Returns false if there is no such object.
  [[nodiscard]] virtual bool destroy_texture(std::uint64_t handle) = 0;

  /// Loads PTX text. Throws InputError with every error and its place if the text is not valid PTX.
  [[nodiscard]] virtual ModuleId load(const std::string& ptx, const std::string& file) = 0;
  [[nodiscard]] virtual std::optional<ModuleVariable> variable(ModuleId module,
                                                               std::string_view name) const = 0;
  [[nodiscard]] virtual std::optional<KernelInfo> kernel(ModuleId module,
                                                         std::string_view entry) const = 0;

  /// Runs a kernel to its end. Its misbehaviour is a finding, after which the session can be used.
  [[nodiscard]] virtual LaunchResult launch(ModuleId module, const SessionLaunch& launch) = 0;

  /// Writes bytes from the host; they are then defined.
  [[nodiscard]] virtual std::optional<RangeError> write(std::uint64_t to,
                                                        std::span<const std::byte> bytes) = 0;
  /// Reads bytes to the host. If `undefined` is not null, it receives the number of bytes that were
  /// never written.
  [[nodiscard]] virtual std::optional<RangeError> read(std::uint64_t from,
                                                       std::span<std::byte> bytes,
                                                       std::size_t* undefined) const = 0;
  /// Copies bytes with their definedness; the ranges may overlap.
  [[nodiscard]] virtual std::optional<RangeError> copy(std::uint64_t to, std::uint64_t from,
                                                       std::size_t bytes) = 0;
  [[nodiscard]] virtual std::optional<RangeError> fill(std::uint64_t to, std::byte value,
                                                       std::size_t bytes) = 0;
  /// Sets a flag to 1 for each byte that was never written, and to 0 for the others.
  [[nodiscard]] virtual std::optional<RangeError> find_undefined(
      std::uint64_t from, std::span<std::byte> flags) const = 0;
  /// The bytes whose flags are not 0 then count as never written.
  [[nodiscard]] virtual std::optional<RangeError> set_undefined(
      std::uint64_t to, std::span<const std::byte> flags) = 0;
};

}  // namespace warpcheck::device
