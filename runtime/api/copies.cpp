// Copies. All of them complete before the call returns, unless a stream is being captured.
#include <fmt/format.h>

#include "runtime/arrays.hpp"
#include "runtime/memory.hpp"
#include "runtime/work/work.hpp"

using namespace warpcheck::runtime;

namespace {

cudaError_t copy_bytes(const char* function, void* to, const void* from, size_t bytes,
                       cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return api_call([&](Runtime& runtime) {
    return submit(runtime, function, stream,
                  CopyWork{function, {address_of(to)}, {address_of(from)}, {bytes}, kind});
  });
}

cudaError_t copy_rows(const char* function, const RegionPlace& to, const RegionPlace& from,
                      const Region& region, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  return api_call([&](Runtime& runtime) {
    return submit(runtime, function, stream, CopyWork{function, to, from, region, kind});
  });
}

cudaError_t copy_3d(const char* function, const cudaMemcpy3DParms& parameters,
                    cudaStream_t stream = nullptr) {
  return api_call([&](Runtime& runtime) {
    CopyWork work = copy_work(function, parameters);
    if (parameters.srcArray != nullptr || parameters.dstArray != nullptr) {
      ArrayCopy places;
      const cudaError_t error = read_array_copy(runtime, function, parameters, places);
      if (error != cudaSuccess) return error;
      work = {function, places.to, places.from, places.region, parameters.kind};
    }
    return submit(runtime, function, stream, work);
  });
}

/// Calls `use(runtime, variable)` for the variable of the device that `symbol` names.
template <class Use>
cudaError_t with_variable(const char* function, const void* symbol, Use use) {
  return api_call([&](Runtime& runtime) {
    const auto variable = runtime.binaries().variable(symbol);
    if (variable) return use(runtime, *variable);
    return runtime.misuse(cudaErrorInvalidSymbol,
                          fmt::format("{}: the symbol is no variable of the device", function));
  });
}

/// Copies between the host and a variable of the device, at `offset` bytes from its start.
cudaError_t copy_symbol(const char* function, const void* symbol, void* to, const void* from,
                        size_t bytes, size_t offset, cudaMemcpyKind kind,
                        cudaStream_t stream = nullptr) {
  return with_variable(function, symbol, [&](Runtime& runtime, const auto& variable) {
    const cudaMemcpyKind wrong = to == nullptr ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    if (kind == wrong || kind == cudaMemcpyHostToHost) {
      return runtime.misuse(cudaErrorInvalidMemcpyDirection,
                            fmt::format("{}: the cudaMemcpyKind does not fit a variable of the "
                                        "device as the {}",
                                        function, to == nullptr ? "destination" : "source"));
    }
    const RegionPlace place = {variable.address + offset};
    CopyWork work{function, place, {address_of(from)}, {bytes}, kind};
    if (to != nullptr) work = {function, {address_of(to)}, place, {bytes}, kind};
    return submit(runtime, function, stream, work);
  });
}

cudaMemcpy3DParms without_devices(const cudaMemcpy3DPeerParms& parameters) {
  cudaMemcpy3DParms plain{};
  plain.srcArray = parameters.srcArray;
  plain.srcPos = parameters.srcPos;
  plain.srcPtr = parameters.srcPtr;
  plain.dstArray = parameters.dstArray;
  plain.dstPos = parameters.dstPos;
  plain.dstPtr = parameters.dstPtr;
  plain.extent = parameters.extent;
  plain.kind = cudaMemcpyDefault;
  return plain;
}

}  // namespace

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return copy_bytes("cudaMemcpy", to, from, bytes, kind);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_bytes("cudaMemcpyAsync", to, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return copy_bytes("cudaMemcpyPeer", to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                cudaStream_t stream) {
  return copy_bytes("cudaMemcpyPeerAsync", to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows("cudaMemcpy2D", {address_of(to), to_pitch}, {address_of(from), from_pitch},
                   {width, height}, kind);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_rows("cudaMemcpy2DAsync", {address_of(to), to_pitch}, {address_of(from), from_pitch},
                   {width, height}, kind, stream);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_3d("cudaMemcpy3DAsync", *parameters, stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy_3d("cudaMemcpy3D", *parameters);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyToSymbol", symbol, nullptr, from, bytes, offset, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol("cudaMemcpyToSymbolAsync", symbol, nullptr, from, bytes, offset, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyFromSymbol", symbol, to, nullptr, bytes, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol("cudaMemcpyFromSymbolAsync", symbol, to, nullptr, bytes, offset, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return with_variable("cudaGetSymbolAddress", symbol, [&](Runtime&, const auto& variable) {
    *pointer = pointer_to(variable.address);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  return with_variable("cudaGetSymbolSize", symbol, [&](Runtime&, const auto& variable) {
    *bytes = variable.bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copy_3d("cudaMemcpy3DPeerAsync", without_devices(*parameters), stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return copy_3d("cudaMemcpy3DPeer", without_devices(*parameters));
}

cudaError_t cudaMemcpyBatchAsync(void* const* to, const void* const* from, const size_t* bytes,
                                 size_t count, cudaMemcpyAttributes*, size_t*, size_t,
                                 cudaStream_t stream) {
  for (size_t i = 0; i < count; ++i) {
    const cudaError_t error =
        copy_bytes("cudaMemcpyBatchAsync", to[i], from[i], bytes[i], cudaMemcpyDefault, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
