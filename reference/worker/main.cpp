// The process that runs functions of the host: `warpcheck-reference LIBRARY` with a socket as
// descriptor 3. A crash or an endless loop of a function ends this process, not warpcheck.
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/process/channel.hpp"
#include "base/process/crash.hpp"
#include "operation/host_message.hpp"
#include "reference/host/host_call.hpp"

// The library has the kernels of the .cu, which it registers with the CUDA runtime when it is
// loaded. No kernel is launched here.
extern "C" {
__attribute__((visibility("default"))) void** __cudaRegisterFatBinary(void* /*binary*/) {
  static void* handle = nullptr;
  return &handle;
}
__attribute__((visibility("default"))) void __cudaRegisterFatBinaryEnd(void** /*handle*/) {}
__attribute__((visibility("default"))) void __cudaUnregisterFatBinary(void** /*handle*/) {}
__attribute__((visibility("default"))) void __cudaRegisterFunction() {}
__attribute__((visibility("default"))) void __cudaRegisterVar() {}
__attribute__((visibility("default"))) void __cudaRegisterManagedVar() {}
__attribute__((visibility("default"))) char __cudaInitModule(void** /*handle*/) { return 0; }
}

namespace {

using namespace warpcheck;             // NOLINT(google-build-using-namespace)
constexpr unsigned kMostSeconds = 60;  // more than warpcheck waits

using Entry = void (*)(const warpcheck_reference_call*);

/// Each tensor ends at a page without access, so that a function that goes past its end crashes.
class GuardedMemory : public reference::TensorMemory {
 public:
  ~GuardedMemory() override {
    for (const auto& [begin, bytes] : mappings_) munmap(begin, bytes);
  }

  std::byte* allocate(std::size_t bytes) override {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t used = (bytes + page - 1) / page * page;
    void* const begin =
        mmap(nullptr, used + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) throw std::bad_alloc();
    mappings_.emplace_back(begin, used + page);
    std::byte* const end = static_cast<std::byte*>(begin) + used;
    if (mprotect(end, page, PROT_NONE) != 0) throw std::bad_alloc();
    return end - bytes;
  }

 private:
  std::vector<std::pair<void*, std::size_t>> mappings_;
};

Entry load(const char* library) {
  void* const handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  void* const entry = dlsym(handle, "warpcheck_call_reference");
  if (entry == nullptr) throw std::runtime_error(dlerror());
  return reinterpret_cast<Entry>(entry);
}

void call_function(Entry entry, const warpcheck_reference_call& call) {
  try {
    entry(&call);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("throws an exception: ") + error.what());
  } catch (...) {
    throw std::runtime_error("throws an exception that is no std::exception");
  }
}

operation::HostReply reply_to(const char* library, std::span<const std::byte> message) {
  operation::HostReply reply;
  try {
    static const Entry entry = load(library);
    const auto function = [](const warpcheck_reference_call& call) { call_function(entry, call); };
    GuardedMemory memory;
    alarm(kMostSeconds);  // an endless loop must not outlive warpcheck
    reply.outputs = reference::call_entry(function, operation::decode_call(message), memory);
    alarm(0);
  } catch (const std::exception& error) {
    reply.error = error.what();
  }
  return reply;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("warpcheck starts this program to run references in C++\n", stderr);
    return 2;
  }
  end_by_signal_on_crash();
  std::vector<std::byte> message;
  while (receive_message(operation::kHostSocket, message) == Receipt::message) {
    if (!send_message(operation::kHostSocket, encode(reply_to(argv[1], message)))) break;
  }
  _exit(0);  // destructors of the library may need a GPU
}
