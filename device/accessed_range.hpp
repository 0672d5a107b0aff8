// Bytes that a launch accessed in memory that other work of the device shares with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/finding.hpp"

namespace warpcheck::device {

/// A set of kinds of accesses. Strong accesses are volatile, relaxed or atomic, with at least
/// device scope: they do not race with one another.
struct AccessKinds {
  bool read = false;
  bool write = false;
  bool strong_read = false;
  bool strong_write = false;

  [[nodiscard]] bool any() const { return read || write || strong_read || strong_write; }
  [[nodiscard]] bool any_write() const { return write || strong_write; }
  friend auto operator<=>(const AccessKinds&, const AccessKinds&) = default;
};

struct AccessedRange {
  std::uint64_t address = 0;
  std::size_t bytes = 0;
  AccessKinds kinds;
  bool early = false;    // no griddepcontrol.wait happens before the access
  std::uint32_t op = 0;  // instruction number of an early access in the program
  std::shared_ptr<const SourcePlace> place = nullptr;  // place of the instruction `op`
};

}  // namespace warpcheck::device
