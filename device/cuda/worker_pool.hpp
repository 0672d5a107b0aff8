// The worker processes of a device, distributed over its GPUs. One job at a time uses a worker.
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
  /// Starts the first worker, on GPU number `ordinal`; throws EnvironmentError on a machine without
  /// a GPU. Each further worker uses the GPU of the same model with the fewest workers.
  WorkerPool(int ordinal, unsigned workers);

  /// The description of one GPU.
  [[nodiscard]] const std::string& description() const { return description_; }
  /// The number of GPUs that workers use.
  [[nodiscard]] unsigned gpus() const { return gpus_; }

  /// Reserves a worker until the lease goes out of scope; waits while all are reserved. Four
  /// processes keep a GPU busy; more slow each other down, because a GPU serves one process at a
  /// time. If no worker is returned for half a second, for example because kernels hang, another
  /// one starts.
  class Lease {
   public:
    explicit Lease(WorkerPool& pool);
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    WorkerProcess* operator->() { return worker_.get(); }
    /// Removes the worker from the pool: its process ended or is unusable.
    void discard();

   private:
    WorkerPool& pool_;
    std::unique_ptr<WorkerProcess> worker_;
  };

 private:
  [[nodiscard]] std::unique_ptr<WorkerProcess> start(int ordinal) const;

  std::string description_;
  unsigned gpus_ = 1;
  std::map<int, unsigned> workers_;  // number on each GPU
  std::mutex mutex_;
  std::condition_variable returned_;
  unsigned free_ = 0;                                 // leases available
  unsigned reserve_ = 0;                              // further leases, for when all workers hang
  std::vector<std::unique_ptr<WorkerProcess>> idle_;  // at most free_
};

}  // namespace warpcheck::device::cuda
