// Libraries: modules that the program loads itself.
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "runtime/memory.hpp"

using namespace warpcheck::runtime;

namespace {

/// Calls body(binaries, module) if the library is loaded.
template <typename Body>
cudaError_t with_library(const char* function, cudaLibrary_t library, Body body) {
  return api_call([&](Runtime& runtime) {
    const auto* const module = reinterpret_cast<const Binaries::Binary*>(library);
    if (!runtime.binaries().is_loaded(module)) {
      return runtime.misuse(
          cudaErrorInvalidResourceHandle,
          fmt::format("{}: the library does not exist or was unloaded", function));
    }
    return body(runtime.binaries(), *module);
  });
}

/// A program may try names: a missing one is no misuse.
cudaError_t get_variable(const char* function, void** pointer, size_t* bytes, cudaLibrary_t library,
                         const char* name) {
  return with_library(function, library, [&](Binaries& binaries, const Binaries::Binary& module) {
    const auto variable = binaries.variable_named(module, name);
    if (!variable) return cudaErrorSymbolNotFound;
    if (pointer != nullptr) *pointer = pointer_to(variable->address);
    if (bytes != nullptr) *bytes = variable->bytes;
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  return api_call([&](Runtime& runtime) {
    *library = reinterpret_cast<cudaLibrary_t>(runtime.binaries().load_image(code));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* file, cudaJitOption*,
                                    void**, unsigned, cudaLibraryOption*, void**, unsigned) {
  return api_call([&](Runtime& runtime) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      return runtime.misuse(cudaErrorFileNotFound,
                            fmt::format("cudaLibraryLoadFromFile: cannot read {}", file));
    }
    const std::string image{std::istreambuf_iterator<char>(stream), {}};
    *library = reinterpret_cast<cudaLibrary_t>(runtime.binaries().load_image(image.c_str()));
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return with_library("cudaLibraryUnload", library,
                      [&](Binaries& binaries, const Binaries::Binary& module) {
                        binaries.unload(module);
                        return cudaSuccess;
                      });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return with_library("cudaLibraryGetKernel", library,
                      [&](Binaries& binaries, const Binaries::Binary& module) {
                        Kernel* const found = binaries.kernel_named(module, name);
                        if (found == nullptr) return cudaErrorSymbolNotFound;
                        *kernel = reinterpret_cast<cudaKernel_t>(found);
                        return cudaSuccess;
                      });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
  return get_variable("cudaLibraryGetGlobal", pointer, bytes, library, name);
}

cudaError_t cudaLibraryGetManaged(void** pointer, size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
  return get_variable("cudaLibraryGetManaged", pointer, bytes, library, name);
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return with_library("cudaLibraryGetKernelCount", library,
                      [&](Binaries& binaries, const Binaries::Binary& module) {
                        *count = static_cast<unsigned>(binaries.kernel_names(module).size());
                        return cudaSuccess;
                      });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count,
                                        cudaLibrary_t library) {
  return with_library("cudaLibraryEnumerateKernels", library,
                      [&](Binaries& binaries, const Binaries::Binary& module) {
                        for (const std::string& name : binaries.kernel_names(module)) {
                          if (count-- == 0) break;
                          *kernels++ =
                              reinterpret_cast<cudaKernel_t>(binaries.kernel_named(module, name));
                        }
                        return cudaSuccess;
                      });
}
