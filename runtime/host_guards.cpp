#include "runtime/host_guards.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "runtime/runtime.hpp"

namespace warpcheck::runtime {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr unsigned kMostRepeats = 64;

/// Pauses of all threads.
std::atomic<unsigned> pauses = 0;

std::uint64_t page_before(std::uint64_t address) { return address / kPageBytes * kPageBytes; }
std::uint64_t page_after(std::uint64_t address) { return page_before(address + kPageBytes - 1); }

/// Disjoint ranges in ascending order, from those of which `counts` is true.
template <typename Counts>
std::vector<std::pair<std::uint64_t, std::uint64_t>> united(const std::vector<WorkAccess>& pending,
                                                            Counts counts) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const WorkAccess& one : pending) {
    if (!counts(one)) continue;
    if (!ranges.empty() && one.begin <= ranges.back().second) {
      ranges.back().second = std::max(ranges.back().second, one.end);
    } else {
      ranges.emplace_back(one.begin, one.end);
    }
  }
  return ranges;
}

/// Reports that the host accesses memory of work for which it has not waited. `access`: "the host
/// reads", `bytes` bytes at `address`.
void report_host_access(Runtime& runtime, const std::string& access, bool writes,
                        std::uint64_t address, std::size_t bytes, const WorkAccess& earlier,
                        HostStack stack) {
  const auto found = runtime.session().containing(address);
  if (!found) return;
  const device::AllocationInfo& memory = *found;
  const StreamWork& work = runtime.order().work(earlier.work);
  const auto offset = static_cast<std::ptrdiff_t>(address - memory.address);
  FindingEvent event;
  event.finding.kind = FindingClass::race;
  event.finding.message = fmt::format(
      "{} {} of {}, which {} {}: the host does not wait for it", access,
      bytes == 1
          ? fmt::format("byte {}", offset)
          : fmt::format("bytes {} to {}", offset, offset + static_cast<std::ptrdiff_t>(bytes) - 1),
      memory.name, describe(work), earlier.kinds.write ? "writes" : "reads");
  event.finding.memory =
      MemoryPlace{memory.name, offset, static_cast<unsigned>(bytes), writes, memory.bytes};
  event.stack = std::move(stack);
  event.related = runtime.stacks_of(memory.name);
  event.related.insert(event.related.begin(),
                       {work.name + " called by", runtime.stacks().at(work.stack)});
  runtime.log().write_once(event);
}

}  // namespace

HostGuards& HostGuards::instance() {
  static auto* const guards = new HostGuards();
  return *guards;
}

HostGuards::Pause::Pause() {
  if (pauses++ == 0) instance().compare(Runtime::instance());
}

HostGuards::Pause::~Pause() {
  if (pauses == 1) instance().update(Runtime::instance());
  --pauses;
}

void HostGuards::watch(std::uint64_t address, std::size_t bytes, bool has_own_pages) {
  Runtime::instance().order().activate();
  watched_[address] = {bytes, has_own_pages};
}

void HostGuards::forget(std::uint64_t address) { watched_.erase(address); }

void HostGuards::protect(const Guard& guard, int protection) {
  mprotect(reinterpret_cast<void*>(guard.begin), guard.end - guard.begin, protection);
}

void HostGuards::update(Runtime& runtime) {
  const std::lock_guard runtime_lock(runtime.mutex());
  const std::uint64_t changes = runtime.order().changes();
  if (changes == updated_at_ && !any_lifted_) return;
  updated_at_ = changes;
  std::vector<Guard> wanted = guards_for(runtime);
  if (!wanted.empty()) install_handler();
  const std::lock_guard lock(mutex_);
  const auto is_among = [](const std::vector<Guard>& all, const Guard& guard) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Guard& one) { return one.is_same(guard) && !one.lifted; });
  };
  for (const Guard& guard : guards_) {
    if (!guard.lifted && !is_among(wanted, guard)) protect(guard, PROT_READ | PROT_WRITE);
  }
  for (const Guard& guard : wanted) {
    if (!is_among(guards_, guard)) protect(guard, guard.allows_reads ? PROT_READ : PROT_NONE);
  }
  guards_ = std::move(wanted);
  any_lifted_ = false;
  take_snapshots(runtime);
}

template <typename Take>
bool HostGuards::for_each_pending(Runtime& runtime, Take take) const {
  constexpr std::size_t kMostRanges = 1024;  // most ranges of accesses; more are too slow
  for (const auto& [address, memory] : watched_) {
    std::vector<WorkAccess> pending = runtime.order().pending(address, memory.bytes, kMostRanges);
    // The kernel may inform the host by a volatile or atomic store that its results are there.
    if (std::any_of(pending.begin(), pending.end(),
                    [](const WorkAccess& one) { return one.kinds.strong_write; })) {
      return false;
    }
    std::erase_if(pending, [&](const WorkAccess& one) { return reported_.contains(one.work); });
    take(address, memory, pending);
  }
  return true;
}

std::vector<HostGuards::Guard> HostGuards::guards_for(Runtime& runtime) const {
  std::vector<Guard> guards;
  const bool known = for_each_pending(runtime, [&](std::uint64_t address, const Watched& memory,
                                                   const std::vector<WorkAccess>& pending) {
    add_guards(guards, address, address + memory.bytes, memory.has_own_pages, pending);
  });
  return known ? guards : std::vector<Guard>();
}

