// Events of a program that runs under `warpcheck exec`: the CUDA runtime inside the program writes
// them, one JSON object a line, and the command reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/call_stack.hpp"
#include "device/finding.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::runtime {

// Functions of the host are mangled in an event, and their files and lines are not known. Frames
// without an object are launches by threads of the device.
using device::HostFrame;
using device::HostStack;
using device::RelatedStack;

/// The number of a finding or an unsupported form in its process, by which the command replies.
struct EventId {
  std::int64_t process = 0;
  std::uint64_t number = 0;  // the first one is 1; equal events of a process have the same one

  friend auto operator<=>(const EventId&, const EventId&) = default;
};

struct FindingEvent {
  EventId id = {};
  Finding finding = {};
  std::string kernel = {};   // mangled; empty: a call of the host
  std::uint64_t launch = 0;  // number of the launch in its process, from 1; 0: none
  std::uint64_t after = 0;   // an earlier launch that was not executed to its end; 0: none
  HostStack stack = {};      // stack of the launch, or of the wrong call
  std::vector<RelatedStack> related = {};
  std::string test = {};    // the test of the program that was running; empty: none
  bool is_allowed = false;  // the test allows findings of this class
};

struct UnsupportedEvent {
  device::Unsupported what;  // an instruction of a kernel, or a function of the CUDA runtime
  std::string kernel;        // mangled; empty: a function of the runtime
  HostStack stack;
  EventId id = {};
};

/// The program cannot run here: the sentence and the exit status, 2 or 3.
struct ErrorEvent {
  std::string message;
  int status = 0;
};

/// A process loaded the runtime.
struct StartEvent {
  std::int64_t process = 0;
};

/// The launches of one kernel in a process.
struct KernelRuns {
  std::string name;  // mangled
  std::uint64_t runs = 0;
  double seconds = 0.0;
  std::uint64_t skipped = 0;  // launches that are over a budget, or excluded by the options
};

/// The calls of a function that is not supported, in a process.
struct UnsupportedCalls {
  std::string function;
  std::uint64_t calls = 0;
};

/// Totals of a process, repeated as they grow: the last ones count.
struct TotalsEvent {
  std::int64_t process = 0;
  std::uint64_t launches = 0;
  std::uint64_t skipped = 0;  // launches that the options exclude
  std::uint64_t warp_instructions = 0;
  std::uint64_t repeated = 0;  // findings that were reported before
  std::uint64_t calls = 0;     // calls of the CUDA runtime
  std::vector<KernelRuns> kernels = {};
  std::vector<UnsupportedCalls> unsupported = {};  // the first called one first
};

/// The reply of the command to a finding or an unsupported form: how it counts, and its text.
struct Reply {
  enum class Kind : std::uint8_t { finding, known, note, unsupported };

  EventId id;
  Kind kind = Kind::finding;
  std::string text;
};

using Event = std::variant<FindingEvent, UnsupportedEvent, ErrorEvent, StartEvent, TotalsEvent>;

/// One line without line feed.
[[nodiscard]] std::string to_json(const Event& event);
/// Empty if the line is not an event, for example because the program ended while it was written.
[[nodiscard]] std::optional<Event> event_from_json(std::string_view line);

[[nodiscard]] std::string to_json(const Reply& reply);
[[nodiscard]] std::optional<Reply> reply_from_json(std::string_view line);
/// "finding", "known" ...
[[nodiscard]] std::string_view name(Reply::Kind kind);

/// Adds calls of a function to a list.
void add_calls(std::vector<UnsupportedCalls>& all, const UnsupportedCalls& added);

/// True for the kernels by which libcudadevrt.a copies and fills memory. They have no source lines.
[[nodiscard]] bool is_of_device_runtime(std::string_view kernel);

}  // namespace warpcheck::runtime
