// The worker processes of a device, distributed over its GPUs, and the lanes that jobs use.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "device/cuda/worker_process.hpp"

namespace warpcheck::device::cuda {

/// The other jobs that may run in the process of a job at the same time.
enum class Company : std::uint8_t { any, own_program, none };

class WorkerPool {
  struct Worker;

 public:
  /// Starts the first worker, on GPU number `ordinal`. Throws EnvironmentError on a machine without
  /// a GPU. Further workers use the GPUs of the same model. At most `jobs` jobs run at once.
  WorkerPool(int ordinal, unsigned jobs);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool();

  /// The description of one GPU.
  [[nodiscard]] const std::string& description() const { return description_; }
  /// The number of GPUs that workers use.
  [[nodiscard]] unsigned gpus() const { return static_cast<unsigned>(most_gpus_); }

  /// Reserves a lane until the lease goes out of scope; waits while there is none. Jobs share a
  /// process as far as their company allows, because a GPU serves one process at a time. A GPU has
  /// at most four processes, unless none of their lanes is returned for half a second, for example
  /// because kernels hang. No further job joins a process of which a job takes that long.
  class Lease {
   public:
    Lease(WorkerPool& pool, std::uint64_t program, Company company);
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();

    [[nodiscard]] std::span<std::byte> image(std::size_t bytes);
    [[nodiscard]] WorkerProcess::Response request(const Request& request,
                                                  std::chrono::milliseconds timeout);
    [[nodiscard]] std::string take_output();
    /// Removes the process from the pool: it ended or is unusable.
    void discard();

   private:
    WorkerPool& pool_;
    Worker* worker_ = nullptr;
    unsigned lane_ = 0;
  };

 private:
  using Clock = std::chrono::steady_clock;

  /// A job that waits for a lane.
  struct Waiting {
    std::uint64_t program = 0;
    Company company = Company::none;
    Clock::time_point since = Clock::now();
  };

  [[nodiscard]] bool may_go(const Waiting& waiting) const;
  [[nodiscard]] Worker* best_worker(const Waiting& waiting);
  [[nodiscard]] std::optional<int> gpu_for_another(const Waiting& waiting);
  [[nodiscard]] unsigned jobs_on(int gpu) const;
  [[nodiscard]] Worker& reserve(const Waiting& waiting, std::unique_lock<std::mutex>& lock);
  void start(Worker& worker, std::unique_lock<std::mutex>& lock);

  std::string description_;
  unsigned most_jobs_;
  std::size_t most_gpus_ = 1;
  unsigned lanes_ = 1;  // lanes of each process
  std::mutex mutex_;
  std::condition_variable returned_;
  unsigned jobs_ = 0;
  std::vector<int> gpus_;  // numbers of the GPUs of the model
  std::list<Worker> workers_;
  std::list<const Waiting*> queue_;
};

}  // namespace warpcheck::device::cuda
