// Copies. All of them complete before the call returns.
#include <fmt/format.h>

#include "workflows/exec/runtime/arrays.hpp"
#include "workflows/exec/runtime/memory.hpp"

using namespace warpcheck::workflows::exec;

namespace {

cudaError_t copy_bytes(const char* function, void* to, const void* from, size_t bytes,
                       cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    return copy(runtime, function, {address_of(to)}, {address_of(from)}, {bytes}, kind);
  });
}

cudaError_t copy_rows(const char* function, void* to, size_t to_pitch, const void* from,
                      size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    return copy(runtime, function, {address_of(to), to_pitch}, {address_of(from), from_pitch},
                {width, height}, kind);
  });
}

/// Copies between the host and a variable of the device, at `offset` bytes from its start.
cudaError_t copy_symbol(const char* function, const void* symbol, void* to, const void* from,
                        size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return api_call([&](Runtime& runtime) {
    const auto variable = runtime.binaries().variable(symbol);
    if (!variable) {
      return runtime.misuse(cudaErrorInvalidSymbol,
                            fmt::format("{}: the symbol is no variable of the device", function));
    }
    const RegionPlace place = {variable->address + offset};
    if (to == nullptr) return copy(runtime, function, place, {address_of(from)}, {bytes}, kind);
    return copy(runtime, function, {address_of(to)}, place, {bytes}, kind);
  });
}

RegionPlace place_of(const cudaPitchedPtr& pointer, const cudaPos& at) {
  const std::size_t slice_pitch = pointer.pitch * pointer.ysize;
  return {address_of(pointer.ptr) + at.z * slice_pitch + at.y * pointer.pitch + at.x, pointer.pitch,
          slice_pitch};
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_bytes("cudaMemcpy", to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
  return copy_bytes("cudaMemcpyAsync", to, from, bytes, kind);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return copy_bytes("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t) {
  return copy_bytes("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return api_call([&](Runtime& runtime) {
    if (parameters->srcArray != nullptr || parameters->dstArray != nullptr) {
      return copy_with_arrays(runtime, *parameters);
    }
    const cudaExtent& extent = parameters->extent;
    return copy(runtime, "cudaMemcpy3D", place_of(parameters->dstPtr, parameters->dstPos),
                place_of(parameters->srcPtr, parameters->srcPos),
                {extent.width, extent.height, extent.depth}, parameters->kind);
  });
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t) {
  return cudaMemcpy3D(parameters);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyToSymbol", symbol, nullptr, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t) {
  return copy_symbol("cudaMemcpyToSymbolAsync", symbol, nullptr, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyFromSymbol", symbol, to, nullptr, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t) {
  return copy_symbol("cudaMemcpyFromSymbolAsync", symbol, to, nullptr, bytes, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return api_call([&](Runtime& runtime) {
    const auto variable = runtime.binaries().variable(symbol);
    if (!variable) {
      return runtime.misuse(cudaErrorInvalidSymbol,
                            "cudaGetSymbolAddress: the symbol is no variable of the device");
    }
    *pointer = pointer_to(variable->address);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return api_call([&](Runtime& runtime) {
    const auto variable = runtime.binaries().variable(symbol);
    if (!variable) {
      return runtime.misuse(cudaErrorInvalidSymbol,
                            "cudaGetSymbolSize: the symbol is no variable of the device");
    }
    *bytes = variable->bytes;
    return cudaSuccess;
  });
}
