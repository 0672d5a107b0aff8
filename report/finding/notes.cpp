#include "report/finding/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/finding/message.hpp"

namespace warpcheck::report {
namespace {

std::string condition_text(const campaign::FailureCondition& condition) {
  return fmt::format("fails unless {}, in all {} failing and {} passing cases", condition.text,
                     condition.failing, condition.passing);
}

/// "4-byte element 3 of tile_a".
std::string element_text(const MemoryPlace& memory) {
  const auto bytes = static_cast<std::ptrdiff_t>(std::max<std::size_t>(memory.bytes, 1));
  return memory.offset % bytes == 0
             ? fmt::format("{}-byte element {} of {}", bytes, memory.offset / bytes, memory.name)
             : fmt::format("{} bytes at byte {} of {}", bytes, memory.offset, memory.name);
}

std::string_view absence_text(AbsentLane::Reason reason) {
  switch (reason) {
    case AbsentLane::Reason::no_thread:
      return "which does not exist in this block";
    case AbsentLane::Reason::exited:
      return "which has exited";
    case AbsentLane::Reason::not_in_mask:
      return "which is not in the mask of the shuffle";
  }
  return "";
}

std::string origin_text(const Origin& origin, const SourcePlace& finding) {
  if (origin.source.facts.completion == device::Completion::warpgroup_group) {
    return line_text(origin.source, finding) + " multiplies elements that have no value";
  }
  if (origin.lane) {
    return fmt::format("{} shuffles the value of lane {}, {}", line_text(origin.source, finding),
                       origin.lane->lane, absence_text(origin.lane->reason));
  }
  if (!origin.memory) {
    return fmt::format("{} uses a variable that has no value", line_text(origin.source, finding));
  }
  return fmt::format("{} loads the undefined value from {}{}", line_text(origin.source, finding),
                     element_text(*origin.memory),
                     origin.written ? "" : ", to which no thread has stored a value");
}

/// The message of the finding describes the threads that wait.
std::string exit_text(const ThreadGroup& group, const SourcePlace& finding) {
  return fmt::format("thread {} of block {} left the kernel at {}", triple(group.first.thread),
                     triple(group.first.block), line_text(group.source, finding));
}

std::string same_cause_text(const Finding& finding) {
  if (finding.kind != FindingClass::race || !finding.other || !finding.memory) {
    return "as a consequence, " + message_text(finding);
  }
  return fmt::format("the same barrier is missing for {}, between {}", finding.memory->name,
                     unordered_lines(finding));
}

}  // namespace

std::string line_text(const SourcePlace& source, const SourcePlace& finding) {
  if (source.line == 0) return fmt::format("PTX line {}", source.ptx_line);
  if (source.file == finding.file) return fmt::format("line {}", source.line);
  const std::string name = std::filesystem::path(source.file).filename().string();
  return fmt::format("line {} of {}", source.line, name);
}

std::string event_text(const WaitEvent& event) {
  switch (event.kind) {
    case WaitEvent::Kind::none:
      return "";
    case WaitEvent::Kind::barrier:
      return fmt::format("barrier {}", event.barrier);
    case WaitEvent::Kind::cluster_barrier:
      return "the barrier of the cluster";
    case WaitEvent::Kind::warpgroup_products:
      return "the products of its warpgroup";
    case WaitEvent::Kind::change:
      return "a change of " + element_text(event.memory);
    case WaitEvent::Kind::mbarrier:
      return fmt::format("a change of the mbarrier object at byte {} of {}", event.memory.offset,
                         event.memory.name);
  }
  return "";
}

std::string unordered_lines(const Finding& race) {
  const bool exchanged = race.missing && race.missing->exchanged;
  const SourcePlace& first = race.other->source;
  const SourcePlace& second = race.source;
  return fmt::format("{} and {}{}", line_text(exchanged ? second : first, race.source),
                     line_text(exchanged ? first : second, race.source),
                     race.missing && race.missing->next_iteration ? " of the next iteration" : "");
}

std::vector<std::string> evidence_notes(const campaign::FindingReport& report) {
  std::vector<std::string> notes;
  if (report.condition) notes.push_back(condition_text(*report.condition));
  const Finding& finding = report.finding;
  if (finding.origin) notes.push_back(origin_text(*finding.origin, finding.source));
  for (const ThreadGroup& group : finding.groups) {
    const bool is_known = group.source.line != 0 || group.source.ptx_line != 0;
    if (group.state == ThreadGroup::State::exited && is_known)
      notes.push_back(exit_text(group, finding.source));
  }
  for (const Finding& other : finding.same_cause) notes.push_back(same_cause_text(other));
  if (!report.fully_shrunk) {
    notes.emplace_back(kNotFullyShrunk);
  }
  return notes;
}

}  // namespace warpcheck::report
