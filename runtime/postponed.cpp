#include "runtime/postponed.hpp"

#include <utility>
#include <vector>

namespace warpcheck::runtime {
namespace {

struct ThreadWork {
  unsigned calls = 0;  // calls of the runtime that have not returned
  std::vector<std::function<void()>> postponed;
};

ThreadWork& thread_work() {
  thread_local ThreadWork work;
  return work;
}

}  // namespace

PostponedWork::PostponedWork() { ++thread_work().calls; }

PostponedWork::~PostponedWork() {
  ThreadWork& work = thread_work();
  if (--work.calls != 0 || work.postponed.empty()) return;
  for (const auto& one : std::exchange(work.postponed, {})) one();
}

bool can_postpone() { return thread_work().calls != 0; }

void postpone(std::function<void()> work) { thread_work().postponed.push_back(std::move(work)); }

}  // namespace warpcheck::runtime
