#include "runtime/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "runtime/ipc.hpp"

namespace warpcheck::runtime {
namespace {

using device::FreeResult;
using device::MemoryKind;
using device::RangeError;

/// One side of a copy.
enum class Side : std::uint8_t { host, device };

std::byte* host_bytes(std::uint64_t address) {
  return static_cast<std::byte*>(pointer_to(address));
}

/// The side of a pointer, as the kind of the copy states it or, for cudaMemcpyDefault, as it is.
Side side_of(Runtime& runtime, std::uint64_t address, cudaMemcpyKind kind, bool is_destination) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return Side::host;
    case cudaMemcpyHostToDevice:
      return is_destination ? Side::device : Side::host;
    case cudaMemcpyDeviceToHost:
      return is_destination ? Side::host : Side::device;
    case cudaMemcpyDeviceToDevice:
      return Side::device;
    case cudaMemcpyDefault:
      break;
  }
  const auto error = runtime.session().read(address, {}, nullptr);
  return error && error->kind == RangeError::Kind::unknown ? Side::host : Side::device;
}

/// True if the host can access the address: it is not memory that only the device has.
bool is_host_memory(Runtime& runtime, std::uint64_t address) {
  const auto allocation = runtime.session().containing(address);
  return !allocation || allocation->kind == device::MemoryKind::host_visible;
}

class Copier {
 public:
  Copier(Runtime& runtime, const char* function, Side to, Side from)
      : runtime_(runtime), function_(function), to_(to), from_(from) {}

  cudaError_t copy(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
    device::Session& session = runtime_.session();
    if (to_ == Side::host && from_ == Side::host) {
      std::memmove(host_bytes(to), host_bytes(from), bytes);
    } else if (from_ == Side::host) {
      return checked("writes", bytes, session.write(to, {host_bytes(from), bytes}));
    } else if (to_ == Side::host) {
      return checked("reads", bytes, session.read(from, {host_bytes(to), bytes}, nullptr));
    } else {
      // The error does not state which range it is of.
      if (const auto error = session.copy(to, to, bytes)) {
        return checked("writes", bytes, error);
      }
      runtime_.note_undefined_copy({to, from, bytes, 0, function_});
      return checked("reads", bytes, session.copy(to, from, bytes));
    }
    return cudaSuccess;
  }

 private:
  cudaError_t checked(const char* verb, std::size_t bytes, const std::optional<RangeError>& error) {
    if (!error) return cudaSuccess;
    return report_range(runtime_, fmt::format("{} {} {} bytes", function_, verb, bytes), *error);
  }

  Runtime& runtime_;
  const char* function_;
  Side to_;
  Side from_;
};

/// Calls body(slice, row) until it returns an error. Rows without a gap are one row.
template <typename Body>
cudaError_t for_each_row(const Region& region, Body body) {
  for (std::size_t slice = 0; slice < region.slices; ++slice) {
    for (std::size_t row = 0; row < region.rows; ++row) {
      if (const cudaError_t error = body(slice, row)) return error;
    }
  }
  return cudaSuccess;
}

std::uint64_t row_address(const RegionPlace& place, std::size_t slice, std::size_t row) {
  return place.address + slice * place.slice_pitch + row * place.pitch;
}

const char* name_of(MemoryUse use) {
  if (use == MemoryUse::imported) return "of another process";
  return use == MemoryUse::pinned || use == MemoryUse::registered ? "of the host" : "of the device";
}

/// The use that stands for all that the same function frees.
MemoryUse freed_as(MemoryUse use) { return use == MemoryUse::managed ? MemoryUse::device : use; }

}  // namespace

