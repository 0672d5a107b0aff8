// A driver for machines without a GPU: device memory is host memory, and the name of the entry
// selects one of several behaviours. With it all of device/cuda, including its processes, runs in
// every test run. The text of a module only has to contain the names of its entries.
//
// Entries (parameters without a type are buffer addresses):
//   copy_tensor(map, out, u32 bytes)
//   copy(in, out, u32 bytes)       fill(out, u32 first, u32 bytes)   byte offsets may be negative
//   fault(u32 result)              sticky error `result`
//   die()                          aborts the process
//   hang()                         never ends
//   print()                        writes to stdout
//   count(out)                     stores and increments a counter of the module
//   where(out)                     stores the number of its GPU, after a tenth of a second
//   process(out)                   stores the number of its process, after a tenth of a second
//
// The number of GPUs is FAKE_CUDA_GPUS, or one; GPU number 1 is of another model. With
// FAKE_CUDA_OLD, streams do not write values.
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

struct FakeModule {
  std::string text;
  std::uint32_t counter = 0;
  std::map<std::string, struct FakeFunction> functions;
};

struct FakeFunction {
  FakeModule* module = nullptr;
  std::string entry;
};

struct Parameters {
  std::size_t count;
  std::size_t bytes[3];
};

const std::map<std::string, Parameters> kEntries = {
    {"copy_tensor", {3, {128, 8, 4}}}, {"copy", {3, {8, 8, 4}}},  {"fill", {3, {8, 4, 4}}},
    {"fault", {1, {4, 0, 0}}},         {"die", {0, {0, 0, 0}}},   {"hang", {0, {0, 0, 0}}},
    {"print", {0, {0, 0, 0}}},         {"count", {1, {8, 0, 0}}}, {"where", {1, {8, 0, 0}}},
    {"process", {1, {8, 0, 0}}},
};

int current_device = 0;
std::atomic<int> sticky = 0;
std::atomic<bool> hangs = false;

template <typename T>
T value(void* argument) {
  T result;
  std::memcpy(&result, argument, sizeof result);
  return result;
}

std::byte* address(void* argument) {
  return reinterpret_cast<std::byte*>(value<std::uint64_t>(argument));
}

int execute(const FakeFunction& function, void** arguments) {
  const std::string& entry = function.entry;
  if (entry == "copy" || entry == "copy_tensor") {
    std::memcpy(address(arguments[1]), address(arguments[0]), value<std::uint32_t>(arguments[2]));
  } else if (entry == "fill") {
    std::memset(address(arguments[0]) + value<std::int32_t>(arguments[1]), 0xAB,
                value<std::uint32_t>(arguments[2]));
  } else if (entry == "fault") {
    sticky = value<std::int32_t>(arguments[0]);
  } else if (entry == "die") {
    std::abort();
  } else if (entry == "hang") {
    hangs = true;
  } else if (entry == "print") {
    std::printf("hello from the kernel\n");
  } else if (entry == "count") {
    std::memcpy(address(arguments[0]), &function.module->counter, 4);
    ++function.module->counter;
  } else if (entry == "where") {
    usleep(100'000);
    std::memcpy(address(arguments[0]), &current_device, 4);
  } else if (entry == "process") {
    usleep(100'000);
    const int number = getpid();
    std::memcpy(address(arguments[0]), &number, 4);
  }
  return 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return std::getenv("FAKE_CUDA_NO_GPU") != nullptr ? 100 : 0; }
int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
int cuDeviceGetCount(int* count) {
  const char* gpus = std::getenv("FAKE_CUDA_GPUS");
  *count = gpus == nullptr ? 1 : std::atoi(gpus);
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int capacity, int device) {
  std::snprintf(name, static_cast<std::size_t>(capacity), device == 1 ? "Odd GPU" : "Fake GPU");
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  current_device = device;
  *context = &current_device;
  return 0;
}
int cuCtxSetCurrent(void*) { return 0; }

constexpr char kJitLog[] =
    "ptxas application ptx input, line 2; error   : Not a name of any known instruction: 'bad'\n"
    "ptxas fatal   : Ptx assembly aborted due to errors\n";

int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options,
                       void** values) {
  const char* text = static_cast<const char*>(image);
  if (std::strstr(text, "bad opcode") != nullptr) {
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == 5) {  // CU_JIT_ERROR_LOG_BUFFER
        std::memcpy(values[i], kJitLog, sizeof kJitLog);
      }
    }
    return 218;
  }
  *module = new FakeModule{text, 0, {}};
  return 0;
}
int cuModuleUnload(void* module) {
  delete static_cast<FakeModule*>(module);
  return 0;
}
int cuModuleGetFunction(void** function, void* handle, const char* name) {
  auto* module = static_cast<FakeModule*>(handle);
  if (!kEntries.contains(name) || module->text.find(name) == std::string::npos) return 500;
  *function = &(module->functions[name] = {module, name});
  return 0;
}
int cuFuncSetAttribute(void*, int, int value) { return value > 227 * 1024 ? 1 : 0; }
int cuFuncGetParamInfo(void* handle, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  const Parameters& parameters = kEntries.at(static_cast<FakeFunction*>(handle)->entry);
  if (index >= parameters.count) return 1;
  *offset = 8 * index;
  *bytes = parameters.bytes[index];
  return 0;
}

