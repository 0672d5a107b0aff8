#include "report/finding/hang_text.hpp"

#include <fmt/format.h>

#include <bit>
#include <string_view>

namespace warpcheck::report {
namespace {

/// "lanes 0 to 3, 8".
std::string lanes_text(std::uint32_t lanes) {
  std::string text;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const unsigned last = lane + static_cast<unsigned>(std::countr_one(lanes >> lane)) - 1;
    if (!text.empty()) text += ", ";
    text += last == lane ? fmt::format("{}", lane) : fmt::format("{} to {}", lane, last);
    lane = last;
  }
  return (std::popcount(lanes) == 1 ? "lane " : "lanes ") + text;
}

std::string missing_text(const MissingLanes& missing) {
  const std::string lanes = fmt::format(" for {} of their warp", lanes_text(missing.lanes));
  switch (missing.state) {
    case MissingLanes::State::runs:
      return fmt::format("{}, which run at {}", lanes, line_of(missing.at));
    case MissingLanes::State::waits:
      return fmt::format("{}, which wait at {}", lanes, line_of(missing.at));
    case MissingLanes::State::elsewhere:
      break;
  }
  return lanes + ", which have ended or are not in step";
}

/// "line 65 (ld.volatile.global.u32), called from line 45".
std::string place_text(const SourcePlace& place) {
  const std::string operation = place.instruction.substr(0, place.instruction.find_first_of(" \t"));
  const std::string text = fmt::format("{} ({})", line_of(place), operation);
  if (place.calls.empty() || place.calls.front().line == 0) return text;
  return fmt::format("{}, called from line {},", text, place.calls.front().line);
}

/// "1 arrival and 2048 bytes".
std::string missing_of_phase(const WaitEvent& event) {
  const std::string_view arrivals = event.expected == 1 ? "arrival" : "arrivals";
  if (event.bytes == 0) return fmt::format("{} {}", event.expected, arrivals);
  if (event.expected == 0) return fmt::format("{} bytes", event.bytes);
  return fmt::format("{} {} and {} bytes", event.expected, arrivals, event.bytes);
}

/// "4-byte element 0 of out stays 1".
std::string poll_text(const WaitEvent& event) {
  const MemoryPlace& memory = event.memory;
  if (event.kind == WaitEvent::Kind::mbarrier) {
    return fmt::format("the mbarrier object at byte {} of {} stays in phase {}, which misses {}",
                       memory.offset, memory.name, event.value, missing_of_phase(event));
  }
  return fmt::format("{}-byte element {} of {} stays {}", memory.bytes,
                     memory.offset / static_cast<std::ptrdiff_t>(memory.bytes), memory.name,
                     event.value);
}

std::string polls_text(const ThreadGroup& group) {
  std::string text = poll_text(group.waits_for);
  const bool has_more = !group.also.empty() || group.polls_more;
  if (group.others_alike) text += has_more ? ", or others likewise," : ", or others likewise";
  for (const WaitEvent& event : group.also) text += " and " + poll_text(event);
  return group.polls_more ? text + " and others stay as they are" : text;
}

std::string event_of(const ThreadGroup& group) {
  const WaitEvent& event = group.waits_for;
  switch (event.kind) {
    case WaitEvent::Kind::none:
      return group.lanes ? missing_text(*group.lanes) : "";
    case WaitEvent::Kind::barrier:
      return fmt::format(" for barrier {}, to which {} of {} have come", event.barrier,
                         event.arrived, event.expected);
    case WaitEvent::Kind::cluster_barrier:
      return fmt::format(" for the barrier of the cluster, to which {} of {} threads have come",
                         event.arrived, event.expected);
    case WaitEvent::Kind::warpgroup_products:
      return fmt::format(" for the products of a warpgroup, {} of whose {} threads have come",
                         event.arrived, event.expected);
    case WaitEvent::Kind::change:
    case WaitEvent::Kind::mbarrier:
      return " while " + polls_text(group);
  }
  return "";
}

std::string group_text(const ThreadGroup& group, bool several_blocks) {
  const bool one = group.threads == 1;
  std::string text = fmt::format("{} thread{}", group.threads, one ? "" : "s");
  if (group.blocks > 1) {
    text += fmt::format(" of {} blocks", group.blocks);
  } else if (several_blocks) {
    text += " of block " + triple(group.first.block);
  }
  const bool spins = group.state == ThreadGroup::State::spins;
  return text + fmt::format(" {}{} at {}{}", spins ? "spin" : "wait", one ? "s" : "",
                            place_text(group.source), event_of(group));
}

/// The threads of one block come to a barrier that others do not reach, which is complete all the
/// same.
std::string note_text(const Finding& finding) {
  const ThreadGroup& other = finding.groups.front();
  if (finding.grade == Grade::different_barriers) {
    return fmt::format(
        "thread {} of the block waits at this barrier and thread {} at {}, and both are complete "
        "together; CUDA C++ allows __syncthreads() in conditional code only if all threads of the "
        "block take the same branch",
        triple(finding.thread->thread), triple(other.first.thread), line_of(other.source));
  }
  return fmt::format(
      "{} of the block's {} threads {} exited before this barrier, thread {} first; since compute "
      "capability 7.0, it waits only for the others",
      other.threads, finding.hang->threads, other.threads == 1 ? "has" : "have",
      triple(other.first.thread));
}

}  // namespace

std::string hang_text(const Finding& finding) {
  if (finding.grade != Grade::failure) return note_text(finding);
  const Hang& hang = *finding.hang;
  std::string text;
  if (finding.kind == FindingClass::timeout) {
    text = "the loop repeats itself and reads no memory: ";
  } else if (finding.groups.front().state == ThreadGroup::State::spins) {
    text = "no thread that runs will change memory again: ";
  }
  bool is_first = true;
  for (const ThreadGroup& group : finding.groups) {
    if (group.state == ThreadGroup::State::exited) continue;
    if (!is_first) text += "; ";
    is_first = false;
    text += group_text(group, hang.blocks > 1);
  }
  if (hang.ended != 0 && hang.blocks == 1) {
    text += fmt::format("; {} of the block's {} threads have ended", hang.ended, hang.threads);
  }
  if (hang.not_resident != 0) {
    text += fmt::format("; {} more block{} cannot become resident before one of these {} ends",
                        hang.not_resident, hang.not_resident == 1 ? "" : "s", hang.blocks);
  }
  return text;
}

std::string budget_text(const UsedBudget& budget) {
  std::string text = fmt::format(
      "the launch was still running after {} warp instructions, its budget", budget.instructions);
  if (budget.blocks != 0) {
    text += fmt::format(": {} of {} blocks had ended", budget.ended_blocks, budget.blocks);
  }
  return text;
}

}  // namespace warpcheck::report
