#include "runtime/event_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <utility>

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
  for (const HostFrame& frame : stack) key += fmt::format("{}+{},", frame.object, frame.offset);
  return key;
}

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

bool EventLog::is_new(std::string key) {
  const bool added = keys_.insert(std::move(key)).second;
  if (!added) ++repeated_;
  return added;
}

void EventLog::write_once(const FindingEvent& event) {
  const Finding& finding = event.finding;
  std::string key = fmt::format("{} {} {} {}", name(finding.kind), name(finding.grade),
                                event.kernel, places_of(finding));
  if (finding.source.ptx_line == 0) key += key_of(event.stack);
  if (is_new(std::move(key))) write(event);
}

void EventLog::write_once(const UnsupportedEvent& event) {
  std::string key = fmt::format("unsupported {} {}", event.what.form, key_of(event.what.source));
  if (event.what.source.ptx_line == 0) key += event.what.reason;
  if (is_new(std::move(key))) write(event);
}

}  // namespace warpcheck::runtime
