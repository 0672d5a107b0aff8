// Accesses of the host to memory that the device accesses too. The pages that work accesses for
// which the host has not waited are protected; an access of the program to one of them is a race.
// If work accesses a part of a page, the bytes are compared at the next call of the runtime: a
// change is a write of the host.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "runtime/order/stream_order.hpp"

namespace warpcheck::runtime {

class Runtime;

class HostGuards {
 public:
  /// The object is never destroyed, as the runtime.
  static HostGuards& instance();

  /// The runtime and functions that it calls may access all memory while a pause exists.
  class Pause {
   public:
    Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;
    ~Pause();
  };

  /// Adds memory of the host, `has_own_pages` if no other memory of the program lies in its pages.
  /// The runtime is locked.
  void watch(std::uint64_t address, std::size_t bytes, bool has_own_pages);
  /// The memory is freed.
  void forget(std::uint64_t address);

 private:
  struct Watched {
    std::size_t bytes = 0;
    bool has_own_pages = true;
  };
  /// Whole pages of one allocation, none of whose bytes the host may access, or write.
  struct Guard {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool allows_reads = false;
    bool lifted = false;

    [[nodiscard]] bool is_same(const Guard& other) const {
      return begin == other.begin && end == other.end && allows_reads == other.allows_reads;
    }
  };

  /// Bytes of work for which the host has not waited, in pages that are not protected.
  struct Snapshot {
    WorkAccess access;
    std::vector<std::byte> bytes;
  };

  static void on_fault(int signal, siginfo_t* info, void* context);
  void install_handler();
  void pass_on(int signal, siginfo_t* info, void* context) const;

  /// Makes the page of an address accessible. False if no guard protected it.
  [[nodiscard]] bool lift(std::uint64_t address);
  void report(std::uint64_t address, bool writes, const void* instruction);
  void update(Runtime& runtime);
  [[nodiscard]] std::vector<Guard> guards_for(Runtime& runtime) const;
  /// The accesses of the device to watched memory for which the host has not waited, and which it
  /// has not disregarded. Calls take(address, memory, accesses) for each allocation; false if the
  /// host may have learned by other means that the work is done.
  template <typename Take>
  [[nodiscard]] bool for_each_pending(Runtime& runtime, Take take) const;
  void add_guards(std::vector<Guard>& guards, std::uint64_t begin, std::uint64_t end,
                  bool has_own_pages, const std::vector<WorkAccess>& pending) const;
  static void protect(const Guard& guard, int protection);
  void compare(Runtime& runtime);
  void take_snapshots(Runtime& runtime);

  std::map<std::uint64_t, Watched> watched_;  // keyed by address
  std::mutex mutex_;  // protects guards_, which a thread that executes a kernel may change
  std::vector<Guard> guards_;
  std::vector<Snapshot> snapshots_;
  std::uint64_t updated_at_ = 0;  // StreamOrder::changes()
  bool any_lifted_ = false;
  std::set<WorkNumber> reported_;
  struct sigaction before_ = {};
  std::uint64_t repeated_address_ = 0;
  unsigned repeats_ = 0;
};

}  // namespace warpcheck::runtime
