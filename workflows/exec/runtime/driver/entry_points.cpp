// Addresses of the driver's functions by name.
#include <dlfcn.h>

#include <string>

#include "workflows/exec/runtime/driver/driver.hpp"

using namespace warpcheck::workflows::exec;

namespace {

void* own_symbol(const std::string& name) {
  static void* const library = [] {
    Dl_info own{};
    dladdr(reinterpret_cast<void*>(&own_symbol), &own);
    return dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  }();
  return dlsym(library, name.c_str());
}

/// The function of the newest version: functions that changed have a suffix.
void* find(const std::string& name, int version) {
  constexpr int kVersion13 = 13000;
  if (name.rfind("cu", 0) != 0 || name.rfind("cuda", 0) == 0) return nullptr;
  if (version >= kVersion13) {
    for (const char* const suffix : {"_v4", "_v3"}) {
      if (void* const found = own_symbol(name + suffix)) return found;
    }
  }
  if (void* const found = own_symbol(name + "_v2")) return found;
  return own_symbol(name);
}

}  // namespace

CUresult cuGetProcAddress(const char* name, void** function, int version, cuuint64_t,
                          CUdriverProcAddressQueryResult* status) {
  *function = find(name, version);
  const bool found = *function != nullptr;
  if (status != nullptr) {
    *status = found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/// The tables are not documented. Libraries such as NVRTC look for one, and do without it.
CUresult cuGetExportTable(const void** table, const CUuuid*) {
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned version,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  *function = find(name, static_cast<int>(version));
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
