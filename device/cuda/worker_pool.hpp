// The worker processes of a device, spread over its GPUs, lent to one job at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "device/cuda/worker_process.hpp"

namespace warpcheck::device::cuda {

class WorkerPool {
 public:
  /// Starts the first worker, so that a machine without a GPU shows here: throws EnvironmentError.
  /// The first works on GPU number `ordinal`, the others on that of the GPUs like it which has
  /// fewest.
  WorkerPool(int ordinal, unsigned workers);

  /// Of one GPU.
  [[nodiscard]] const std::string& description() const { return description_; }
  /// That there are workers for.
  [[nodiscard]] unsigned gpus() const { return gpus_; }

  /// A worker, borrowed until the lease goes out of scope; waits while all are lent. Four processes
  /// keep a GPU busy, and more get into each other's way, since a GPU serves one process at a time;
  /// but when nobody returns one for half a second, as when kernels hang, another one starts.
  class Lease {
   public:
    explicit Lease(WorkerPool& pool);
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    WorkerProcess* operator->() { return worker_.get(); }
    /// The process is gone or of no more use.
    void discard();

   private:
    WorkerPool& pool_;
    std::unique_ptr<WorkerProcess> worker_;
  };

 private:
  [[nodiscard]] std::unique_ptr<WorkerProcess> start(int ordinal) const;

  std::string description_;
  unsigned gpus_ = 1;
  std::map<int, unsigned> workers_;  // on each GPU
  std::mutex mutex_;
  std::condition_variable returned_;
  unsigned free_ = 0;                                 // leases that may still be given out
  unsigned reserve_ = 0;                              // more, while those keep their workers long
  std::vector<std::unique_ptr<WorkerProcess>> idle_;  // never more than free_
};

}  // namespace warpcheck::device::cuda
