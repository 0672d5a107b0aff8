// Addresses and the memory behind them, which the program maps itself (CUDA Driver API, "Virtual
// Memory Management").
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runtime/driver/driver.hpp"

using namespace warpcheck;
using namespace warpcheck::runtime;

namespace {

using device::AddressPart;
using State = AddressPart::State;
using Handle = CUmemGenericAllocationHandle;

constexpr std::size_t kGranularity = std::size_t{2} << 20;

/// Memory of cuMemCreate(). Its bytes are in an allocation of its own while it is not mapped.
struct Physical {
  std::size_t bytes = 0;
  CUmemAllocationProp properties{};
  std::uint64_t references = 1;
  std::vector<std::uint64_t> mapped = {};  // the addresses at which it is
  bool has_bytes = false;                  // it was mapped before
  bool in_part = false;                    // some mapping has fewer bytes
  bool shared = false;                     // it was mapped at two addresses since then
};

struct Mapping {
  std::size_t bytes = 0;
  Handle memory = 0;
  State state = State::no_access;
};

/// Addresses of cuMemAddressReserve().
struct Reserved {
  std::string name;
  std::size_t bytes = 0;
  std::map<std::size_t, Mapping> mappings = {};  // keyed by offset
  std::vector<bool> used = {};                   // indexed by granule; true: it was mapped

  /// The whole mappings of which a range consists; empty if it does not consist of such.
  [[nodiscard]] std::vector<std::size_t> mappings_in(std::size_t offset, std::size_t size) const {
    std::vector<std::size_t> found;
    std::size_t at = offset;
    for (auto one = mappings.find(offset); at < offset + size; ++one) {
      if (one == mappings.end() || one->first != at) return {};
      found.push_back(at);
      at += one->second.bytes;
    }
    return at == offset + size ? found : std::vector<std::size_t>();
  }

  [[nodiscard]] bool overlaps(std::size_t offset, std::size_t size) const {
    return std::any_of(mappings.begin(), mappings.end(), [&](const auto& one) {
      return one.first < offset + size && offset < one.first + one.second.bytes;
    });
  }

  [[nodiscard]] std::vector<AddressPart> parts() const {
    std::vector<AddressPart> all;
    const auto add_unmapped = [&all](State state) {
      if (!all.empty() && all.back().memory == 0 && all.back().state == state) {
        all.back().bytes += kGranularity;
      } else {
        all.push_back({kGranularity, state});
      }
    };
    for (std::size_t at = 0; at < bytes;) {
      const auto one = mappings.find(at);
      if (one != mappings.end()) {
        all.push_back({one->second.bytes, one->second.state, one->second.memory});
        at += one->second.bytes;
      } else {
        add_unmapped(used[at / kGranularity] ? State::was_mapped : State::unmapped);
        at += kGranularity;
      }
    }
    return all;
  }
};

class VirtualMemory {
 public:
  /// Never destroyed: the program's own destructors may use it.
  static VirtualMemory& instance() {
    static auto& all = *new VirtualMemory;
    return all;
  }

  [[nodiscard]] Physical* physical(Handle handle) {
    const auto found = physical_.find(handle);
    return found == physical_.end() ? nullptr : &found->second;
  }
  void add(Handle handle, Physical memory) { physical_[handle] = memory; }

  void add(std::uint64_t address, Reserved reserved) { reserved_[address] = std::move(reserved); }
  void erase(std::uint64_t address) { reserved_.erase(address); }

  /// The reservation that contains a range, with its first address; null: there is none.
  [[nodiscard]] std::pair<std::uint64_t, Reserved*> containing(std::uint64_t address,
                                                               std::size_t bytes) {
    const auto after = reserved_.upper_bound(address);
    if (after == reserved_.begin()) return {};
    const auto found = std::prev(after);
    const std::uint64_t offset = address - found->first;
    const std::size_t size = found->second.bytes;
    if (bytes > size || offset > size - bytes) return {};
    return {found->first, &found->second};
  }

