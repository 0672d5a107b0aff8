// Streams and events of the driver. Their handles are those of the runtime.
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

namespace {

struct DriverCallback {
  CUstreamCallback function;
  void* data;
};

void call_with_result(cudaStream_t stream, cudaError_t status, void* callback) {
  const auto& driver_callback = *static_cast<const DriverCallback*>(callback);
  driver_callback.function(stream, result_of(status), driver_callback.data);
}

}  // namespace

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data,
                             unsigned flags) {
  DriverCallback callback{function, data};
  return forward_unlocked("cuStreamAddCallback", [&] {
    return cudaStreamAddCallback(stream, call_with_result, &callback, flags);
  });
}

#undef cuEventElapsedTime
/// The version for programs that were compiled before CUDA 12.8.
extern "C" __attribute__((visibility("default"))) CUresult cuEventElapsedTime(float* milliseconds,
                                                                              CUevent start,
                                                                              CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}
