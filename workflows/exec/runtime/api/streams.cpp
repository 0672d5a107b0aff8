// Streams and events. Work is executed when it is submitted, in the order of the program, so that
// every stream is always idle.
#include <chrono>
#include <set>

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

// The streams and events that exist; the runtime is locked while they are used.
std::set<cudaStream_t>& streams() {
  static auto* const all = new std::set<cudaStream_t>();
  return *all;
}
std::set<cudaEvent_t>& events() {
  static auto* const all = new std::set<cudaEvent_t>();
  return *all;
}

/// Null and the two handles of the runtime's own streams are valid.
cudaError_t check_stream(Runtime& runtime, const char* function, cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
      streams().contains(stream)) {
    return cudaSuccess;
  }
  return runtime.misuse(cudaErrorInvalidResourceHandle,
                        std::string(function) + ": the stream does not exist or was destroyed");
}

cudaError_t check_event(Runtime& runtime, const char* function, cudaEvent_t event) {
  if (events().contains(event)) return cudaSuccess;
  return runtime.misuse(cudaErrorInvalidResourceHandle,
                        std::string(function) + ": the event does not exist or was destroyed");
}

/// A stream that has properties; null: one of the runtime's own.
const CUstream_st* own_stream(cudaStream_t stream) {
  return streams().contains(stream) ? stream : nullptr;
}

/// Calls body(runtime) if the stream is valid.
template <typename Body>
cudaError_t with_stream(const char* function, cudaStream_t stream, Body body) {
  return api_call([&](Runtime& runtime) {
    const cudaError_t error = check_stream(runtime, function, stream);
    return error == cudaSuccess ? body(runtime) : error;
  });
}

template <typename Body>
cudaError_t with_event(const char* function, cudaEvent_t event, Body body) {
  return api_call([&](Runtime& runtime) {
    const cudaError_t error = check_event(runtime, function, event);
    return error == cudaSuccess ? body(runtime) : error;
  });
}

cudaError_t launch_error(Runtime& runtime) { return runtime.take_launch_error(); }

}  // namespace

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api_call([&](Runtime&) {
    *stream = *streams().insert(new CUstream_st{flags, priority}).first;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return with_stream("cudaStreamDestroy", stream, [&](Runtime&) {
    if (streams().erase(stream) != 0) delete stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream("cudaStreamSynchronize", stream, launch_error);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_stream("cudaStreamQuery", stream, launch_error);
}
cudaError_t cudaDeviceSynchronize() { return api_call(launch_error); }

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_stream("cudaStreamWaitEvent", stream, [&](Runtime& runtime) {
    return check_event(runtime, "cudaStreamWaitEvent", event);
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream("cudaStreamGetFlags", stream, [&](Runtime&) {
    const CUstream_st* const own = own_stream(stream);
    *flags = own == nullptr ? 0 : own->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream("cudaStreamGetPriority", stream, [&](Runtime&) {
    const CUstream_st* const own = own_stream(stream);
    *priority = own == nullptr ? 0 : own->priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) { return cudaSuccess; }
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
    *event =
        *events().insert(new CUevent_st{false, (flags & cudaEventDisableTiming) == 0, {}}).first;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return with_event("cudaEventDestroy", event, [&](Runtime&) {
    events().erase(event);
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return with_event("cudaEventRecord", event, [&](Runtime& runtime) {
    event->recorded = true;
    event->time = std::chrono::steady_clock::now();
    return check_stream(runtime, "cudaEventRecord", stream);
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return with_event("cudaEventQuery", event, launch_error);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return with_event("cudaEventSynchronize", event, launch_error);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call([&](Runtime& runtime) {
    for (const cudaEvent_t event : {start, end}) {
      if (const cudaError_t error = check_event(runtime, "cudaEventElapsedTime", event)) {
        return error;
      }
      if (!event->recorded || !event->timed) {
        return runtime.misuse(cudaErrorInvalidResourceHandle,
                              "cudaEventElapsedTime: an event was not recorded, or has "
                              "cudaEventDisableTiming");
      }
    }
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - start->time).count();
    return cudaSuccess;
  });
}
