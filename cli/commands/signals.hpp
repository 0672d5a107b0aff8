// What a signal that ends the process must not leave behind.
#pragma once

#include <functional>
#include <thread>

namespace warpcheck::cli {

/// While it lives, SIGINT, SIGTERM and SIGHUP end the process after `clean_up` has run, in a thread
/// of its own. To be made before other threads, which inherit that the signals wait.
class CleanUpOnSignal {
 public:
  explicit CleanUpOnSignal(std::function<void()> clean_up);
  CleanUpOnSignal(const CleanUpOnSignal&) = delete;
  CleanUpOnSignal& operator=(const CleanUpOnSignal&) = delete;
  ~CleanUpOnSignal();

 private:
  void wait();

  std::function<void()> clean_up_;
  int signals_ = -1;  // tells of a signal
  int done_ = -1;     // tells that there is nothing left to clean up
  std::thread thread_;
};

}  // namespace warpcheck::cli
