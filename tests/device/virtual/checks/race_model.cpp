#include "tests/device/virtual/checks/race_model.hpp"

#include <algorithm>

namespace warpcheck::checks {
namespace {

constexpr std::array kModelScopes = {Scope::block, Scope::cluster, Scope::device};

constexpr unsigned block_of(unsigned thread) { return thread / kThreadsOfModelBlock; }

}  // namespace

RaceModel::RaceModel() : threads_(kModelThreads) {
  for (unsigned thread = 0; thread < kModelThreads; ++thread) threads_[thread].clock[thread] = 1;
}

void RaceModel::join(Clock& into, const Clock& from) {
  for (unsigned i = 0; i < kModelThreads; ++i) into[i] = std::max(into[i], from[i]);
}

void RaceModel::join(Scoped& into, const Scoped& from) {
  for (const Scope scope : kModelScopes) join(into[index(scope)], from[index(scope)]);
}

void RaceModel::access(std::size_t byte, const Event& event, unsigned thread, bool looks) {
  Record now{event, thread, threads_[thread].clock[thread], {}};
  std::vector<Record>& records = records_[byte];
  for (std::size_t i = 0; i < records.size() && !racing_.contains(byte); ++i) {
    const Record& earlier = records[i];
    if (!earlier.event.write && !event.write) continue;
    if (are_morally_strong(earlier.event, event)) continue;
    if (happens_before(earlier, thread) || observed_before(byte, i, thread)) continue;
    racing_.insert(byte);
    sizes_raced_ |= earlier.event.strong && event.strong && earlier.event.bytes != event.bytes;
  }
  if (looks) return;
  const bool reads = !event.write || event.observes;
  if (event.strong && reads) now.observed = observed_writes(byte, event);
  records.push_back(now);
}

bool RaceModel::in_scope(const Event& a, const Event& b) {
  const bool same_cluster = cluster_of_model_block(a.block) == cluster_of_model_block(b.block);
  const auto includes = [&](const Event& from) {
    return from.scope == Scope::device || a.block == b.block ||
           (from.scope == Scope::cluster && same_cluster);
  };
  return includes(a) && includes(b);
}

/// PTX ISA 8.7.1, for accesses that overlap: each is aligned to its size.
bool RaceModel::are_morally_strong(const Event& a, const Event& b) {
  return a.strong && b.strong && a.bytes == b.bytes && in_scope(a, b);
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
    if (!are_morally_strong(write, *next)) break;
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

/// An acquire of this scope. `observed`: by the smallest scope of an acquire that includes the
/// thread of the release.
void RaceModel::acquire_observed(unsigned thread, const Scoped& observed, Scope scope) {
  Clock& clock = threads_[thread].clock;
  const unsigned own = clock[thread];
  for (const Scope within : kModelScopes) {
    if (within <= scope) join(clock, observed[index(within)]);
  }
  clock[thread] = own;
}

void RaceModel::access_word(const Word& place, const Event& event, const Order& order,
                            unsigned thread) {
  Thread& self = threads_[thread];
  for (auto& [other, content] : words_) {
    const bool overlaps =
        other.begin < place.begin + place.bytes && place.begin < other.begin + other.bytes;
    if (event.write && overlaps && !(other == place)) content = {};
  }
  Content& word = words_[place];
  const bool continues = word.strong && event.strong && in_scope(word.last, event);
  if (event.strong && continues && (!event.write || event.observes)) {
    Scoped observed{};
    for (const Release& release : word.releases) {
      // A release of a smaller scope does not include the thread.
      const Scope least =
          release.block == event.block ? Scope::block
          : cluster_of_model_block(release.block) == cluster_of_model_block(event.block)
              ? Scope::cluster
              : Scope::device;
      for (const Scope scope : kModelScopes) {
        if (scope >= least) join(observed[index(least)], release.clocks[index(scope)]);
      }
    }
    join(self.observed, observed);
    join(self.observed_at[place], observed);
  }
  if (event.strong && order.acquires) {
    acquire_observed(thread, self.observed_at[place], event.scope);
  }
  if (!event.write) return;
  if (!continues || !event.update) word.releases.clear();
  word.strong = event.strong;
  word.last = event;
  if (!event.strong) return;
  Scoped& own = self.released_at[place];
  if (order.releases) {
    for (const Scope scope : kModelScopes) {
      if (scope <= event.scope) own[index(scope)] = clock_upto(thread);
    }
  }
  Release release{event.block, self.fenced};
  join(release.clocks, own);
  word.releases.push_back(release);
  if (order.releases) ++self.clock[thread];
}

void RaceModel::fence(const Threads& threads, Scope scope, const Order& order) {
  for (const unsigned thread : threads) {
    Thread& self = threads_[thread];
    if (order.acquires) acquire_observed(thread, self.observed, scope);
    if (!order.releases) continue;
    for (const Scope within : kModelScopes) {
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
