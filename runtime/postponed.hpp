// Work that needs the lock of the Python interpreter, which a thread must not wait for while it has
// the lock of the runtime: another thread may wait for the two in the other order.
#pragma once

#include <functional>

namespace warpcheck::runtime {

/// Exists while this thread is in a call of the runtime. The end of the outermost call does the
/// postponed work.
class PostponedWork {
 public:
  PostponedWork();
  PostponedWork(const PostponedWork&) = delete;
  PostponedWork& operator=(const PostponedWork&) = delete;
  ~PostponedWork();
};

/// True if this thread is in a call of the runtime.
[[nodiscard]] bool can_postpone();
void postpone(std::function<void()> work);

}  // namespace warpcheck::runtime
