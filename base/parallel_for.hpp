// Loops whose iterations run on several threads.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

namespace warpcheck {

/// The number of threads for `requested` jobs; if that is 0, one per processor that the process may
/// use.
[[nodiscard]] unsigned job_count(unsigned requested);

/// Runs `worker` on `threads` threads at once, of which one is the calling thread, and returns when
/// all have ended. Rethrows an exception of a worker.
void run_workers(std::size_t threads, const std::function<void()>& worker);

/// Calls `work(i)` for each i below `count`, on at most job_count(jobs) threads. Indices start in
/// ascending order. No index starts after one has failed or after `cancelled` has returned true;
/// those that run are completed. Rethrows the exception of the smallest index that failed, which is
/// the same whatever the number of threads.
void parallel_for(std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work,
                  const std::function<bool()>& cancelled = {});

/// Calls `work(row)` for each row of a matrix: one after another, or on all processors if the
/// matrix is so large that the threads pay.
void for_each_row(std::size_t rows, std::size_t columns,
                  const std::function<void(std::size_t)>& work);

/// The same as parallel_for, without a stop at a failure: returns the exception of each index, null
/// where `work` returned.
[[nodiscard]] std::vector<std::exception_ptr> parallel_try(
    std::size_t count, unsigned jobs, const std::function<void(std::size_t)>& work);

}  // namespace warpcheck