  /// Frees memory that is neither mapped nor referenced.
  void free_unused(Runtime& runtime, const char* function, Handle handle) {
    const Physical& memory = physical_.at(handle);
    if (!memory.mapped.empty() || memory.references != 0) return;
    static_cast<void>(free_memory(runtime, function, pointer_to(handle), MemoryUse::device));
    physical_.erase(handle);
  }

 private:
  std::map<Handle, Physical> physical_;  // a handle is the address of the allocation
  std::map<std::uint64_t, Reserved> reserved_;
};

cudaError_t wrong(Runtime& runtime, const char* function, const std::string& message) {
  return runtime.misuse(cudaErrorInvalidValue, fmt::format("{}: {}", function, message));
}

/// Empty if the sizes are multiples of the granularity and none is 0.
std::string wrong_size(std::uint64_t address, std::size_t bytes) {
  if (bytes != 0 && bytes % kGranularity == 0 && address % kGranularity == 0) return "";
  const std::string place = address == 0 ? "" : fmt::format(" at {:#x}", address);
  return fmt::format("{} bytes{}: expected multiples of the granularity, {} bytes", bytes, place,
                     kGranularity);
}

/// Calls `body` with the reservation that contains a range, its first address and the offset.
template <typename Body>
CUresult with_range(const char* function, CUdeviceptr address, std::size_t bytes, Body body) {
  return context_call(function, [&](Runtime& runtime) {
    if (const std::string bad = wrong_size(address, bytes); !bad.empty()) {
      return wrong(runtime, function, bad);
    }
    const auto [begin, reserved] = VirtualMemory::instance().containing(address, bytes);
    if (reserved == nullptr) {
      return wrong(
          runtime, function,
          fmt::format("cuMemAddressReserve did not reserve the {} bytes at {:#x}", bytes, address));
    }
    return body(runtime, *reserved, begin, static_cast<std::size_t>(address - begin));
  });
}

/// Moves the bytes of memory between the allocation of its handle and a mapping.
void move_bytes(Runtime& runtime, std::uint64_t begin, Reserved& reserved, std::size_t offset,
                bool to_mapping) {
  Mapping& mapping = reserved.mappings.at(offset);
  mapping.state = State::accessible;
  runtime.session().set_parts(begin, reserved.parts());
  const std::uint64_t mapped = begin + offset;
  static_cast<void>(to_mapping ? runtime.session().copy(mapped, mapping.memory, mapping.bytes)
                               : runtime.session().copy(mapping.memory, mapped, mapping.bytes));
}

/// Gives memory that is mapped elsewhere another address.
void share_bytes(Runtime& runtime, Physical& memory, std::uint64_t address) {
  std::vector<std::uint64_t> all = memory.mapped;
  all.push_back(address);
  runtime.session().share_memory(all, memory.bytes);
  if (!memory.shared) runtime.count_shared_memory(1);
  memory.shared = true;
}

/// Call this when memory is no longer mapped at an address.
void unshare_bytes(Runtime& runtime, Physical& memory, std::uint64_t address) {
  if (!memory.shared) return;
  runtime.session().unshare_memory(address, memory.bytes);
  if (!memory.mapped.empty()) return;
  memory.shared = false;
  runtime.count_shared_memory(-1);
}

State state_of(CUmemAccess_flags flags) {
  if (flags == CU_MEM_ACCESS_FLAGS_PROT_READ) return State::read_only;
  return flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? State::accessible : State::no_access;
}

CUmemAccess_flags flags_of(State state) {
  if (state == State::read_only) return CU_MEM_ACCESS_FLAGS_PROT_READ;
  return state == State::accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
                                    : CU_MEM_ACCESS_FLAGS_PROT_NONE;
}

/// Calls `body` with the memory of a handle.
template <typename Body>
CUresult with_memory(const char* function, Handle handle, Body body) {
  return context_call(function, [&](Runtime& runtime) {
    Physical* const memory = VirtualMemory::instance().physical(handle);
    if (memory == nullptr || memory->references == 0) {
      return wrong(runtime, function,
                   fmt::format("{:#x} is no memory of cuMemCreate, or was released", handle));
    }
    return body(runtime, *memory);
  });
}

}  // namespace

