// Writes the events of this process to the file that the command reads.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "runtime/events/event.hpp"

namespace warpcheck::runtime {

/// Each event is written at once, by one call of write(), so that it is complete if the program
/// then crashes, and other processes may write to the same file.
class EventLog {
 public:
  /// An empty path: events are written to the standard error.
  explicit EventLog(const std::string& path);

  void write(const Event& event) const;

  /// Writes a finding, unless an equal one of the same kernel and places was written before.
  void write_once(const FindingEvent& event);
  void write_once(const UnsupportedEvent& event);

  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }

 private:
  [[nodiscard]] bool is_new(std::string key);

  int file_;
  std::set<std::string> keys_;
  std::uint64_t repeated_ = 0;
};

}  // namespace warpcheck::runtime
