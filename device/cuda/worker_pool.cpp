#include "device/cuda/worker_pool.hpp"

#include <algorithm>

namespace warpcheck::device::cuda {
namespace {

// Initialising a driver takes about a second, on machines with many GPUs several seconds.
constexpr std::chrono::seconds kStartTimeout{60};

constexpr unsigned kWorkersPerGpu = 4;
constexpr std::chrono::milliseconds kLeaseTimeout{500};

}  // namespace

WorkerPool::WorkerPool(int ordinal, unsigned workers) {
  idle_.push_back(start(ordinal));
  description_ = idle_.front()->description();
  for (int gpu = 0; gpu < 64; ++gpu) {
    if ((idle_.front()->gpus_of_model() >> gpu & 1U) != 0) workers_[gpu] = 0;
  }
  workers_[ordinal] = 1;
  workers = std::max(1U, workers);
  gpus_ = std::min(static_cast<unsigned>(workers_.size()), workers);
  free_ = std::min(workers, gpus_ * kWorkersPerGpu);
  reserve_ = workers - free_;
}

std::unique_ptr<WorkerProcess> WorkerPool::start(int ordinal) const {
  return std::make_unique<WorkerProcess>(ordinal, kStartTimeout);
}

WorkerPool::Lease::Lease(WorkerPool& pool) : pool_(pool) {
  int ordinal = 0;
  {
    std::unique_lock lock(pool_.mutex_);
    const auto is_free = [this] { return pool_.free_ > 0; };
    while (!pool_.returned_.wait_for(lock, kLeaseTimeout, is_free)) {
      if (pool_.reserve_ == 0) continue;
      --pool_.reserve_;
      ++pool_.free_;
    }
    --pool_.free_;
    if (!pool_.idle_.empty()) {
      worker_ = std::move(pool_.idle_.back());
      pool_.idle_.pop_back();
      return;
    }
    const auto fewest =
        std::min_element(pool_.workers_.begin(), pool_.workers_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    ordinal = fewest->first;
    ++fewest->second;
  }
  try {
    worker_ = pool_.start(ordinal);
  } catch (...) {
    const std::lock_guard lock(pool_.mutex_);
    --pool_.workers_[ordinal];
    ++pool_.free_;
    pool_.returned_.notify_one();
    throw;
  }
}

void WorkerPool::Lease::discard() {
  if (worker_ == nullptr) return;
  const std::lock_guard lock(pool_.mutex_);
  --pool_.workers_[worker_->ordinal()];
  worker_.reset();
}

WorkerPool::Lease::~Lease() {
  const std::lock_guard lock(pool_.mutex_);
  ++pool_.free_;
  if (worker_ != nullptr) pool_.idle_.push_back(std::move(worker_));
  pool_.returned_.notify_one();
}

}  // namespace warpcheck::device::cuda