CUresult cuMemGetAllocationGranularity(size_t* granularity, const CUmemAllocationProp*,
                                       CUmemAllocationGranularity_flags) {
  return driver_call([&](Runtime&) {
    *granularity = kGranularity;
    return cudaSuccess;
  });
}

CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr,
                             unsigned long long) {
  constexpr const char* kFunction = "cuMemAddressReserve";
  return context_call(kFunction, [&](Runtime& runtime) {
    if (const std::string bad = wrong_size(0, bytes); !bad.empty()) {
      return wrong(runtime, kFunction, bad);
    }
    constexpr std::size_t kMostAlignment = std::size_t{1} << 35;  // largest supported alignment
    if (alignment > kMostAlignment) {
      return runtime.unsupported(kFunction, fmt::format("an alignment of {} bytes", alignment));
    }
    HostAllocation& named = runtime.add_allocation(bytes, MemoryUse::device);
    const auto begin = runtime.session().reserve(named.name, bytes);
    if (!begin) return cudaErrorMemoryAllocation;
    named.address = *address = *begin;
    VirtualMemory::instance().add(*begin,
                                  {named.name, bytes, {}, std::vector<bool>(bytes / kGranularity)});
    return cudaSuccess;
  });
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  constexpr const char* kFunction = "cuMemAddressFree";
  return with_range(kFunction, address, bytes,
                    [&](Runtime& runtime, Reserved& reserved, std::uint64_t begin, std::size_t) {
                      if (address != begin || bytes != reserved.bytes) {
                        return wrong(runtime, kFunction, "the range is a part of a reservation");
                      }
                      if (!reserved.mappings.empty()) {
                        return wrong(runtime, kFunction, "memory is still mapped there");
                      }
                      runtime.mark_freed(*runtime.allocation_named(reserved.name));
                      runtime.session().end_reservation(begin);
                      VirtualMemory::instance().erase(begin);
                      return cudaSuccess;
                    });
}

CUresult cuMemCreate(Handle* handle, size_t bytes, const CUmemAllocationProp* properties,
                     unsigned long long) {
  constexpr const char* kFunction = "cuMemCreate";
  return context_call(kFunction, [&](Runtime& runtime) {
    if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
      return runtime.unsupported(kFunction, "memory that is not of the device");
    }
    if (properties->location.id != 0) {
      return runtime.misuse(cudaErrorInvalidDevice,
                            fmt::format("{}: found device {}", kFunction, properties->location.id));
    }
    if (const std::string bad = wrong_size(0, bytes); !bad.empty()) {
      return wrong(runtime, kFunction, bad);
    }
    void* storage = nullptr;
    if (const auto error = allocate(runtime, kFunction, &storage, bytes, MemoryUse::device)) {
      return error;
    }
    *handle = address_of(storage);
    VirtualMemory::instance().add(*handle, {bytes, *properties});
    return cudaSuccess;
  });
}

