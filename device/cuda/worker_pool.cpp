#include "device/cuda/worker_pool.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <span>
#include <utility>

namespace warpcheck::device::cuda {
namespace {

using Clock = std::chrono::steady_clock;

// Initialising a driver takes about a second; on machines with many GPUs, several seconds.
constexpr std::chrono::seconds kStartTimeout{60};

constexpr unsigned kWorkersPerGpu = 4;
constexpr std::chrono::milliseconds kLongJob{500};
/// A job that has waited this long goes before later jobs that could start at once.
constexpr std::chrono::milliseconds kPatience{50};

/// Each lane has two files in this process. The usual limit is 1024 files.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min<rlim_t>(limit.rlim_max, 16384));
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

/// A process and its jobs.
struct WorkerPool::Worker {
  int gpu = 0;
  std::unique_ptr<WorkerProcess> process;  // null while the process starts
  std::uint64_t program = 0;               // program of its last job
  Company company = Company::none;         // company of its jobs
  bool ended = false;
  unsigned jobs = 0;
  std::vector<std::optional<Clock::time_point>> lanes;  // start of each lane's job

  /// True if one of its jobs takes too long.
  [[nodiscard]] bool is_slow() const {
    const Clock::time_point now = Clock::now();
    return std::ranges::any_of(
        lanes, [&](const auto& start) { return start && now - *start >= kLongJob; });
  }
  [[nodiscard]] bool serves(const Waiting& job) const {
    if (process == nullptr || ended) return false;
    if (jobs == 0) return true;
    if (company != job.company || company == Company::none) return false;
    if (company == Company::own_program && program != job.program) return false;
    return jobs < lanes.size() && !is_slow();
  }
  unsigned take_lane() {
    const auto free =
        std::ranges::find_if(lanes, [](const auto& start) { return !start.has_value(); });
    *free = Clock::now();
    ++jobs;
    return static_cast<unsigned>(free - lanes.begin());
  }
  void return_lane(unsigned lane) {
    lanes[lane].reset();
    --jobs;
  }
};

WorkerPool::WorkerPool(int ordinal, unsigned jobs) : most_jobs_(std::max(1U, jobs)) {
  raise_file_limit();
  workers_.emplace_back();
  Worker& first = workers_.front();
  first.gpu = ordinal;
  // The number of lanes depends on the number of GPUs, which this process finds.
  first.process =
      std::make_unique<WorkerProcess>(ordinal, std::min(most_jobs_, kMostLanes), kStartTimeout);
  description_ = first.process->description();
  gpus_.push_back(ordinal);
  for (int gpu = 0; gpu < 64; ++gpu) {
    const bool same_model = (first.process->gpus_of_model() >> gpu & 1U) != 0;
    if (same_model && gpu != ordinal) gpus_.push_back(gpu);
  }
  most_gpus_ = std::min<std::size_t>(gpus_.size(), most_jobs_);
  lanes_ = std::min((most_jobs_ + gpus() - 1) / gpus(), kMostLanes);
  first.lanes.resize(lanes_);
}

/// Ends the processes at once, because the driver takes long to release a GPU.
WorkerPool::~WorkerPool() {
  for (const Worker& worker : workers_) worker.process->kill();
}

unsigned WorkerPool::jobs_on(int gpu) const {
  unsigned jobs = 0;
  for (const Worker& worker : workers_) jobs += worker.gpu == gpu ? worker.jobs : 0;
  return jobs;
}

/// Returns false while another job has waited too long.
bool WorkerPool::may_go(const Waiting& waiting) const {
  const Waiting& oldest = *queue_.front();
  return &oldest == &waiting || Clock::now() - oldest.since < kPatience;
}

/// Returns a worker that can take the job, on the GPU with the fewest jobs, if possible one with
/// jobs of the program. Null if there is none.
WorkerPool::Worker* WorkerPool::best_worker(const Waiting& waiting) {
  Worker* best = nullptr;
  std::pair<unsigned, bool> least;
  for (Worker& worker : workers_) {
    if (!worker.serves(waiting)) continue;
    const std::pair rank(jobs_on(worker.gpu), worker.jobs == 0);
    if (best == nullptr || rank < least) {
      best = &worker;
      least = rank;
    }
  }
  return best;
}

/// The GPU with the fewest jobs on which another process may start.
std::optional<int> WorkerPool::gpu_for_another(const Waiting& waiting) {
  const bool all_hang = Clock::now() - waiting.since >= kLongJob;
  const unsigned most = all_hang ? most_jobs_ : kWorkersPerGpu;
  std::optional<int> best;
  for (const int gpu : std::span(gpus_).first(most_gpus_)) {
    const auto on_gpu = [&](const Worker& worker) { return worker.gpu == gpu; };
    const bool starts = std::ranges::any_of(workers_, [&](const Worker& worker) {
      return on_gpu(worker) && worker.process == nullptr;
    });
    if (starts || std::ranges::count_if(workers_, on_gpu) >= most) continue;
    if (!best || jobs_on(gpu) < jobs_on(*best)) best = gpu;
  }
  return best;
}

/// Starts the process of a worker, and meanwhile releases the lock.
void WorkerPool::start(Worker& worker, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  try {
    auto process = std::make_unique<WorkerProcess>(worker.gpu, lanes_, kStartTimeout);
    lock.lock();
    worker.process = std::move(process);
  } catch (...) {
    lock.lock();
    std::erase_if(workers_, [&](const Worker& other) { return &other == &worker; });
    returned_.notify_all();
    throw;
  }
  returned_.notify_all();
}

/// Waits for a worker that can take the job, or starts one.
WorkerPool::Worker& WorkerPool::reserve(const Waiting& waiting,
                                        std::unique_lock<std::mutex>& lock) {
  for (;; returned_.wait_for(lock, kPatience)) {
    if (jobs_ == most_jobs_ || !may_go(waiting)) continue;
    Worker* const worker = best_worker(waiting);
    const std::optional<int> gpu = gpu_for_another(waiting);
    if (gpu && (worker == nullptr || jobs_on(*gpu) < jobs_on(worker->gpu))) {
      Worker& another = workers_.emplace_back();
      another.gpu = *gpu;
      another.lanes.resize(lanes_);
      start(another, lock);
      return another;
    }
    if (worker != nullptr) return *worker;
  }
}

WorkerPool::Lease::Lease(WorkerPool& pool, std::uint64_t program, Company company) : pool_(pool) {
  std::unique_lock lock(pool_.mutex_);
  const Waiting waiting{program, company};
  const auto place = pool_.queue_.insert(pool_.queue_.end(), &waiting);
  try {
    worker_ = &pool_.reserve(waiting, lock);
  } catch (...) {
    pool_.queue_.erase(place);
    throw;
  }
  pool_.queue_.erase(place);
  ++pool_.jobs_;
  worker_->program = program;
  worker_->company = company;
  lane_ = worker_->take_lane();
}

std::span<std::byte> WorkerPool::Lease::image(std::size_t bytes) {
  return worker_->process->image(lane_, bytes);
}

WorkerProcess::Response WorkerPool::Lease::request(const Request& request,
                                                   std::chrono::milliseconds timeout) {
  return worker_->process->request(lane_, request, timeout);
}

std::string WorkerPool::Lease::take_output() { return worker_->process->take_output(); }

void WorkerPool::Lease::discard() {
  const std::lock_guard lock(pool_.mutex_);
  worker_->ended = true;
}

WorkerPool::Lease::~Lease() {
  // Destroyed after the lock is released: the destructor waits for the process.
  std::list<Worker> ended;
  const std::lock_guard lock(pool_.mutex_);
  --pool_.jobs_;
  worker_->return_lane(lane_);
  const auto at = std::ranges::find(pool_.workers_, worker_, [](Worker& one) { return &one; });
  if (worker_->ended && worker_->jobs == 0) ended.splice(ended.end(), pool_.workers_, at);
  pool_.returned_.notify_all();
}

}  // namespace warpcheck::device::cuda
