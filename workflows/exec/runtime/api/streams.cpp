// Streams and events. Work is executed when it is submitted, in the order of the program, so that
// every stream is always idle.
#include <chrono>

#include "workflows/exec/runtime/runtime.hpp"

using namespace warpcheck::workflows::exec;

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
};

struct CUevent_st {
  bool recorded = false;
  bool timed = true;
  std::chrono::steady_clock::time_point time;
};

namespace {

cudaError_t synchronized() {
  return api_call([](Runtime& runtime) { return runtime.take_launch_error(); });
}

cudaError_t invalid_event(const char* function) {
  return api_call([&](Runtime& runtime) {
    return runtime.misuse(cudaErrorInvalidResourceHandle,
                          std::string(function) + ": the event is null");
  });
}

}  // namespace

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api_call([&](Runtime&) {
    *stream = new CUstream_st{flags, priority};
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) { return synchronized(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return synchronized(); }
cudaError_t cudaDeviceSynchronize() { return synchronized(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  *flags = stream == nullptr ? 0 : stream->flags;
  return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  *priority = stream == nullptr ? 0 : stream->priority;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  *mode = cudaStreamCaptureModeGlobal;
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
  function(data);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api_call([&](Runtime&) {
    *event = new CUevent_st{false, (flags & cudaEventDisableTiming) == 0, {}};
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event == nullptr) return invalid_event("cudaEventDestroy");
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t, unsigned) {
  if (event == nullptr) return invalid_event("cudaEventRecord");
  event->recorded = true;
  event->time = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event == nullptr ? invalid_event("cudaEventQuery") : synchronized();
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return event == nullptr ? invalid_event("cudaEventSynchronize") : synchronized();
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call([&](Runtime& runtime) {
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded || !start->timed ||
        !end->timed) {
      return runtime.misuse(cudaErrorInvalidResourceHandle,
                            "cudaEventElapsedTime: an event is null, was not recorded, or has "
                            "cudaEventDisableTiming");
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
  });
}
