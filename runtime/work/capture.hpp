// Stream capture: work that is submitted to a stream becomes nodes of a graph.
#pragma once

#include <thread>
#include <vector>

#include "runtime/work/work.hpp"

namespace warpcheck::runtime {

struct Capture {
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  bool owns_graph = true;  // the capture owns the graph until it ends
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  bool invalid = false;
  std::vector<cudaGraphNode_t> last_of_destroyed;  // the last work of streams that were destroyed
};

/// The capture of a stream, with the nodes on which its next work depends.
struct StreamCapture {
  std::shared_ptr<Capture> capture;
  std::vector<cudaGraphNode_t> last;
};

// All of these require the lock of the runtime.

/// Null: the stream is not being captured.
[[nodiscard]] StreamCapture* capture_of(cudaStream_t stream);
[[nodiscard]] bool is_capturing(cudaStream_t stream);

/// `graph`: null for a new one; `last`: its nodes on which the first work depends.
cudaError_t begin_capture(Runtime& runtime, const char* function, cudaStream_t stream,
                          cudaStreamCaptureMode mode, cudaGraph_t graph,
                          std::vector<cudaGraphNode_t> last);
/// The graph receives null on failure.
cudaError_t end_capture(Runtime& runtime, cudaStream_t stream, cudaGraph_t* graph);

/// Adds a node for work that is submitted to a stream that is being captured.
cudaError_t record(Runtime& runtime, const char* function, cudaStream_t stream, const Work& work);
cudaError_t record_event(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t wait_event(Runtime& runtime, cudaStream_t stream, cudaEvent_t event, unsigned flags);

/// Allocates in the order of a stream: cudaMallocAsync().
cudaError_t allocate_in_order(Runtime& runtime, const char* function, void** pointer,
                              std::size_t bytes, cudaStream_t stream);

/// The stream is destroyed: a capture that began there ends. The work that another one has added
/// remains, and must be joined.
void forget_capture(cudaStream_t stream);
/// The event is recorded outside of a capture, or destroyed.
void forget_capture(cudaEvent_t event);

/// True if work of the stream would wait for one that is being captured: the legacy stream waits
/// for blocking streams.
[[nodiscard]] bool waits_for_capture(cudaStream_t stream);

// Calls that must not happen during a capture. They invalidate it.

/// The call adds work to a stream that is not being captured.
cudaError_t check_legacy(Runtime& runtime, const char* function, cudaStream_t stream);
/// The call cannot be captured.
cudaError_t check_not_capturing(Runtime& runtime, const char* function, cudaStream_t stream);
/// The call waits for a stream or an event, or queries it.
cudaError_t check_wait(Runtime& runtime, const char* function, cudaStream_t stream);
cudaError_t check_wait(Runtime& runtime, const char* function, cudaEvent_t event);
/// The call reads an event. A capture remains valid.
cudaError_t check_not_captured(Runtime& runtime, const char* function, cudaEvent_t event);
/// The call may wait for the device. The mode of the capture and of the thread may allow it.
cudaError_t check_safe_call(Runtime& runtime, const char* function);
/// The call waits for all streams.
cudaError_t check_no_capture(Runtime& runtime, const char* function);

/// The mode of the calling thread.
[[nodiscard]] cudaStreamCaptureMode& thread_capture_mode();

}  // namespace warpcheck::runtime
