// Messages of the driver. This one has none: its findings are the command's.
#include "runtime/driver/driver.hpp"

using namespace warpcheck::runtime;

CUresult cuLogsRegisterCallback(CUlogsCallback, void*, CUlogsCallbackHandle* handle) {
  return driver_call([&](Runtime& runtime) {
    // A handle is only compared with null.
    *handle = reinterpret_cast<CUlogsCallbackHandle>(&runtime);
    return cudaSuccess;
  });
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle) {
  return driver_call([](Runtime&) { return cudaSuccess; });
}
