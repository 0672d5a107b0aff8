// The call stack of the host.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/events/event.hpp"

namespace warpcheck::runtime {

/// The calls that lead here, without those inside of this library.
[[nodiscard]] HostStack host_stack();
/// The same in a handler of a signal, which interrupted the program at `instruction`.
[[nodiscard]] HostStack host_stack(const void* instruction);

/// Stacks of the calls that allocate, each stored once.
class StackTable {
 public:
  [[nodiscard]] std::uint64_t add_current();                  // the id of host_stack(), from 1
  [[nodiscard]] const HostStack& at(std::uint64_t id) const;  // empty: not known

 private:
  [[nodiscard]] std::uint64_t add(const HostStack& stack);

  std::map<std::vector<void*>, std::uint64_t> ids_;  // keyed by return addresses
  std::vector<HostStack> stacks_;
  std::vector<std::uint64_t> hashes_;
};

}  // namespace warpcheck::runtime
