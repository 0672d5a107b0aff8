#include "tests/device/virtual/checks/race_model.hpp"

#include <algorithm>

namespace warpcheck::checks {
namespace {

constexpr std::array kScopes = {Scope::block, Scope::device};

constexpr std::size_t index(Scope scope) { return static_cast<std::size_t>(scope); }

constexpr unsigned block_of(unsigned thread) { return thread / kThreadsOfModelBlock; }

}  // namespace

RaceModel::RaceModel() : threads_(kModelThreads) {
  for (unsigned thread = 0; thread < kModelThreads; ++thread) threads_[thread].clock[thread] = 1;
}

void RaceModel::join(Clock& into, const Clock& from) {
  for (unsigned i = 0; i < kModelThreads; ++i) into[i] = std::max(into[i], from[i]);
}

void RaceModel::join(Scoped& into, const Scoped& from) {
  for (const Scope scope : kScopes) join(into[index(scope)], from[index(scope)]);
}

void RaceModel::access(std::size_t byte, const Event& event, unsigned thread, bool looks) {
  Record now{event, thread, threads_[thread].clock[thread], {}};
  std::vector<Record>& records = records_[byte];
  for (std::size_t i = 0; i < records.size() && !racing_.contains(byte); ++i) {
    const Record& earlier = records[i];
    if (!earlier.event.write && !event.write) continue;
    if (earlier.event.strong && event.strong && in_scope(earlier.event, event)) continue;
    if (happens_before(earlier, thread) || observed_before(byte, i, thread)) continue;
    racing_.insert(byte);
  }
  if (looks) return;
  const bool reads = !event.write || event.observes;
  if (event.strong && reads) now.observed = observed_writes(byte, event);
  records.push_back(now);
}

bool RaceModel::in_scope(const Event& a, const Event& b) {
  return a.block == b.block || (a.scope == Scope::device && b.scope == Scope::device);
}

bool RaceModel::happens_before(const Record& earlier, unsigned thread) const {
  return earlier.thread == thread || earlier.count < threads_[thread].clock[earlier.thread];
}

/// The last strong write and, if it is an atomic, those whose value led to it: each one and the
/// next are morally strong (PTX ISA 8.9.2).
std::vector<std::size_t> RaceModel::observed_writes(std::size_t byte, const Event& reader) const {
  std::vector<std::size_t> writes;
  const std::vector<Record>& records = records_.at(byte);
  const Event* next = &reader;
  for (std::size_t i = records.size(); i-- > 0;) {
    const Event& write = records[i].event;
    if (!write.write) continue;
    if (!write.strong || !in_scope(write, *next)) break;
    writes.push_back(i);
    next = &write;
    if (!write.update) break;
  }
  return writes;
}

/// True if a strong read that observed the write happens before the thread's next access (PTX ISA
/// 8.9.5, rule 2).
bool RaceModel::observed_before(std::size_t byte, std::size_t write, unsigned thread) const {
  const std::vector<Record>& all = records_.at(byte);
  return std::any_of(all.begin(), all.end(), [&](const Record& reader) {
    return std::count(reader.observed.begin(), reader.observed.end(), write) != 0 &&
           happens_before(reader, thread);
  });
}

/// The clock of a thread and its own accesses so far.
RaceModel::Clock RaceModel::clock_upto(unsigned thread) const {
  Clock clock = threads_[thread].clock;
  ++clock[thread];
  return clock;
}

/// An acquire of this scope. The release that was observed has a scope that includes the thread if
/// it is of the same block, or if both have the scope of the device.
void RaceModel::acquire_observed(unsigned thread, const Scoped& observed, Scope scope) {
  Clock& clock = threads_[thread].clock;
  const unsigned own = clock[thread];
  join(clock, observed[index(Scope::block)]);
  if (scope == Scope::device) join(clock, observed[index(Scope::device)]);
  clock[thread] = own;
}

void RaceModel::access_word(std::size_t number, const Event& event, const Order& order,
                            unsigned thread) {
  Thread& self = threads_[thread];
  Word& word = words_[number];
  const bool continues = word.strong && event.strong && in_scope(word.last, event);
  if (event.strong && continues && (!event.write || event.observes)) {
    Scoped observed{};
    for (const Release& release : word.releases) {
      // By the scopes of an acquire for which the release is morally strong.
      if (release.block == event.block) {
        for (const Clock& clock : release.clocks) join(observed[index(Scope::block)], clock);
      }
      join(observed[index(Scope::device)], release.clocks[index(Scope::device)]);
    }
    join(self.observed, observed);
    join(self.observed_at[number], observed);
  }
  if (event.strong && order.acquires) {
    acquire_observed(thread, self.observed_at[number], event.scope);
  }
  if (!event.write) return;
  if (!continues || !event.update) word.releases.clear();
  word.strong = event.strong;
  word.last = event;
  if (!event.strong) return;
  Scoped& own = self.released_at[number];
  if (order.releases) {
    for (const Scope scope : kScopes) {
      if (scope <= event.scope) own[index(scope)] = clock_upto(thread);
    }
  }
  Release release{event.block, self.fenced};
  join(release.clocks, own);
  word.releases.push_back(release);
  if (order.releases) ++self.clock[thread];
}

void RaceModel::fence(const Threads& threads, Scope scope) {
  for (const unsigned thread : threads) {
    Thread& self = threads_[thread];
    acquire_observed(thread, self.observed, scope);
    for (const Scope within : kScopes) {
      if (within <= scope) self.fenced[index(within)] = clock_upto(thread);
    }
    ++self.clock[thread];
  }
}

void RaceModel::synchronize(const Threads& threads) { synchronize(threads, {}); }

void RaceModel::arrive(const Threads& threads, Arrived& arrived) {
  join(arrived.clock, release(threads));
  for (const unsigned thread : threads) join(arrived.fenced, threads_[thread].fenced);
}

void RaceModel::synchronize(const Threads& waiting, const Arrived& arrived) {
  Clock all = release(waiting);
  join(all, arrived.clock);
  Scoped fenced = arrived.fenced;
  Scoped observed{};
  for (const unsigned thread : waiting) {
    join(fenced, threads_[thread].fenced);
    join(observed, threads_[thread].observed);
  }
  for (const unsigned thread : waiting) {
    threads_[thread].fenced = fenced;
    threads_[thread].observed = observed;
  }
  acquire(waiting, all);
}

RaceModel::Clock RaceModel::release(const Threads& threads) {
  Clock all{};
  for (const unsigned thread : threads) join(all, clock_upto(thread));
  for (const unsigned thread : threads) ++threads_[thread].clock[thread];
  return all;
}

RaceModel::Clock RaceModel::release_fenced(const Threads& threads) const {
  Clock all{};
  for (const unsigned thread : threads) join(all, threads_[thread].fenced[index(Scope::device)]);
  return all;
}

void RaceModel::acquire(const Threads& threads, const Clock& from) {
  for (const unsigned thread : threads) {
    Clock& clock = threads_[thread].clock;
    const unsigned own = clock[thread];
    join(clock, from);
    clock[thread] = std::max(own, clock[thread]);
  }
}

}  // namespace warpcheck::checks
