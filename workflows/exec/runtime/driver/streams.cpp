// Streams, events and graphs of the driver. Their handles are those of the runtime.
#include "workflows/exec/runtime/driver/driver.hpp"

using namespace warpcheck::workflows::exec;

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

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return forward("cuGraphInstantiateWithFlags",
                 [&] { return cudaGraphInstantiateWithFlags(exec, graph, flags); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return result_of(cudaGraphLaunch(exec, stream));
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return forward("cuGraphExecDestroy", [&] { return cudaGraphExecDestroy(exec); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return forward("cuGraphDestroy", [&] { return cudaGraphDestroy(graph); });
}
