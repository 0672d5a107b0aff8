// Memory and events that processes share: cudaIpcGetMemHandle() and its kin. A handle names a file
// in memory of the process that allocated, which keeps it open until the memory is freed.
#include "runtime/ipc.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <optional>

#include "base/diagnostic.hpp"
#include "runtime/memory.hpp"
#include "runtime/work/streams.hpp"

namespace warpcheck::runtime {
namespace {

using device::SharedMemoryFile;

/// The first page of the file.
struct FileHeader {
  bool freed;
};

/// The content of a cudaIpcMemHandle_t or a cudaIpcEventHandle_t.
struct Handle {
  std::uint64_t magic;
  std::int32_t process;
  std::int32_t file;
  std::uint64_t bytes;
  std::uint64_t number;  // number of the export in its process
};
constexpr std::uint64_t kMemoryMagic = 0x7761'7270'6d65'6d31;
constexpr std::uint64_t kEventMagic = 0x7761'7270'6576'7431;
static_assert(sizeof(Handle) <= CUDA_IPC_HANDLE_SIZE);

struct Export {
  Handle handle{};
  FileHeader* header = nullptr;
};

/// Returns the exports, keyed by the address of the allocation.
std::map<std::uint64_t, Export>& exports() {
  static auto* const all = new std::map<std::uint64_t, Export>();
  return *all;
}

struct Import {
  std::uint64_t address = 0;
  unsigned opened = 0;
};

/// Returns the imports, keyed by the process and the number of the export.
std::map<std::pair<std::int32_t, std::uint64_t>, Import>& imports() {
  static auto* const all = new std::map<std::pair<std::int32_t, std::uint64_t>, Import>();
  return *all;
}

FileHeader* map_header(int file) {
  void* const page =
      mmap(nullptr, SharedMemoryFile::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) throw EnvironmentError("the system cannot map memory of a process");
  return static_cast<FileHeader*>(page);
}

SharedMemoryFile file_of(int descriptor, std::uint64_t bytes) {
  return {descriptor, SharedMemoryFile::kPageBytes, bytes};
}

/// Moves the allocation to a file.
Export export_allocation(Runtime& runtime, const HostAllocation& allocation) {
  static std::uint64_t count = 0;
  const int descriptor = memfd_create("warpcheck", MFD_CLOEXEC);
  const SharedMemoryFile file = file_of(descriptor, allocation.bytes);
  if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(file.file_bytes())) != 0) {
    throw EnvironmentError("the system has no file for memory that processes share");
  }
  Export made{{kMemoryMagic, getpid(), descriptor, allocation.bytes, ++count},
              map_header(descriptor)};
  runtime.session().export_memory(allocation.address, file);
  runtime.count_shared_memory(1);  // further schedules would change the memory of other processes
  return made;
}

/// The descriptor of the file of another process; negative: it has ended, or freed the memory.
int open_file(const Handle& handle) {
  return open(fmt::format("/proc/{}/fd/{}", handle.process, handle.file).c_str(),
              O_RDWR | O_CLOEXEC);
}

cudaError_t wrong_handle(Runtime& runtime, const char* function, const char* reason) {
  return runtime.misuse(cudaErrorInvalidValue, fmt::format("{}: {}", function, reason));
}

cudaError_t import_memory(Runtime& runtime, const Handle& handle, Import& import) {
  constexpr const char* kFunction = "cudaIpcOpenMemHandle";
  const int descriptor = open_file(handle);
  if (descriptor < 0) return wrong_handle(runtime, kFunction, "the memory was freed");
  FileHeader* const header = map_header(descriptor);
  const bool freed = header->freed;
  munmap(header, SharedMemoryFile::kPageBytes);
  std::optional<std::uint64_t> address;
  if (!freed) {
    HostAllocation& allocation = runtime.add_allocation(handle.bytes, MemoryUse::imported);
    address = runtime.session().import_memory(allocation.name, file_of(descriptor, handle.bytes));
    if (address) allocation.address = *address;
  }
  close(descriptor);
  if (freed) return wrong_handle(runtime, kFunction, "the memory was freed");
  if (!address) return cudaErrorMemoryAllocation;
  runtime.count_shared_memory(1);
  import = {*address, 0};
  return cudaSuccess;
}

