#include "runtime/work/streams.hpp"

#include <string>

namespace warpcheck::runtime {

std::set<cudaStream_t>& streams() {
  static auto* const all = new std::set<cudaStream_t>();
  return *all;
}

std::set<cudaEvent_t>& events() {
  static auto* const all = new std::set<cudaEvent_t>();
  return *all;
}

cudaStream_t& default_stream() {
  thread_local cudaStream_t stream = nullptr;
  return stream;
}

bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

cudaError_t check_stream(Runtime& runtime, const char* function, cudaStream_t stream) {
  // Null and the two handles of the runtime's own streams are valid.
  const bool is_own = is_legacy(stream) || stream == cudaStreamPerThread;
  if (is_own || streams().contains(stream)) return cudaSuccess;
  return runtime.misuse(cudaErrorInvalidResourceHandle,
                        std::string(function) + ": the stream does not exist or was destroyed");
}

cudaError_t check_event(Runtime& runtime, const char* function, cudaEvent_t event) {
  if (events().contains(event)) return cudaSuccess;
  return runtime.misuse(cudaErrorInvalidResourceHandle,
                        std::string(function) + ": the event does not exist or was destroyed");
}

const CUstream_st* own_stream(cudaStream_t stream) {
  return streams().contains(stream) ? stream : nullptr;
}

}  // namespace warpcheck::runtime