CUresult cuMemRelease(Handle handle) {
  constexpr const char* kFunction = "cuMemRelease";
  return with_memory(kFunction, handle, [&](Runtime& runtime, Physical& memory) {
    --memory.references;
    VirtualMemory::instance().free_unused(runtime, kFunction, handle);
    return cudaSuccess;
  });
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, Handle handle,
                  unsigned long long) {
  constexpr const char* kFunction = "cuMemMap";
  return with_memory(kFunction, handle, [&](Runtime& runtime, Physical& memory) {
    if (offset != 0 || bytes > memory.bytes) {
      return wrong(runtime, kFunction,
                   fmt::format("{} bytes from byte {} of memory of {} bytes: expected offset 0",
                               bytes, offset, memory.bytes));
    }
    memory.in_part = memory.in_part || bytes != memory.bytes;
    if (!memory.mapped.empty() && memory.in_part) {
      return runtime.unsupported(kFunction, "memory of which a part is mapped at two addresses");
    }
    const auto map = [&](Runtime&, Reserved& reserved, std::uint64_t begin, std::size_t at) {
      if (reserved.overlaps(at, bytes)) {
        return wrong(runtime, kFunction, "memory is mapped there already");
      }
      reserved.mappings[at] = {bytes, handle, State::no_access};
      const auto first = reserved.used.begin() + static_cast<std::ptrdiff_t>(at / kGranularity);
      const auto last = first + static_cast<std::ptrdiff_t>(bytes / kGranularity);
      if (!memory.mapped.empty()) {
        share_bytes(runtime, memory, address);
      } else if (memory.has_bytes || std::find(first, last, true) != last) {
        move_bytes(runtime, begin, reserved, at, true);
      }
      reserved.mappings[at].state = State::no_access;
      std::fill(first, last, true);
      memory.mapped.push_back(address);
      runtime.session().set_parts(begin, reserved.parts());
      return cudaSuccess;
    };
    const CUresult result = with_range(kFunction, address, bytes, map);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
  });
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  constexpr const char* kFunction = "cuMemUnmap";
  const auto unmap = [&](Runtime& runtime, Reserved& reserved, std::uint64_t begin,
                         std::size_t offset) {
    const std::vector<std::size_t> whole = reserved.mappings_in(offset, bytes);
    if (whole.empty()) return wrong(runtime, kFunction, "the range consists of no whole mappings");
    for (const std::size_t at : whole) {
      const Handle handle = reserved.mappings.at(at).memory;
      Physical& memory = *VirtualMemory::instance().physical(handle);
      std::erase(memory.mapped, begin + at);
      if (memory.references != 0 && memory.mapped.empty()) {
        move_bytes(runtime, begin, reserved, at, false);
      }
      unshare_bytes(runtime, memory, begin + at);
      if (memory.mapped.empty()) runtime.order().forget(handle, memory.bytes);
      memory.has_bytes = true;
      reserved.mappings.erase(at);
      VirtualMemory::instance().free_unused(runtime, kFunction, handle);
    }
    runtime.session().set_parts(begin, reserved.parts());
    return cudaSuccess;
  };
  return with_range(kFunction, address, bytes, unmap);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* access,
                        size_t count) {
  constexpr const char* kFunction = "cuMemSetAccess";
  const auto set = [&](Runtime& runtime, Reserved& reserved, std::uint64_t begin,
                       std::size_t offset) {
    const std::vector<std::size_t> whole = reserved.mappings_in(offset, bytes);
    if (whole.empty()) return wrong(runtime, kFunction, "the range consists of no whole mappings");
    for (std::size_t i = 0; i < count; ++i) {
      if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) continue;
      for (const std::size_t at : whole) reserved.mappings.at(at).state = state_of(access[i].flags);
    }
    runtime.session().set_parts(begin, reserved.parts());
    return cudaSuccess;
  };
  return with_range(kFunction, address, bytes, set);
}

CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation*, CUdeviceptr address) {
  constexpr const char* kFunction = "cuMemGetAccess";
  const CUdeviceptr granule = address / kGranularity * kGranularity;
  return with_range(kFunction, granule, kGranularity,
                    [&](Runtime& runtime, Reserved& reserved, std::uint64_t, std::size_t offset) {
                      const auto after = reserved.mappings.upper_bound(offset);
                      if (!reserved.overlaps(offset, 1))
                        return wrong(runtime, kFunction, "nothing is mapped there");
                      *flags = flags_of(std::prev(after)->second.state);
                      return cudaSuccess;
                    });
}

CUresult cuMemRetainAllocationHandle(Handle* handle, void* address) {
  constexpr const char* kFunction = "cuMemRetainAllocationHandle";
  const CUdeviceptr granule = address_of(address) / kGranularity * kGranularity;
  return with_range(kFunction, granule, kGranularity,
                    [&](Runtime& runtime, Reserved& reserved, std::uint64_t, std::size_t offset) {
                      const auto after = reserved.mappings.upper_bound(offset);
                      if (!reserved.overlaps(offset, 1))
                        return wrong(runtime, kFunction, "nothing is mapped there");
                      *handle = std::prev(after)->second.memory;
                      ++VirtualMemory::instance().physical(*handle)->references;
                      return cudaSuccess;
                    });
}

CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties, Handle handle) {
  return with_memory("cuMemGetAllocationPropertiesFromHandle", handle,
                     [&](Runtime&, const Physical& memory) {
                       *properties = memory.properties;
                       return cudaSuccess;
                     });
}
