#include "runtime/event_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <mutex>
#include <utility>

#include "runtime/interpreter.hpp"
#include "runtime/postponed.hpp"
#include "runtime/runtime.hpp"

namespace warpcheck::runtime {
namespace {

std::string key_of(const SourcePlace& place) {
  return fmt::format("{}:{}:{}", place.file, place.line, place.line != 0 ? 0 : place.ptx_line);
}

/// The places of a finding. Another schedule may exchange the accesses of a race.
std::string places_of(const Finding& finding) {
  std::string first = key_of(finding.source);
  if (!finding.other) return first;
  std::string second = key_of(finding.other->source);
  if (second < first) std::swap(first, second);
  return first + second;
}

std::string key_of(const HostStack& stack) {
  std::string key;
  for (const HostFrame& frame : stack) {
    key += fmt::format("{}+{}:{}:{},", frame.object, frame.offset, frame.file, frame.line);
  }
  return key;
}

/// Findings with the same key are equal.
std::string key_of(const FindingEvent& event, const Finding& finding) {
  std::string key = fmt::format("{} {} {} {}", name(finding.kind), name(finding.grade),
                                event.kernel, places_of(finding));
  if (finding.source.ptx_line == 0) key += key_of(event.stack);
  return key;
}

constexpr const char* kAllowed = " allowed";  // ends the keys of findings that a test allows

}  // namespace

EventLog::EventLog(const std::string& path)
    : file_(path.empty() ? dup(STDERR_FILENO)
                         : open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {}

void EventLog::write(const Event& event) const {
  const std::string line = to_json(event) + "\n";
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(file_, line.data() + written, line.size() - written);
    if (count <= 0) return;  // there is no other place to report it
    written += static_cast<std::size_t>(count);
  }
}

bool EventLog::is_new(const std::string& key, EventId& id) {
  const auto [known, added] = numbers_.emplace(key, numbers_.size() + 1);
  id = {getpid(), known->second};
  occurred_.insert(known->second);
  return added;
}

template <typename StackEvent>
void EventLog::write_with_calls(StackEvent event) const {
  if (!has_interpreter() || !can_postpone()) {
    write(event);
    return;
  }
  postpone([this, event = std::move(event)]() mutable {
    event.stack = with_interpreter_calls(std::move(event.stack), interpreter_calls());
    write(event);
  });
}

/// Findings of wrong calls with equal frames of the host differ by the calls of the interpreter.
void EventLog::write_once(FindingEvent event) {
  const bool needs_calls = event.finding.source.ptx_line == 0;
  if (!needs_calls || !has_interpreter() || !can_postpone()) {
    if (!write_new(std::move(event))) ++repeated_;
    return;
  }
  postpone([this, event = std::move(event)]() mutable {
    event.stack = with_interpreter_calls(std::move(event.stack), interpreter_calls());
    const std::lock_guard lock(Runtime::instance().mutex());
    if (!write_new(std::move(event))) ++repeated_;
  });
}

bool EventLog::write_new(FindingEvent event) {
  event.test = test_.name;
  event.is_allowed = test_.allowed.contains(event.finding.kind);
  const std::string suffix = event.is_allowed ? kAllowed : "";
  if (!is_new(key_of(event, event.finding) + suffix, event.id)) return false;
  for (const Finding& other : event.finding.same_cause) {
    numbers_.emplace(key_of(event, other) + suffix, event.id.number);
  }
  write_with_calls(std::move(event));
  return true;
}

void EventLog::write_repeated(FindingEvent event) {
  if (event.finding.source.ptx_line == 0) {  // its key needs the calls of the interpreter
    write_once(std::move(event));
    return;
  }
  const std::string key = key_of(event, event.finding);
  if (numbers_.contains(key) || numbers_.contains(key + kAllowed)) write_new(std::move(event));
}

void EventLog::write_once(UnsupportedEvent event) {
  std::string key = fmt::format("unsupported {} {}", event.what.form, key_of(event.what.source));
  if (event.what.source.ptx_line == 0) key += event.what.reason;
  is_new(key, event.id) ? write_with_calls(std::move(event)) : void(++repeated_);
}

std::set<std::uint64_t> EventLog::take_occurred() { return std::exchange(occurred_, {}); }

}  // namespace warpcheck::runtime
