// Stream capture.
#include "runtime/work/capture.hpp"

#include "runtime/work/graph.hpp"
#include "runtime/work/streams.hpp"

using namespace warpcheck::runtime;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return with_stream("cudaStreamBeginCapture", stream, [&](Runtime& runtime) {
    return begin_capture(runtime, "cudaStreamBeginCapture", stream, mode, nullptr, {});
  });
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData*, size_t count,
                                          cudaStreamCaptureMode mode) {
  return with_stream("cudaStreamBeginCaptureToGraph", stream, [&](Runtime& runtime) {
    return begin_capture(runtime, "cudaStreamBeginCaptureToGraph", stream, mode, graph,
                         {dependencies, dependencies + count});
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return with_stream("cudaStreamEndCapture", stream,
                     [&](Runtime& runtime) { return end_capture(runtime, stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo(stream, status, nullptr, nullptr, nullptr, nullptr, nullptr);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* count) {
  return with_stream("cudaStreamGetCaptureInfo", stream, [&](Runtime&) {
    const StreamCapture* const found = capture_of(stream);
    if (found == nullptr) {
      // The query leaves a capture valid, and a program may expect this error.
      if (waits_for_capture(stream)) return cudaErrorStreamCaptureImplicit;
      *status = cudaStreamCaptureStatusNone;
      return cudaSuccess;
    }
    const Capture& capture = *found->capture;
    *status = capture.invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
    if (capture.invalid) return cudaSuccess;
    if (id != nullptr) *id = capture.id;
    if (graph != nullptr) *graph = capture.graph;
    if (dependencies != nullptr) *dependencies = found->last.data();
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = found->last.size();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData*, size_t count,
                                                unsigned flags) {
  return with_stream("cudaStreamUpdateCaptureDependencies", stream, [&](Runtime& runtime) {
    StreamCapture* const found = capture_of(stream);
    if (found == nullptr) {
      return runtime.misuse(
          cudaErrorIllegalState,
          "cudaStreamUpdateCaptureDependencies: the stream is not being captured");
    }
    if (flags == cudaStreamSetCaptureDependencies) found->last.clear();
    found->last.insert(found->last.end(), dependencies, dependencies + count);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, thread_capture_mode());
  return cudaSuccess;
}