cudaError_t report_range(Runtime& runtime, const std::string& access, const RangeError& error) {
  const std::string place =
      fmt::format("{}, which {} {} bytes", error.allocation,
                  error.kind == RangeError::Kind::freed ? "had" : "has", error.allocated);
  if (!error.refused.empty()) {
    const bool freed = error.kind == RangeError::Kind::freed;
    runtime.report(freed ? FindingClass::use_after_free : FindingClass::out_of_bounds,
                   fmt::format("{} at offset {} of {}, {}", access, error.offset, error.allocation,
                               error.refused),
                   runtime.stacks_of(error.allocation));
    return cudaErrorInvalidValue;
  }
  switch (error.kind) {
    case RangeError::Kind::unknown:
      runtime.report(FindingClass::api_misuse,
                     access + " at a pointer that is not to memory of the device");
      break;
    case RangeError::Kind::out_of_bounds:
      runtime.report(FindingClass::out_of_bounds,
                     fmt::format("{} at offset {} of {}", access, error.offset, place),
                     runtime.stacks_of(error.allocation));
      break;
    case RangeError::Kind::freed:
      runtime.report(FindingClass::use_after_free,
                     fmt::format("{} of {} and was freed", access, place),
                     runtime.stacks_of(error.allocation));
      break;
  }
  return cudaErrorInvalidValue;
}

cudaError_t allocate(Runtime& runtime, const char* function, void** address, std::size_t bytes,
                     MemoryUse use) {
  if (address == nullptr) {
    return runtime.misuse(cudaErrorInvalidValue,
                          fmt::format("{}: the pointer to the result is null", function));
  }
  *address = nullptr;
  if (bytes == 0) return cudaSuccess;
  HostAllocation& allocation = runtime.add_allocation(bytes, use);
  const auto kind = use == MemoryUse::device ? MemoryKind::device : MemoryKind::host_visible;
  const auto placed = runtime.session().allocate({bytes, kind, allocation.name});
  if (!placed) return cudaErrorMemoryAllocation;
  allocation.address = *placed;
  *address = pointer_to(*placed);
  if (use != MemoryUse::device) HostGuards::instance().watch(*placed, bytes, true);
  return cudaSuccess;
}

cudaError_t register_memory(Runtime& runtime, const char* function, void* address,
                            std::size_t bytes) {
  if (address == nullptr || bytes == 0) {
    return runtime.misuse(cudaErrorInvalidValue,
                          fmt::format("{}: {} bytes at {}", function, bytes, address));
  }
  const std::uint64_t at = address_of(address);
  for (const std::uint64_t end : {at, at + bytes - 1}) {
    if (const auto known = runtime.session().containing(end)) {
      return runtime.misuse(
          cudaErrorHostMemoryAlreadyRegistered,
          fmt::format("{}: the memory overlaps {}, which is registered or allocated by CUDA",
                      function, known->name));
    }
  }
  HostAllocation& allocation = runtime.add_allocation(bytes, MemoryUse::registered);
  allocation.address = at;
  HostGuards::instance().watch(at, bytes, false);
  return runtime.session().allocate({bytes, MemoryKind::host_visible, allocation.name, address})
             ? cudaSuccess
             : cudaErrorMemoryAllocation;
}

cudaError_t unregister_memory(Runtime& runtime, const char* function, void* address) {
  const HostAllocation* const allocation = runtime.allocation_at(address_of(address));
  if (allocation == nullptr || allocation->use != MemoryUse::registered) {
    return runtime.misuse(cudaErrorHostMemoryNotRegistered,
                          fmt::format("{}: the memory is not registered", function));
  }
  return free_memory(runtime, function, address, MemoryUse::registered);
}

