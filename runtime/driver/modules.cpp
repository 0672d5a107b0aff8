// Modules of the driver, and its linker of PTX.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

#include "ptx/link.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;
namespace ptx = warpcheck::ptx;

/// A link of PTX texts.
struct CUlinkState_st {
  std::vector<ptx::Module> modules;
  std::string linked;
};

namespace {

/// Calls body(binaries, module) if the module is loaded.
template <typename Body>
CUresult with_module(const char* function, const void* handle, Body body) {
  return driver_call([&](Runtime& runtime) {
    const auto* const module = static_cast<const Binaries::Binary*>(handle);
    if (!runtime.binaries().is_loaded(module)) {
      return runtime.misuse(cudaErrorInvalidResourceHandle,
                            fmt::format("{}: the module does not exist or was unloaded", function));
    }
    return body(runtime.binaries(), *module);
  });
}

template <typename Handle>
CUresult load_image(const char* function, Handle* module, const void* image) {
  return context_call(function, [&](Runtime& runtime) {
    *module = reinterpret_cast<Handle>(runtime.binaries().load_image(image));
    return cudaSuccess;
  });
}

std::optional<std::string> file_bytes(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

template <typename Handle>
CUresult load_file(const char* function, Handle* module, const char* file) {
  const auto bytes = file_bytes(file);
  return bytes ? load_image(function, module, bytes->c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
}

/// A program may try names: a missing one is no misuse.
template <typename Handle>
CUresult get_kernel(const char* function, Handle* kernel, const void* module, const char* name) {
  return with_module(function, module, [&](Binaries& binaries, const Binaries::Binary& found) {
    *kernel = reinterpret_cast<Handle>(binaries.kernel_named(found, name));
    return *kernel == nullptr ? cudaErrorSymbolNotFound : cudaSuccess;
  });
}

CUresult get_global(const char* function, CUdeviceptr* address, size_t* bytes, const void* module,
                    const char* name) {
  return with_module(function, module, [&](Binaries& binaries, const Binaries::Binary& found) {
    const auto variable = binaries.variable_named(found, name);
    if (!variable) return cudaErrorSymbolNotFound;
    if (address != nullptr) *address = variable->address;
    if (bytes != nullptr) *bytes = variable->bytes;
    return cudaSuccess;
  });
}

CUresult get_count(const char* function, unsigned* count, const void* module) {
  return with_module(function, module, [&](Binaries& binaries, const Binaries::Binary& found) {
    *count = static_cast<unsigned>(binaries.kernel_names(found).size());
    return cudaSuccess;
  });
}

template <typename Handle>
CUresult enumerate(const char* function, Handle* kernels, unsigned count, const void* module) {
  return with_module(function, module, [&](Binaries& binaries, const Binaries::Binary& found) {
    for (const std::string& name : binaries.kernel_names(found)) {
      if (count-- == 0) break;
      *kernels++ = reinterpret_cast<Handle>(binaries.kernel_named(found, name));
    }
    return cudaSuccess;
  });
}

CUresult unload(const char* function, const void* module) {
  return with_module(function, module, [](Binaries& binaries, const Binaries::Binary& found) {
    binaries.unload(found);
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  return load_file("cuModuleLoad", module, file);
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return load_image("cuModuleLoadData", module, image);
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned, CUjit_option*, void**) {
  return load_image("cuModuleLoadDataEx", module, image);
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load_image("cuModuleLoadFatBinary", module, image);
}
CUresult cuModuleUnload(CUmodule module) { return unload("cuModuleUnload", module); }
CUresult cuModuleGetFunction(CUfunction* kernel, CUmodule module, const char* name) {
  return get_kernel("cuModuleGetFunction", kernel, module, name);
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return get_global("cuModuleGetGlobal", address, bytes, module, name);
}
CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return get_count("cuModuleGetFunctionCount", count, module);
}
CUresult cuModuleEnumerateFunctions(CUfunction* kernels, unsigned count, CUmodule module) {
  return enumerate("cuModuleEnumerateFunctions", kernels, count, module);
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**, unsigned,
                           CUlibraryOption*, void**, unsigned) {
  return load_image("cuLibraryLoadData", library, image);
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**,
                               unsigned, CUlibraryOption*, void**, unsigned) {
  return load_file("cuLibraryLoadFromFile", library, file);
}
CUresult cuLibraryUnload(CUlibrary library) { return unload("cuLibraryUnload", library); }
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return get_kernel("cuLibraryGetKernel", kernel, library, name);
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                            const char* name) {
  return get_global("cuLibraryGetGlobal", address, bytes, library, name);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library,
                             const char* name) {
  return get_global("cuLibraryGetManaged", address, bytes, library, name);
}
CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return get_count("cuLibraryGetKernelCount", count, library);
}
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary library) {
  return enumerate("cuLibraryEnumerateKernels", kernels, count, library);
}
/// A module, its library, a kernel and its function have the same handles.
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  *module = reinterpret_cast<CUmodule>(library);
  return CUDA_SUCCESS;
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* state) {
  *state = std::make_unique<CUlinkState_st>().release();
  return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t bytes,
                       const char* name, unsigned, CUjit_option*, void**) {
  return driver_call([&](Runtime& runtime) {
    if (type != CU_JIT_INPUT_PTX) {
      return runtime.unsupported("cuLinkAddData", "warpcheck exec links only PTX");
    }
    std::string text(static_cast<const char*>(data), bytes);
    text.resize(std::char_traits<char>::length(text.c_str()));
    state->modules.push_back(ptx::parse(text, name == nullptr ? "the program's PTX" : name));
    return cudaSuccess;
  });
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* file, unsigned count,
                       CUjit_option* options, void** values) {
  auto bytes = file_bytes(file);
  if (!bytes) return CUDA_ERROR_FILE_NOT_FOUND;
  return cuLinkAddData(state, type, bytes->data(), bytes->size(), file, count, options, values);
}
/// The image is PTX text, which cuModuleLoadData() accepts.
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return driver_call([&](Runtime& runtime) {
    if (state->modules.empty()) {
      return runtime.misuse(cudaErrorInvalidValue, "cuLinkComplete: there is nothing to link");
    }
    state->linked = ptx::to_text(ptx::link(state->modules));
    *image = state->linked.data();
    if (bytes != nullptr) *bytes = state->linked.size() + 1;
    return cudaSuccess;
  });
}
CUresult cuLinkDestroy(CUlinkState state) {
  std::unique_ptr<CUlinkState_st>{state};
  return CUDA_SUCCESS;
}
