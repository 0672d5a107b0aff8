#include "base/parallel_for.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace warpcheck {

unsigned job_count(unsigned requested) {
  if (requested != 0) return requested;
  cpu_set_t allowed;  // restricted by taskset, a container, or a Slurm job
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return static_cast<unsigned>(CPU_COUNT(&allowed));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

void run_workers(std::size_t threads, const std::function<void()>& worker) {
  std::mutex mutex;
  std::exception_ptr error;
  const auto guarded = [&] {
    try {
      worker();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(guarded);
    guarded();
  }
  if (error) std::rethrow_exception(error);
}

void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& cancelled) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::mutex mutex;
  std::size_t failed = count;
  std::exception_ptr error;
  run_workers(std::min<std::size_t>(job_count(jobs), count), [&] {
    while (!stopped) {
      const std::size_t i = next++;
      if (i >= count || (cancelled && cancelled())) return;
      try {
        work(i);
      } catch (...) {
        stopped = true;
        const std::lock_guard lock(mutex);
        if (i < failed) {
          failed = i;
          error = std::current_exception();
        }
      }
    }
  });
  if (error) std::rethrow_exception(error);
}

void for_each_row(std::size_t rows, std::size_t columns,
                  const std::function<void(std::size_t)>& work) {
  constexpr std::size_t kLarge = std::size_t{1} << 21;
  parallel_for(rows, rows * columns >= kLarge ? 0 : 1, work);
}

std::vector<std::exception_ptr> parallel_try(std::size_t count, unsigned jobs,
                                             const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> errors(count);
  parallel_for(count, jobs, [&](std::size_t i) {
    try {
      work(i);
    } catch (...) {
      errors[i] = std::current_exception();
    }
  });
  return errors;
}

}  // namespace warpcheck
