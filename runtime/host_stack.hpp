// The call stack of the host.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "runtime/events/event.hpp"

namespace warpcheck::runtime {

/// The calls that lead here, without those inside of this library.
[[nodiscard]] HostStack host_stack();
/// The same in a handler of a signal, which interrupted the program at `instruction`.
[[nodiscard]] HostStack host_stack(const void* instruction);

/// The function of a library of NVIDIA that contains the address, and that the program has called:
/// "cufftPlan1d of libcufft.so.12", or the library alone. Empty: the address belongs to no such
/// library.
[[nodiscard]] std::string called_library_function(const void* address);
inline constexpr const char* kMachineCode =
    "the library contains machine code, and warpcheck executes PTX";

/// Stacks of calls of the runtime, each stored once.
class StackTable {
 public:
  /// The id of host_stack(), from 1. The calls of the Python interpreter are added to it when the
  /// call of the runtime ends.
  [[nodiscard]] std::uint64_t add_current();
  [[nodiscard]] HostStack at(std::uint64_t id) const;  // empty: not known
  /// The same number for ids of equal stacks.
  [[nodiscard]] std::uint64_t first_equal(std::uint64_t id);

 private:
  struct Entry {
    std::uint64_t stack = 0;  // index in stacks_
    std::uint64_t calls = 0;  // calls of the interpreter; 0: none

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  [[nodiscard]] std::uint64_t stack_index();
  [[nodiscard]] std::uint64_t add(const HostStack& stack);

  std::map<std::vector<void*>, std::uint64_t> indices_;  // keyed by return addresses
  std::vector<HostStack> stacks_;
  std::vector<std::uint64_t> hashes_;
  std::deque<Entry> entries_;
  std::map<Entry, std::uint64_t> first_;  // the first id of an entry
};

}  // namespace warpcheck::runtime