int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (bytes > std::size_t{1} << 28) return 2;  // 256 MiB
  *address = reinterpret_cast<std::uint64_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  return 0;
}
int cuMemFree_v2(std::uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
  return 0;
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return sticky;
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return sticky;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  return cuMemcpyHtoD_v2(to, from, bytes);
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  return cuMemcpyDtoH_v2(to, from, bytes);
}
int cuMemAddressReserve(std::uint64_t* address, std::size_t bytes, std::size_t, std::uint64_t,
                        unsigned long long) {
  void* const range =
      mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  *address = reinterpret_cast<std::uint64_t>(range);
  return range == MAP_FAILED ? 2 : 0;
}
int cuMemCreate(std::uint64_t*, std::size_t bytes, const void*, unsigned long long) {
  return bytes > std::size_t{1} << 28 ? 2 : 0;  // 256 MiB
}
int cuMemMap(std::uint64_t, std::size_t, std::size_t, std::uint64_t, unsigned long long) {
  return 0;
}
int cuMemSetAccess(std::uint64_t address, std::size_t bytes, const void*, std::size_t) {
  return mprotect(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE);
}
int cuMemUnmap(std::uint64_t address, std::size_t bytes) {
  return mprotect(reinterpret_cast<void*>(address), bytes, PROT_NONE);
}
int cuMemRelease(std::uint64_t) { return 0; }
int cuMemHostRegister_v2(void*, std::size_t, unsigned) { return 0; }
int cuMemHostUnregister(void*) { return 0; }
int cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned, void*,
                   void** arguments, void**) {
  const bool empty = grid_x * grid_y * grid_z == 0 || block_x * block_y * block_z == 0;
  if (empty || block_x * block_y * block_z > 1024) return 1;
  return execute(*static_cast<FakeFunction*>(function), arguments);
}
/// The first words of a CUlaunchConfig: grid, block, bytes of shared memory; then the stream, the
/// attributes and their number.
struct FakeConfig {
  unsigned extents[7];
  void* stream;
  const unsigned* attributes;
  unsigned count;
};
int cuLaunchKernelEx(const FakeConfig* config, void* function, void** arguments, void** extra) {
  const unsigned* const e = config->extents;
  constexpr unsigned kClusterDimension = 4;
  const unsigned* const attribute = config->attributes;
  if (config->count != 1 || attribute[0] != kClusterDimension) return 1;
  if (e[0] % attribute[2] != 0 || e[1] % attribute[3] != 0 || e[2] % attribute[4] != 0) return 1;
  return cuLaunchKernel(function, e[0], e[1], e[2], e[3], e[4], e[5], e[6], config->stream,
                        arguments, extra);
}
/// A map that begins with the address of the tensor.
int cuTensorMapEncodeTiled(void* map, int, unsigned rank, std::uint64_t address,
                           const std::uint64_t*, const std::uint64_t*, const std::uint32_t* box,
                           const std::uint32_t*, int, int, int, int) {
  if (rank != 1 || box[0] > 256) return 1;
  std::memcpy(map, &address, sizeof address);
  return 0;
}
int cuStreamCreate(void** stream, unsigned) {
  *stream = nullptr;
  return 0;
}
int cuStreamQuery(void*) { return hangs ? 600 : sticky.load(); }
int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  if (std::getenv("FAKE_CUDA_OLD") != nullptr) return 801;
  *memory = std::malloc(bytes);
  return 0;
}
int cuMemHostGetDevicePointer_v2(std::uint64_t* address, void* memory, unsigned) {
  *address = reinterpret_cast<std::uint64_t>(memory);
  return 0;
}
int cuStreamWriteValue32_v2(void*, std::uint64_t address, std::uint32_t value, unsigned) {
  if (!hangs && sticky == 0) std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
  return sticky;
}
int cuEventCreate(void** event, unsigned) {
  static int the_event;
  *event = &the_event;
  return 0;
}
int cuEventRecord(void*, void*) { return 0; }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
  *milliseconds = 0.5F;
  return 0;
}
int cuGetErrorName(int result, const char** name) {
  *name = result == 716 ? "CUDA_ERROR_MISALIGNED_ADDRESS" : "CUDA_ERROR_FAKE";
  return 0;
}
int cuGetErrorString(int result, const char** text) {
  *text = result == 716 ? "misaligned address" : "requested by the test";
  return 0;
}
}
