// Bytes that a launch accessed in memory that other work of the device shares with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/finding.hpp"

namespace warpcheck::device {

/// A set of kinds of accesses. Strong ones are volatile, relaxed or atomic, in the scope of the
/// device at least: they do not race with one another.
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
  bool early = false;    // before griddepcontrol.wait of the block
  std::uint32_t op = 0;  // of an early access: the number of the instruction in the program
  std::shared_ptr<const SourcePlace> place = nullptr;  // of the same instruction
};

}  // namespace warpcheck::device
