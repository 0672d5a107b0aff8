// Streams and events of the driver. Their handles are those of the runtime.
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

namespace {

struct DriverCallback {
  CUstreamCallback function;
  void* data;
};

void call_with_result(cudaStream_t stream, cudaError_t status, void* callback) {
  const auto& of_driver = *static_cast<const DriverCallback*>(callback);
  of_driver.function(stream, result_of(status), of_driver.data);
}

}  // namespace

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data,
                             unsigned flags) {
  DriverCallback callback{function, data};
  return forward_unlocked("cuStreamAddCallback", [&] {
    return cudaStreamAddCallback(stream, call_with_result, &callback, flags);
  });
}
