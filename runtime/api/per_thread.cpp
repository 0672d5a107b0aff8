// The functions of programs compiled with -default-stream per-thread: a null stream is that of the
// thread. They have the suffix _ptsz if they have a stream, and else _ptds.
#include <type_traits>
#include <utility>

#include "runtime/driver/driver.hpp"
#include "runtime/work/streams.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warpcheck::runtime {
namespace {

/// Replaces a null stream; other arguments do not change.
template <typename Argument>
Argument with_stream_of_thread(Argument argument) {
  if constexpr (std::is_same_v<Argument, cudaStream_t>) {
    if (argument == nullptr) return cudaStreamPerThread;
  }
  return argument;
}

template <auto Function>
struct PerThread;

template <typename Error, typename... Arguments, Error (*Function)(Arguments...)>
struct PerThread<Function> {
  static Error call(Arguments... arguments) {
    const cudaStream_t before = std::exchange(default_stream(), cudaStreamPerThread);
    const Error error = Function(with_stream_of_thread(arguments)...);
    default_stream() = before;
    return error;
  }
};

}  // namespace
}  // namespace warpcheck::runtime

// The linker resolves each function to the template's, which has the parameters of the function
// without suffix.
#define WARPCHECK_PER_THREAD(function, suffix)              \
  decltype(&function) resolve_##function##suffix() {        \
    return &warpcheck::runtime::PerThread<&function>::call; \
  }                                                         \
  extern __attribute__((visibility("default"),              \
                        ifunc("resolve_" #function #suffix))) decltype(function) function##suffix;

extern "C" {
#include "per_thread.inc"  // NOLINT: a row for each function that the Toolkit exports
}
