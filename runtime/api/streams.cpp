// Streams and events.
#include "runtime/work/streams.hpp"

#include "runtime/work/capture.hpp"
#include "runtime/work/stream_races.hpp"

using namespace warpcheck::runtime;

namespace {

/// Waits for a stream: it returns the error of an earlier launch.
cudaError_t wait_for(const char* function, cudaStream_t stream) {
  return with_stream(function, stream, [&](Runtime& runtime) {
    if (const cudaError_t error = check_wait(runtime, function, stream)) return error;
    runtime.order().host_waits(ordered(stream));
    return runtime.take_launch_error();
  });
}

cudaError_t wait_for(const char* function, cudaEvent_t event) {
  return with_event(function, event, [&](Runtime& runtime) {
    if (const cudaError_t error = check_wait(runtime, function, event)) return error;
    runtime.order().host_waits(event);
    return runtime.take_launch_error();
  });
}

}  // namespace

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return api_call([&](Runtime& runtime) {
    runtime.order().activate();
    static unsigned long long count = 2;  // 1 and 2 are those of the runtime's own streams
    *stream = *streams().insert(new CUstream_st{flags, priority, ++count}).first;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return with_stream("cudaStreamDestroy", stream, [&](Runtime& runtime) {
    forget_capture(stream);
    runtime.order().destroy(ordered(stream));
    if (streams().erase(stream) != 0) delete stream;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for("cudaStreamSynchronize", stream);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return wait_for("cudaStreamQuery", stream); }
cudaError_t cudaDeviceSynchronize() {
  return api_call([](Runtime& runtime) {
    if (const auto error = check_no_capture(runtime, "cudaDeviceSynchronize")) return error;
    runtime.order().host_waits_for_all();
    return runtime.take_launch_error();
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return with_stream("cudaStreamWaitEvent", stream, [&](Runtime& runtime) {
    const cudaError_t error = check_event(runtime, "cudaStreamWaitEvent", event);
    return error == cudaSuccess ? wait_event(runtime, stream, event, flags) : error;
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
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_stream("cudaStreamGetId", stream, [&](Runtime&) {
    const CUstream_st* const own = own_stream(stream);
    *id = own != nullptr ? own->id : ordered(stream).id;
    return cudaSuccess;
  });
}
/// The attributes of streams, such as the window of the L2 cache, are hints. Those of the runtime's
/// own streams are not stored.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  return with_stream("cudaStreamSetAttribute", stream, [&](Runtime&) {
    if (own_stream(stream) != nullptr) stream->attributes[attribute] = *value;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  return with_stream("cudaStreamGetAttribute", stream, [&](Runtime&) {
    *value = {};
    const CUstream_st* const own = own_stream(stream);
    if (own == nullptr) return cudaSuccess;
    if (attribute == cudaLaunchAttributePriority) value->priority = own->priority;
    if (const auto set = own->attributes.find(attribute); set != own->attributes.end()) {
      *value = set->second;
    }
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_stream("cudaStreamCopyAttributes", to, [&](Runtime& runtime) {
    const cudaError_t error = check_stream(runtime, "cudaStreamCopyAttributes", from);
    if (error == cudaSuccess && own_stream(to) != nullptr && own_stream(from) != nullptr) {
      to->attributes = from->attributes;
    }
    return error;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t, int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) { return cudaSuccess; }
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned) {
  const cudaError_t error = with_stream("cudaStreamAddCallback", stream, [&](Runtime& runtime) {
    runtime.order().host_waits(ordered(stream));  // the function may continue other threads
    return check_not_capturing(runtime, "cudaStreamAddCallback", stream);
  });
  if (error == cudaSuccess) callback(stream, Runtime::instance().device_error(), data);
  return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  bool captured = false;
  const cudaError_t error = with_stream("cudaLaunchHostFunc", stream, [&](Runtime& runtime) {
    captured = is_capturing(stream);
    if (!captured) runtime.order().host_waits(ordered(stream));
    return captured ? record(runtime, "cudaLaunchHostFunc", stream, HostWork{function, data})
                    : check_legacy(runtime, "cudaLaunchHostFunc", stream);
  });
  // The function may wait for another thread. CUDA does not call it after an error of the device.
  const bool is_due = error == cudaSuccess && !captured;
  if (is_due && Runtime::instance().device_error() == cudaSuccess) function(data);
  return error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return api_call([&](Runtime& runtime) {
    const bool timed = (flags & cudaEventDisableTiming) == 0;
    const bool interprocess = (flags & cudaEventInterprocess) != 0;
    if (interprocess && timed) {
      return runtime.misuse(cudaErrorInvalidValue,
                            "cudaEventCreateWithFlags: cudaEventInterprocess requires "
                            "cudaEventDisableTiming");
    }
    *event = *events().insert(new CUevent_st{false, timed, interprocess, {}}).first;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return with_event("cudaEventDestroy", event, [&](Runtime& runtime) {
    forget_capture(event);
    runtime.order().destroy(event);
    events().erase(event);
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return with_stream("cudaEventRecord", stream, [&](Runtime& runtime) {
    if (const cudaError_t error = check_event(runtime, "cudaEventRecord", event)) return error;
    if (is_capturing(stream)) return record_event(runtime, stream, event, flags);
    return submit(runtime, "cudaEventRecord", stream, RecordWork{event});
  });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return wait_for("cudaEventQuery", event); }
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return wait_for("cudaEventSynchronize", event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return api_call([&](Runtime& runtime) {
    for (const cudaEvent_t event : {start, end}) {
      if (const cudaError_t error = check_event(runtime, "cudaEventElapsedTime", event)) {
        return error;
      }
      if (const cudaError_t error = check_not_captured(runtime, "cudaEventElapsedTime", event)) {
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