/// Copies only the parts of pages that no guard protects.
void HostGuards::take_snapshots(Runtime& runtime) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // most bytes; more are too slow
  snapshots_.clear();
  std::size_t total = 0;
  const auto add = [&](const WorkAccess& access, std::uint64_t begin, std::uint64_t end) {
    if (begin >= end || total + (end - begin) > kMostBytes) return;
    total += end - begin;
    Snapshot& added = snapshots_.emplace_back(Snapshot{access, {}});
    added.access.begin = begin;
    added.access.end = end;
    const auto* const bytes = reinterpret_cast<const std::byte*>(begin);
    added.bytes.assign(bytes, bytes + (end - begin));
  };
  const auto add_unguarded = [&](const WorkAccess& access) {
    std::uint64_t begin = access.begin;
    for (const Guard& guard : guards_) {  // guards of one allocation are in ascending order
      if (guard.end <= begin || guard.begin >= access.end) continue;
      add(access, begin, guard.begin);
      begin = guard.end;
    }
    add(access, begin, access.end);
  };
  const bool known = for_each_pending(
      runtime, [&](std::uint64_t, const Watched&, const std::vector<WorkAccess>& pending) {
        std::for_each(pending.begin(), pending.end(), add_unguarded);
      });
  if (!known) snapshots_.clear();
}

void HostGuards::compare(Runtime& runtime) {
  const std::lock_guard runtime_lock(runtime.mutex());
  if (getpid() != runtime.process()) return;  // a child of fork() has its own memory
  for (const Snapshot& taken : snapshots_) {
    const auto* const now = reinterpret_cast<const std::byte*>(taken.access.begin);
    const auto [first, at] = std::mismatch(taken.bytes.begin(), taken.bytes.end(), now);
    if (first == taken.bytes.end() || !reported_.insert(taken.access.work).second) continue;
    std::size_t last = taken.bytes.size() - 1;
    while (taken.bytes[last] == now[last]) --last;
    const auto offset = static_cast<std::size_t>(first - taken.bytes.begin());
    report_host_access(runtime, "before this call, the host writes", true,
                       taken.access.begin + offset, last - offset + 1, taken.access, host_stack());
  }
}

/// A page is protected if the device accesses all of its bytes that the program may use.
void HostGuards::add_guards(std::vector<Guard>& guards, std::uint64_t begin, std::uint64_t end,
                            bool has_own_pages, const std::vector<WorkAccess>& pending) const {
  const auto add = [&](const auto& ranges, bool allows_reads) {
    for (const auto& [first, last] : ranges) {
      const std::uint64_t from =
          has_own_pages && first == begin ? page_before(first) : page_after(first);
      const std::uint64_t to = has_own_pages && last == end ? page_after(last) : page_before(last);
      if (from < to) guards.push_back({from, to, allows_reads});
    }
  };
  const auto writes = united(pending, [](const WorkAccess& one) { return one.kinds.write; });
  add(writes, false);
  if (writes.empty())
    add(united(pending, [](const WorkAccess& one) { return one.kinds.read; }), true);
}

bool HostGuards::lift(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  for (Guard& guard : guards_) {
    if (address < guard.begin || address >= guard.end) continue;
    // Another thread may have lifted it just now.
    repeats_ = guard.lifted && address == repeated_address_ ? repeats_ + 1 : 0;
    repeated_address_ = address;
    if (repeats_ > kMostRepeats) return false;
    protect(guard, PROT_READ | PROT_WRITE);
    guard.lifted = true;
    any_lifted_ = true;
    return true;
  }
  return false;
}

void HostGuards::report(std::uint64_t address, bool writes, const void* instruction) {
  Runtime& runtime = Runtime::instance();
  if (getpid() != runtime.process()) return;  // a child of fork() has its own memory
  const std::lock_guard lock(runtime.mutex());
  for (const WorkAccess& one : runtime.order().pending(address, 1, 1)) {
    if (!one.kinds.write && !(writes && one.kinds.read)) continue;
    if (!reported_.insert(one.work).second) continue;
    report_host_access(runtime, writes ? "the host writes" : "the host reads", writes, address, 1,
                       one, host_stack(instruction));
    return;
  }
}

void HostGuards::on_fault(int signal, siginfo_t* info, void* context) {
  constexpr greg_t kWriteAccess = 2;  // bit of the error code of a page fault
  const int error = errno;
  HostGuards& guards = instance();
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const bool is_paused = pauses != 0;
  if (!guards.lift(address)) {
    guards.pass_on(signal, info, context);
  } else if (!is_paused) {
    guards.report(address, (registers[REG_ERR] & kWriteAccess) != 0,
                  reinterpret_cast<const void*>(registers[REG_RIP]));
  }
  errno = error;
}

/// The program may have installed a handler of its own, which gets all other faults.
void HostGuards::install_handler() {
  struct sigaction now = {};
  sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == &on_fault) return;
  before_ = now;
  struct sigaction own = {};
  own.sa_sigaction = &on_fault;
  own.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&own.sa_mask);
  sigaction(SIGSEGV, &own, nullptr);
}

void HostGuards::pass_on(int signal, siginfo_t* info, void* context) const {
  if ((before_.sa_flags & SA_SIGINFO) != 0) {
    before_.sa_sigaction(signal, info, context);
  } else if (before_.sa_handler != SIG_DFL && before_.sa_handler != SIG_IGN) {
    before_.sa_handler(signal);
  } else {
    sigaction(signal, &before_, nullptr);  // the access is repeated, and ends the program
  }
}

}  // namespace warpcheck::runtime
