#include "device/cuda/worker_pool.hpp"

#include <algorithm>

namespace warpcheck::device::cuda {
namespace {

// Initialising a driver takes a second or so, on machines with many GPUs several.
constexpr std::chrono::seconds kStartPatience{60};

}  // namespace

WorkerPool::WorkerPool(int ordinal, unsigned workers)
    : ordinal_(ordinal), free_(std::max(1U, workers)) {
  idle_.push_back(start());
  description_ = idle_.front()->description();
}

std::unique_ptr<WorkerProcess> WorkerPool::start() const {
  return std::make_unique<WorkerProcess>(ordinal_, kStartPatience);
}

WorkerPool::Lease::Lease(WorkerPool& pool) : pool_(pool) {
  {
    std::unique_lock lock(pool_.mutex_);
    pool_.returned_.wait(lock, [this] { return pool_.free_ > 0; });
    --pool_.free_;
    if (!pool_.idle_.empty()) {
      worker_ = std::move(pool_.idle_.back());
      pool_.idle_.pop_back();
      return;
    }
  }
  try {
    worker_ = pool_.start();
  } catch (...) {
    const std::lock_guard lock(pool_.mutex_);
    ++pool_.free_;
    pool_.returned_.notify_one();
    throw;
  }
}

WorkerPool::Lease::~Lease() {
  const std::lock_guard lock(pool_.mutex_);
  ++pool_.free_;
  if (worker_ != nullptr) pool_.idle_.push_back(std::move(worker_));
  pool_.returned_.notify_one();
}

}  // namespace warpcheck::device::cuda
