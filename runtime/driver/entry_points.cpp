// Addresses of the driver's functions by name.
#include <dlfcn.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/driver/driver.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

namespace {

void* own_symbol(const std::string& name) {
  static void* const library = [] {
    Dl_info own{};
    dladdr(reinterpret_cast<void*>(&own_symbol), &own);
    return dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return dlsym(library, name.c_str());
}

/// The function, or its variant whose null stream is that of the thread.
void* variant_of(const std::string& name, bool per_thread) {
  if (per_thread) {
    for (const char* const suffix : {"_ptsz", "_ptds"}) {
      if (void* const found = own_symbol(name + suffix)) return found;
    }
  }
  return own_symbol(name);
}

/// The versions of CUDA that changed a function, ascending (cudaTypedefs.h).
struct Changes {
  std::string_view name;
  std::vector<int> versions;
};

const std::vector<Changes>& changed_functions() {
  static const auto* const all = new std::vector<Changes>{
#include "driver_versions.inc"
  };
  return *all;
}

/// The function as the version of CUDA has it: the second one has the suffix _v2, and so on.
void* find(const std::string& name, int version, bool per_thread) {
  if (name.rfind("cu", 0) != 0 || name.rfind("cuda", 0) == 0) return nullptr;
  const std::vector<Changes>& all = changed_functions();
  const auto changes =
      std::find_if(all.begin(), all.end(), [&](const Changes& one) { return one.name == name; });
  if (changes == all.end()) return variant_of(name, per_thread);
  const auto count = std::count_if(changes->versions.begin(), changes->versions.end(),
                                   [&](int one) { return one <= version; });
  return variant_of(count < 2 ? name : name + "_v" + std::to_string(count), per_thread);
}

}  // namespace

CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  *function = find(name, version, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0);
  const bool found = *function != nullptr;
  if (status != nullptr) {
    *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

#undef cuGetProcAddress
/// The version for programs that were compiled before CUDA 12.
extern "C" __attribute__((visibility("default"))) CUresult cuGetProcAddress(const char* name,
                                                                            void** function,
                                                                            int version,
                                                                            cuuint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

/// The tables are not documented. NVRTC and nvJitLink request one, and work without it. The CUDA
/// runtime inside of a program or a library needs them: static_runtime/ has not replaced it.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  *table = nullptr;
  Dl_info caller{};
  dladdr(__builtin_return_address(0), &caller);
  const std::string_view path = caller.dli_fname == nullptr ? "" : caller.dli_fname;
  const std::string name(path.substr(path.rfind('/') + 1));
  for (const char* const compiler : {"libnvrtc", "libnvJitLink", "libwarpcheck"}) {
    if (name.starts_with(compiler)) return CUDA_ERROR_NOT_FOUND;
  }
  const void* const called_from = __builtin_return_address(0);
  static_cast<void>(driver_call([&](Runtime& runtime) {
    const std::string function = called_library_function(called_from);
    return runtime.unsupported(
        function.empty() ? name : function,
        function.empty()
            ? "it contains a CUDA runtime that warpcheck cannot replace: link it with `nvcc "
              "-cudart shared`; warpcheck replaces static ones of CUDA " WARPCHECK_STATIC_RUNTIMES
            : kMachineCode);
  }));
  return CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  const bool per_thread = flags == cudaEnableDefault
                              ? default_stream() != nullptr
                              : (flags & cudaEnablePerThreadDefaultStream) != 0;
  *function = find(name, static_cast<int>(version), per_thread);
  const bool found = *function != nullptr;
  if (status != nullptr) {
    *status = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  }
  return found || status != nullptr ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, status);
}
