// Writes the events of this process to the file that the command reads.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/events/event.hpp"

namespace warpcheck::runtime {

/// A test of the program, to which findings belong.
struct ProgramTest {
  std::string name;                // empty: none is running
  std::set<FindingClass> allowed;  // classes that do not fail it
};

/// Each event is written at once, by one call of write(), so that it is complete if the program
/// then crashes, and other processes may write to the same file. An event that lacks the calls of
/// the Python interpreter is written when the call of the runtime ends.
class EventLog {
 public:
  /// An empty path: events are written to the standard error.
  explicit EventLog(const std::string& path);

  void write(const Event& event) const;

  /// Writes a finding, unless an equal one of the same kernel and places was written before.
  void write_once(FindingEvent event);
  void write_once(UnsupportedEvent event);
  /// The device found it again. Writes it only if the test that allowed it does not run any more.
  void write_repeated(FindingEvent event);

  [[nodiscard]] std::uint64_t repeated() const { return repeated_; }

  /// The test to which later events belong.
  void begin_test(ProgramTest test) { test_ = std::move(test); }
  /// The numbers of the findings and unsupported forms since the last call, also of repeated ones.
  [[nodiscard]] std::set<std::uint64_t> take_occurred();

 private:
  /// Sets the id of the event with this key. False: it was written before.
  [[nodiscard]] bool is_new(const std::string& key, EventId& id);
  bool write_new(FindingEvent event);
  /// Writes the event with the calls of the interpreter: later, if this thread is in a call.
  template <typename StackEvent>
  void write_with_calls(StackEvent event) const;

  int file_;
  std::map<std::string, std::uint64_t> numbers_;  // keyed by what makes events equal
  std::set<std::uint64_t> occurred_;
  std::uint64_t repeated_ = 0;
  ProgramTest test_;
};

}  // namespace warpcheck::runtime