template <typename Bytes>
std::optional<Handle> handle_of(const Bytes& bytes, std::uint64_t magic) {
  Handle handle{};
  std::memcpy(&handle, &bytes, sizeof handle);
  if (handle.magic != magic) return std::nullopt;
  return handle;
}

}  // namespace

void end_export(Runtime& runtime, std::uint64_t address) {
  const auto found = exports().find(address);
  if (found == exports().end()) return;
  found->second.header->freed = true;
  munmap(found->second.header, SharedMemoryFile::kPageBytes);
  close(found->second.handle.file);
  exports().erase(found);
  runtime.count_shared_memory(-1);
}

}  // namespace warpcheck::runtime

using namespace warpcheck::runtime;

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return api_call([&](Runtime& runtime) {
    const HostAllocation* const allocation = runtime.allocation_at(address_of(pointer));
    if (allocation == nullptr || allocation->use != MemoryUse::device || allocation->in_order) {
      return wrong_handle(runtime, "cudaIpcGetMemHandle", "the pointer is not of cudaMalloc()");
    }
    auto found = exports().find(allocation->address);
    if (found == exports().end()) {
      found = exports().emplace(allocation->address, export_allocation(runtime, *allocation)).first;
    }
    *handle = {};
    std::memcpy(handle, &found->second.handle, sizeof found->second.handle);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t bytes, unsigned flags) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaIpcOpenMemHandle";
    const auto handle = handle_of(bytes, kMemoryMagic);
    if (!handle) return wrong_handle(runtime, kFunction, "it is no handle of memory");
    if (flags != cudaIpcMemLazyEnablePeerAccess) {
      return wrong_handle(runtime, kFunction, "the flags are not cudaIpcMemLazyEnablePeerAccess");
    }
    if (handle->process == getpid()) {
      return runtime.misuse(cudaErrorDeviceUninitialized,
                            fmt::format("{}: the handle is of this process", kFunction));
    }
    Import& import = imports()[{handle->process, handle->number}];
    if (import.opened == 0) {
      if (const cudaError_t error = import_memory(runtime, *handle, import)) return error;
    }
    ++import.opened;
    *pointer = pointer_to(import.address);
    return cudaSuccess;
  });
}

cudaError_t cudaIpcCloseMemHandle(void* pointer) {
  return api_call([&](Runtime& runtime) {
    constexpr const char* kFunction = "cudaIpcCloseMemHandle";
    for (auto& [key, import] : imports()) {
      if (import.opened == 0 || import.address != address_of(pointer)) continue;
      if (--import.opened != 0) return cudaSuccess;
      runtime.count_shared_memory(-1);
      return free_memory(runtime, kFunction, pointer, MemoryUse::imported);
    }
    return wrong_handle(runtime, kFunction, "the pointer is not of an open handle");
  });
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return with_event("cudaIpcGetEventHandle", event, [&](Runtime& runtime) {
    if (!event->interprocess) {
      return runtime.misuse(cudaErrorInvalidResourceHandle,
                            "cudaIpcGetEventHandle: the event lacks cudaEventInterprocess");
    }
    const Handle made{kEventMagic, getpid(), -1, 0, 0};
    *handle = {};
    std::memcpy(handle, &made, sizeof made);
    return cudaSuccess;
  });
}

/// Work completes when it is submitted: a process that has the handle may wait for what was
/// recorded.
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t bytes) {
  return api_call([&](Runtime& runtime) {
    if (!handle_of(bytes, kEventMagic)) {
      return wrong_handle(runtime, "cudaIpcOpenEventHandle", "it is no handle of an event");
    }
    *event = *events().insert(new CUevent_st{true, false, true, {}}).first;
    return cudaSuccess;
  });
}