cudaError_t free_memory(Runtime& runtime, const char* function, void* address, MemoryUse use) {
  if (address == nullptr) return cudaSuccess;
  const std::uint64_t at = address_of(address);
  HostAllocation* const allocation = runtime.allocation_at(at);
  const auto wrong = [&](std::string message, const std::string& name) {
    runtime.report(FindingClass::api_misuse, std::move(message), runtime.stacks_of(name));
    return cudaErrorInvalidValue;
  };
  if (allocation != nullptr && freed_as(allocation->use) != freed_as(use)) {
    return wrong(fmt::format("{} frees {}, which is memory {}", function, allocation->name,
                             name_of(allocation->use)),
                 allocation->name);
  }
  switch (runtime.session().free(at)) {
    case FreeResult::freed:
      end_export(runtime, allocation->address);
      runtime.mark_freed(*allocation);
      runtime.order().forget(allocation->address, allocation->bytes);
      HostGuards::instance().forget(allocation->address);
      return cudaSuccess;
    case FreeResult::freed_before: {
      const auto error = runtime.session().read(at, {}, nullptr);
      const std::string name = error ? error->allocation : "an allocation";
      return wrong(fmt::format("{} frees {} a second time", function, name), name);
    }
    case FreeResult::not_the_start:
      return wrong(fmt::format("{} frees an address inside of {}, not its first byte", function,
                               allocation != nullptr ? allocation->name : "a variable"),
                   allocation != nullptr ? allocation->name : "");
    case FreeResult::unknown:
      break;
  }
  if (const auto variable = runtime.session().containing(at)) {
    return wrong(fmt::format("{} frees the variable {}", function, variable->name), "");
  }
  return wrong(fmt::format("{} frees memory that the CUDA runtime did not allocate", function), "");
}

cudaError_t copy(Runtime& runtime, const char* function, const RegionPlace& to,
                 const RegionPlace& from, const Region& region, cudaMemcpyKind kind) {
  if (is_empty(region)) return cudaSuccess;
  const auto misuse = [&](cudaError_t error, const std::string& message) {
    return runtime.misuse(error, fmt::format("{}: {}", function, message));
  };
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return misuse(cudaErrorInvalidMemcpyDirection,
                  fmt::format("{} is not a cudaMemcpyKind", static_cast<int>(kind)));
  }
  if (to.address == 0 || from.address == 0) {
    return misuse(cudaErrorInvalidValue, "a pointer is null");
  }
  if (region.rows > 1 && (to.pitch < region.bytes || from.pitch < region.bytes)) {
    return misuse(cudaErrorInvalidPitchValue,
                  fmt::format("rows of {} bytes exceed a pitch of {} bytes", region.bytes,
                              std::min(to.pitch, from.pitch)));
  }
  const Side to_side = side_of(runtime, to.address, kind, true);
  const Side from_side = side_of(runtime, from.address, kind, false);
  for (const auto& [name, address, side] : {std::tuple("destination", to.address, to_side),
                                            std::tuple("source", from.address, from_side)}) {
    if (side == Side::device || is_host_memory(runtime, address)) continue;
    return misuse(
        cudaErrorInvalidValue,
        fmt::format("the {} is {}, memory of the device, but the cudaMemcpyKind states the host",
                    name, runtime.session().containing(address)->name));
  }
  Copier copier(runtime, function, to_side, from_side);
  const cudaError_t error = for_each_row(region, [&](std::size_t slice, std::size_t row) {
    return copier.copy(row_address(to, slice, row), row_address(from, slice, row), region.bytes);
  });
  return error != cudaSuccess ? error : runtime.take_launch_error();
}

cudaError_t fill(Runtime& runtime, const char* function, const RegionPlace& to,
                 const Region& region, FillValue value) {
  if (is_empty(region)) return cudaSuccess;
  if (region.rows > 1 && to.pitch < region.bytes) {
    return runtime.misuse(cudaErrorInvalidValue,
                          fmt::format("{}: rows of {} bytes exceed a pitch of {} bytes", function,
                                      region.bytes, to.pitch));
  }
  std::vector<std::byte> pattern(value.element_bytes == 1 ? 0 : region.bytes);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    pattern[i] = static_cast<std::byte>(value.value >> (8 * (i % value.element_bytes)));
  }
  return for_each_row(region, [&](std::size_t slice, std::size_t row) {
    const std::uint64_t at = row_address(to, slice, row);
    const auto error = pattern.empty() ? runtime.session().fill(
                                             at, static_cast<std::byte>(value.value), region.bytes)
                                       : runtime.session().write(at, pattern);
    if (!error) return cudaSuccess;
    return report_range(runtime, fmt::format("{} sets {} bytes", function, region.bytes), *error);
  });
}

}  // namespace warpcheck::runtime
