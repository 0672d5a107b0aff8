#include "runtime/work/capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "runtime/work/graph.hpp"
#include "runtime/work/stream_races.hpp"
#include "runtime/work/streams.hpp"

namespace warpcheck::runtime {
namespace {

/// An event that was last recorded in a stream that was being captured.
struct CapturedEvent {
  std::weak_ptr<Capture> capture;  // empty: it has ended
  std::vector<cudaGraphNode_t> nodes;
};

std::map<cudaStream_t, StreamCapture>& captures() {
  static auto* const all = new std::map<cudaStream_t, StreamCapture>();
  return *all;
}

std::map<cudaEvent_t, CapturedEvent>& captured_events() {
  static auto* const all = new std::map<cudaEvent_t, CapturedEvent>();
  return *all;
}

/// The default stream of each thread has a key of its own.
cudaStream_t key_of(cudaStream_t stream) {
  thread_local CUstream_st thread_stream;
  return stream == cudaStreamPerThread ? &thread_stream : stream;
}

cudaError_t wrong_capture(Runtime& runtime, const char* function, cudaError_t error,
                          std::string_view reason) {
  return runtime.misuse(error, fmt::format("{}: {}", function, reason));
}

cudaError_t invalidate(Runtime& runtime, const char* function, Capture& capture, cudaError_t error,
                       std::string_view reason) {
  capture.invalid = true;
  return wrong_capture(runtime, function, error, reason);
}

cudaError_t invalidated() { return cudaErrorStreamCaptureInvalidated; }

void add_missing(std::vector<cudaGraphNode_t>& nodes, const std::vector<cudaGraphNode_t>& added) {
  for (const cudaGraphNode_t node : added) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

/// The nodes with all that they depend on.
std::unordered_set<cudaGraphNode_t> with_ancestors(std::vector<cudaGraphNode_t> nodes) {
  std::unordered_set<cudaGraphNode_t> reached;
  while (!nodes.empty()) {
    const cudaGraphNode_t node = nodes.back();
    nodes.pop_back();
    if (!reached.insert(node).second) continue;
    nodes.insert(nodes.end(), node->dependencies.begin(), node->dependencies.end());
  }
  return reached;
}

/// True if work of another stream of the capture is not followed by work of the first stream.
bool has_unjoined_work(const Capture& capture) {
  const auto joined = with_ancestors(captures().at(capture.origin).last);
  const auto is_unjoined = [&](const std::vector<cudaGraphNode_t>& last) {
    return std::any_of(last.begin(), last.end(),
                       [&](cudaGraphNode_t node) { return !joined.contains(node); });
  };
  return is_unjoined(capture.last_of_destroyed) ||
         std::any_of(captures().begin(), captures().end(), [&](const auto& entry) {
           return entry.second.capture.get() == &capture && is_unjoined(entry.second.last);
         });
}

/// A capture in a blocking stream, for which work of the legacy stream would wait; null: none.
Capture* blocking_capture() {
  for (const auto& [stream, capturing] : captures()) {
    const CUstream_st* const own = own_stream(stream);
    const bool blocks = own == nullptr || (own->flags & cudaStreamNonBlocking) == 0;
    if (blocks) return capturing.capture.get();
  }
  return nullptr;
}

/// The capture that the event was last recorded in; null if it was invalidated or has ended.
std::shared_ptr<Capture> valid_capture(const CapturedEvent& event) {
  const std::shared_ptr<Capture> capture = event.capture.lock();
  return capture == nullptr || capture->invalid ? nullptr : capture;
}

constexpr std::string_view kHasEnded =
    "the event was last recorded in a capture, which has ended or is invalid";

/// Ends a capture. The graph becomes one of the program, or is deleted.
cudaGraph_t close(const std::shared_ptr<Capture>& capture, bool keep_graph) {
  std::erase_if(captures(), [&](const auto& entry) { return entry.second.capture == capture; });
  if (!capture->owns_graph) return capture->graph;
  if (keep_graph) {
    capture->graph->owned = false;
    return capture->graph;
  }
  std::erase_if(graphs(), [&](const auto& graph) { return graph.get() == capture->graph; });
  return nullptr;
}

}  // namespace

StreamCapture* capture_of(cudaStream_t stream) {
  const auto found = captures().find(key_of(stream));
  return found == captures().end() ? nullptr : &found->second;
}

bool is_capturing(cudaStream_t stream) { return capture_of(stream) != nullptr; }

cudaStreamCaptureMode& thread_capture_mode() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

cudaError_t begin_capture(Runtime& runtime, const char* function, cudaStream_t stream,
                          cudaStreamCaptureMode mode, cudaGraph_t graph,
                          std::vector<cudaGraphNode_t> last) {
  if (is_legacy(stream)) {
    return wrong_capture(runtime, function, cudaErrorStreamCaptureUnsupported,
                         "the legacy stream cannot be captured");
  }
  if (is_capturing(stream)) {
    return wrong_capture(runtime, function, cudaErrorIllegalState,
                         "the stream is being captured already");
  }
  if (mode > cudaStreamCaptureModeRelaxed) {
    return wrong_capture(runtime, function, cudaErrorInvalidValue, "the mode does not exist");
  }
  static unsigned long long count = 0;
  auto capture = std::make_shared<Capture>();
  capture->id = ++count;
  capture->owns_graph = graph == nullptr;
  if (capture->owns_graph) {
    graphs().push_back(std::make_unique<CUgraph_st>());
    graph = graphs().back().get();
    graph->owned = true;
  }
  capture->graph = graph;
  capture->origin = key_of(stream);
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  captures()[key_of(stream)] = {std::move(capture), std::move(last)};
  return cudaSuccess;
}

cudaError_t end_capture(Runtime& runtime, cudaStream_t stream, cudaGraph_t* graph) {
  constexpr const char* kFunction = "cudaStreamEndCapture";
  if (graph != nullptr) *graph = nullptr;
  const StreamCapture* const found = capture_of(stream);
  if (found == nullptr) {
    return wrong_capture(runtime, kFunction, cudaErrorIllegalState,
                         "the stream is not being captured");
  }
  const std::shared_ptr<Capture> capture = found->capture;
  if (capture->origin != key_of(stream)) {
    return invalidate(runtime, kFunction, *capture, cudaErrorStreamCaptureUnmatched,
                      "the capture began in another stream");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    close(capture, false);
    return wrong_capture(runtime, kFunction, cudaErrorStreamCaptureWrongThread,
                         "the capture began in another thread");
  }
  if (capture->invalid) {
    close(capture, false);
    return invalidated();
  }
  if (has_unjoined_work(*capture)) {
    close(capture, false);
    return wrong_capture(runtime, kFunction, cudaErrorStreamCaptureUnjoined,
                         "another stream of the capture has work that this stream does not wait "
                         "for: record an event there, and let this stream wait for it");
  }
  cudaGraph_t const captured = close(capture, true);
  if (graph != nullptr) *graph = captured;
  return cudaSuccess;
}

cudaError_t record(Runtime&, const char*, cudaStream_t stream, const Work& work) {
  StreamCapture& capturing = *capture_of(stream);
  if (capturing.capture->invalid) return invalidated();
  CUgraph_st& graph = *capturing.capture->graph;
  graph.nodes.push_back(std::make_unique<CUgraphNode_st>(&graph, work));
  const cudaGraphNode_t node = graph.nodes.back().get();
  node->dependencies = std::exchange(capturing.last, {node});
  return cudaSuccess;
}

cudaError_t allocate_in_order(Runtime& runtime, const char* function, void** pointer,
                              std::size_t bytes, cudaStream_t stream) {
  const bool captured = is_capturing(stream);
  cudaError_t error = captured ? cudaSuccess : check_safe_call(runtime, function);
  if (error == cudaSuccess) error = allocate(runtime, function, pointer, bytes, MemoryUse::device);
  if (error != cudaSuccess) return error;
  if (HostAllocation* const made = runtime.allocation_at(address_of(*pointer))) {
    made->in_order = true;
  }
  if (!captured) {
    note_lifetime(runtime, function, "allocates", *pointer, stream);
    return cudaSuccess;
  }
  return record(runtime, function, stream,
                AllocateWork{std::make_shared<GraphMemory>(*pointer, bytes)});
}

cudaError_t record_event(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  const StreamCapture& capturing = *capture_of(stream);
  if ((flags & cudaEventRecordExternal) != 0) {
    return record(runtime, "cudaEventRecord", stream, RecordWork{event});
  }
  if (capturing.capture->invalid) return invalidated();
  captured_events()[event] = {capturing.capture, capturing.last};
  return cudaSuccess;
}

cudaError_t wait_event(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  constexpr const char* kFunction = "cudaStreamWaitEvent";
  StreamCapture* const capturing = capture_of(stream);
  if (capturing != nullptr && capturing->capture->invalid) return invalidated();
  const auto captured = captured_events().find(event);
  if (captured == captured_events().end()) {
    if (capturing == nullptr) {
      runtime.order().wait(ordered(stream), event);
      return check_legacy(runtime, kFunction, stream);
    }
    if ((flags & cudaEventWaitExternal) != 0) {
      return record(runtime, kFunction, stream, WaitWork{event});
    }
    if (!event->recorded) return cudaSuccess;
    return invalidate(runtime, kFunction, *capturing->capture, cudaErrorStreamCaptureIsolation,
                      "the stream is being captured, and the event was recorded outside of the "
                      "capture");
  }
  const std::shared_ptr<Capture> capture = valid_capture(captured->second);
  if (capture == nullptr) {
    if (capturing != nullptr) capturing->capture->invalid = true;
    return wrong_capture(runtime, kFunction, cudaErrorInvalidValue, kHasEnded);
  }
  if (capturing == nullptr) {
    if (is_legacy(stream)) {
      return invalidate(runtime, kFunction, *capture, cudaErrorStreamCaptureImplicit,
                        "the legacy stream cannot join a capture");
    }
    captures()[key_of(stream)] = {capture, captured->second.nodes};
    return cudaSuccess;
  }
  if (capturing->capture != capture) {
    capturing->capture->invalid = true;
    return invalidate(runtime, kFunction, *capture, cudaErrorStreamCaptureMerge,
                      "the event and the stream belong to different captures");
  }
  add_missing(capturing->last, captured->second.nodes);
  return cudaSuccess;
}

void forget_capture(cudaStream_t stream) {
  const auto found = captures().find(stream);
  if (found == captures().end()) return;
  const std::shared_ptr<Capture> capture = found->second.capture;
  if (capture->origin == stream) {
    close(capture, false);
  } else {
    add_missing(capture->last_of_destroyed, found->second.last);
    captures().erase(found);
  }
}

void forget_capture(cudaEvent_t event) { captured_events().erase(event); }

bool waits_for_capture(cudaStream_t stream) {
  return is_legacy(stream) && blocking_capture() != nullptr;
}

cudaError_t check_legacy(Runtime& runtime, const char* function, cudaStream_t stream) {
  if (!waits_for_capture(stream)) return cudaSuccess;
  return invalidate(runtime, function, *blocking_capture(), cudaErrorStreamCaptureImplicit,
                    "work of the legacy stream waits for a stream that is being captured");
}

cudaError_t check_not_capturing(Runtime& runtime, const char* function, cudaStream_t stream) {
  const StreamCapture* const capturing = capture_of(stream);
  if (capturing == nullptr) return check_legacy(runtime, function, stream);
  return invalidate(runtime, function, *capturing->capture, cudaErrorStreamCaptureUnsupported,
                    "the stream is being captured");
}

cudaError_t check_wait(Runtime& runtime, const char* function, cudaStream_t stream) {
  const cudaError_t error = check_not_capturing(runtime, function, stream);
  return error == cudaSuccess ? check_safe_call(runtime, function) : error;
}

cudaError_t check_not_captured(Runtime& runtime, const char* function, cudaEvent_t event) {
  const auto captured = captured_events().find(event);
  if (captured == captured_events().end()) return cudaSuccess;
  if (valid_capture(captured->second) == nullptr) {
    return wrong_capture(runtime, function, cudaErrorInvalidValue, kHasEnded);
  }
  return wrong_capture(runtime, function, cudaErrorCapturedEvent,
                       "the event was last recorded in a capture");
}

cudaError_t check_wait(Runtime& runtime, const char* function, cudaEvent_t event) {
  const cudaError_t error = check_not_captured(runtime, function, event);
  if (error == cudaErrorCapturedEvent) {
    captured_events().at(event).capture.lock()->invalid = true;
  }
  return error == cudaSuccess ? check_safe_call(runtime, function) : error;
}

cudaError_t check_safe_call(Runtime& runtime, const char* function) {
  const cudaStreamCaptureMode own_mode = thread_capture_mode();
  if (own_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (const auto& [stream, capturing] : captures()) {
    const Capture& capture = *capturing.capture;
    const bool is_own = capture.thread == std::this_thread::get_id();
    const bool is_unsafe = is_own ? capture.mode != cudaStreamCaptureModeRelaxed
                                  : capture.mode == cudaStreamCaptureModeGlobal &&
                                        own_mode == cudaStreamCaptureModeGlobal;
    if (!is_unsafe) continue;
    return invalidate(runtime, function, *capturing.capture, cudaErrorStreamCaptureUnsupported,
                      "the call may wait for the device while a stream is being captured");
  }
  return cudaSuccess;
}

cudaError_t check_no_capture(Runtime& runtime, const char* function) {
  if (captures().empty()) return cudaSuccess;
  return invalidate(runtime, function, *captures().begin()->second.capture,
                    cudaErrorStreamCaptureUnsupported,
                    "the call waits for all streams while one is being captured");
}

}  // namespace warpcheck::runtime
