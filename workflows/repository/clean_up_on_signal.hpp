// Clean-up before a signal ends the process.
#pragma once

#include <functional>
#include <thread>

namespace warpcheck::workflows::repository {

/// During its lifetime, SIGINT, SIGTERM and SIGHUP run `clean_up` in a separate thread and then end
/// the process. Must be constructed before other threads, because they inherit the blocked signals.
class CleanUpOnSignal {
 public:
  explicit CleanUpOnSignal(std::function<void()> clean_up);
  CleanUpOnSignal(const CleanUpOnSignal&) = delete;
  CleanUpOnSignal& operator=(const CleanUpOnSignal&) = delete;
  ~CleanUpOnSignal();

 private:
  void wait();

  std::function<void()> clean_up_;
  int signals_ = -1;  // readable when a signal has arrived
  int done_ = -1;     // readable when there is nothing left to clean up
  std::thread thread_;
};

}  // namespace warpcheck::workflows::repository
