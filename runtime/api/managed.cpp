// Hints about managed memory. They change nothing but what cudaMemRangeGetAttribute() returns.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/memory.hpp"
#include "runtime/work/capture.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

constexpr cudaMemLocation kNowhere = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};

/// The hints about a page, and where it was prefetched last.
struct Hints {
  bool read_mostly = false;
  bool accessed_by_device = false;
  bool accessed_by_host = false;
  cudaMemLocation preferred = kNowhere;
  cudaMemLocation prefetched = kNowhere;
};

/// The hints from each address to the next one.
using HintsByAddress = std::map<std::uint64_t, Hints>;

/// Pages of one allocation.
struct Pages {
  HintsByAddress::iterator begin;
  HintsByAddress::iterator end;
};

/// Begins a range at the address.
HintsByAddress::iterator split(HintsByAddress& hints, std::uint64_t address) {
  const auto next = hints.upper_bound(address);
  const Hints before = next == hints.begin() ? Hints{} : std::prev(next)->second;
  return hints.try_emplace(address, before).first;
}

/// The pages that contain the bytes; empty if they are not all managed memory of one allocation.
std::optional<Pages> managed_pages(Runtime& runtime, const void* pointer, std::size_t bytes) {
  constexpr std::uint64_t kPage = 4096;
  static auto* const all = new std::map<std::string, HintsByAddress>();  // the key is an allocation
  const std::uint64_t address = address_of(pointer);
  const auto memory = runtime.session().containing(address);
  if (!memory || bytes == 0 || address + bytes > memory->address + memory->bytes) return {};
  const HostAllocation* const own = runtime.allocation_at(address);
  const bool managed = own != nullptr ? own->use == MemoryUse::managed
                                      : memory->kind == warpcheck::device::MemoryKind::host_visible;
  if (!managed) return {};
  HintsByAddress& hints = (*all)[memory->name];
  const auto begin = split(hints, address / kPage * kPage);
  return Pages{begin, split(hints, (address + bytes + kPage - 1) / kPage * kPage)};
}

/// An unknown location becomes that of the host, with the number that the runtime returns.
cudaMemLocation stored(const cudaMemLocation& location) {
  const bool has_number =
      location.type == cudaMemLocationTypeDevice || location.type == cudaMemLocationTypeHostNuma;
  return has_number ? location : cudaMemLocation{cudaMemLocationTypeHost, cudaCpuDeviceId};
}

void advise(Hints& hints, cudaMemoryAdvise advice, const cudaMemLocation& location) {
  bool& accessed = location.type == cudaMemLocationTypeDevice ? hints.accessed_by_device
                                                              : hints.accessed_by_host;
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      hints.read_mostly = advice == cudaMemAdviseSetReadMostly;
      break;
    case cudaMemAdviseSetPreferredLocation:
      hints.preferred = stored(location);
      break;
    case cudaMemAdviseUnsetPreferredLocation:
      hints.preferred = kNowhere;
      break;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      accessed = advice == cudaMemAdviseSetAccessedBy;
      break;
  }
}

int device_of(const cudaMemLocation& location) {
  const bool on_host = location.type == cudaMemLocationTypeHostNuma;
  return on_host ? cudaCpuDeviceId : location.id;
}

int value_of(const Hints& hints, cudaMemRangeAttribute attribute) {
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      return hints.read_mostly ? 1 : 0;
    case cudaMemRangeAttributePreferredLocation:
      return device_of(hints.preferred);
    case cudaMemRangeAttributePreferredLocationType:
      return hints.preferred.type;
    case cudaMemRangeAttributePreferredLocationId:
      return hints.preferred.id;
    case cudaMemRangeAttributeLastPrefetchLocation:
      return device_of(hints.prefetched);
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return hints.prefetched.type;
    default:
      return hints.prefetched.id;
  }
}

/// The value that all pages have, or that of a page without hints.
int common_value(const Pages& pages, cudaMemRangeAttribute attribute) {
  const int first = value_of(pages.begin->second, attribute);
  const bool is_common = std::all_of(pages.begin, pages.end, [&](const auto& page) {
    return value_of(page.second, attribute) == first;
  });
  return is_common ? first : value_of({}, attribute);
}

/// The processors that access all pages, followed by cudaInvalidDeviceId.
void write_accessing(const Pages& pages, int* values, std::size_t count) {
  const auto all = [&](bool Hints::*accessed) {
    return std::all_of(pages.begin, pages.end,
                       [&](const auto& page) { return page.second.*accessed; });
  };
  std::vector<int> processors;
  if (all(&Hints::accessed_by_device)) processors.push_back(0);
  if (all(&Hints::accessed_by_host)) processors.push_back(cudaCpuDeviceId);
  processors.resize(count, cudaInvalidDeviceId);
  std::copy(processors.begin(), processors.end(), values);
}

/// The reason why an attribute cannot be read; null: it can.
const char* wrong_request(const void* data, std::size_t bytes, cudaMemRangeAttribute attribute) {
  if (data == nullptr) return "a pointer is null";
  if (attribute < cudaMemRangeAttributeReadMostly ||
      attribute > cudaMemRangeAttributeLastPrefetchLocationId) {
    return "the attribute does not exist";
  }
  const bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
  if (bytes == 0 || bytes % sizeof(int) != 0 || (!is_list && bytes != sizeof(int))) {
    return "the result has a wrong size";
  }
  return nullptr;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, cudaMemLocation location,
                                 unsigned, cudaStream_t stream) {
  return with_stream("cudaMemPrefetchAsync", stream, [&](Runtime& runtime) {
    const cudaError_t error = check_not_capturing(runtime, "cudaMemPrefetchAsync", stream);
    if (error != cudaSuccess) return error;
    if (const auto pages = managed_pages(runtime, pointer, bytes)) {
      std::for_each(pages->begin, pages->end,
                    [&](auto& page) { page.second.prefetched = stored(location); });
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return api_call([&](Runtime& runtime) {
    if (const auto pages = managed_pages(runtime, pointer, bytes)) {
      std::for_each(pages->begin, pages->end,
                    [&](auto& page) { advise(page.second, advice, location); });
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, size_t bytes) {
  return api_call([&](Runtime& runtime) {
    const auto refuse = [&](const char* reason) {
      return runtime.misuse(cudaErrorInvalidValue,
                            std::string("cudaMemRangeGetAttribute: ") + reason);
    };
    if (const char* const wrong = wrong_request(data, data_bytes, attribute)) return refuse(wrong);
    const auto pages = managed_pages(runtime, pointer, bytes);
    if (!pages) return refuse("the range is not managed memory of one allocation");
    auto* const values = static_cast<int*>(data);
    if (attribute == cudaMemRangeAttributeAccessedBy) {
      write_accessing(*pages, values, data_bytes / sizeof(int));
    } else {
      *values = common_value(*pages, attribute);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* data_bytes,
                                      cudaMemRangeAttribute* attributes, size_t count,
                                      const void* pointer, size_t bytes) {
  cudaError_t error = count == 0 ? cudaErrorInvalidValue : cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; ++i) {
    error = cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes);
  }
  return error;
}
