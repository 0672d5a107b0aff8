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

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return forward("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return forward("cuStreamCreateWithPriority",
                 [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy(CUstream stream) {
  return forward("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return forward("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return forward("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return forward("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return forward("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return forward("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return forward("cuStreamBeginCapture", [&] {
    return cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode));
  });
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return forward("cuStreamEndCapture", [&] { return cudaStreamEndCapture(stream, graph); });
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return forward("cuStreamIsCapturing", [&] {
    return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status));
  });
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies, const CUgraphEdgeData* edges,
                                     size_t count, CUstreamCaptureMode mode) {
  return forward("cuStreamBeginCaptureToGraph", [&] {
    return cudaStreamBeginCaptureToGraph(stream, graph, dependencies,
                                         reinterpret_cast<const cudaGraphEdgeData*>(edges), count,
                                         static_cast<cudaStreamCaptureMode>(mode));
  });
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                CUgraph* graph, const CUgraphNode** dependencies,
                                const CUgraphEdgeData** edges, size_t* count) {
  return forward("cuStreamGetCaptureInfo", [&] {
    return cudaStreamGetCaptureInfo(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status),
                                    reinterpret_cast<unsigned long long*>(id), graph, dependencies,
                                    reinterpret_cast<const cudaGraphEdgeData**>(edges), count);
  });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return forward("cuThreadExchangeStreamCaptureMode", [&] {
    return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode));
  });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return forward("cuStreamGetId", [&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback function, void* data,
                             unsigned flags) {
  DriverCallback callback{function, data};
  return forward_unlocked("cuStreamAddCallback", [&] {
    return cudaStreamAddCallback(stream, call_with_result, &callback, flags);
  });
}
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t bytes,
                                unsigned flags) {
  return forward("cuStreamAttachMemAsync", [&] {
    return cudaStreamAttachMemAsync(stream, pointer_to_device(address), bytes, flags);
  });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return forward("cuEventCreate", [&] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy(CUevent event) {
  return forward("cuEventDestroy", [&] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return forward("cuEventRecord", [&] { return cudaEventRecord(event, stream); });
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return forward("cuEventRecordWithFlags",
                 [&] { return cudaEventRecordWithFlags(event, stream, flags); });
}
CUresult cuEventQuery(CUevent event) {
  return forward("cuEventQuery", [&] { return cudaEventQuery(event); });
}
CUresult cuEventSynchronize(CUevent event) {
  return forward("cuEventSynchronize", [&] { return cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return forward("cuEventElapsedTime",
                 [&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
