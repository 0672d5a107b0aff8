// Streams and events. Work is executed when it is submitted, in the order of the program, so that
// every stream is always idle.
#pragma once

#include <chrono>
#include <map>
#include <set>

#include "runtime/runtime.hpp"

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes = {};  // set by the program
};

struct CUevent_st {
  bool recorded = false;
  bool timed = true;
  bool interprocess = false;
  std::chrono::steady_clock::time_point time;
};

namespace warpcheck::runtime {

// The streams and events that exist; the runtime is locked while they are used.
[[nodiscard]] std::set<cudaStream_t>& streams();
[[nodiscard]] std::set<cudaEvent_t>& events();

/// The stream that null means in functions without a stream: null, or that of the thread.
[[nodiscard]] cudaStream_t& default_stream();

[[nodiscard]] bool is_legacy(cudaStream_t stream);

/// These report a handle that does not exist.
cudaError_t check_stream(Runtime& runtime, const char* function, cudaStream_t stream);
cudaError_t check_event(Runtime& runtime, const char* function, cudaEvent_t event);

/// A stream that has properties; null: one of the runtime's own.
[[nodiscard]] const CUstream_st* own_stream(cudaStream_t stream);

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

}  // namespace warpcheck::runtime
