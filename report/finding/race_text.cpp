#include "report/finding/race_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text/demangle.hpp"

namespace warpcheck::report {
namespace {

/// "thread (3, 0, 0)", with its block if the accesses are of different blocks, and with its kernel
/// if they are of different grids.
std::string thread_of(const ThreadPlace& place, const Race& race, const RacingGrid* grid) {
  std::string text = "thread " + triple(place.thread);
  if (race.two_blocks) text += " of block " + triple(place.block);
  if (grid != nullptr) text += " of " + demangle(grid->kernel);
  return text;
}

/// "writes 4-byte element 3 of tile": values of more than 4 bytes have several elements.
std::string access_text(const MemoryPlace& memory) {
  const auto width = static_cast<std::ptrdiff_t>(std::min<std::size_t>(memory.bytes, 4));
  return fmt::format("{} {}-byte element {} of {}", memory.write ? "writes" : "reads", width,
                     memory.offset / width, memory.name);
}

std::string different_barriers(const std::vector<SourcePlace>& barriers) {
  if (barriers.size() < 2) return "";
  return fmt::format(": some wait at {} while others wait at {}", line_of(barriers[0]),
                     line_of(barriers[1]));
}

std::string flag_text(const std::vector<SourcePlace>& flags) {
  return flags.empty() ? "" : " at " + line_of(flags.front());
}

/// "no barrier between line 30 and line 26 of the next iteration".
std::string missing_text(const MissingOrder& missing, const SourcePlace& first,
                         const SourcePlace& second) {
  switch (missing.kind) {
    case MissingOrder::Kind::none:
      return "lanes of one instruction, which nothing orders";
    case MissingOrder::Kind::fence:
      return fmt::format("the atomic between {} and {} orders them only if a fence follows it",
                         line_of(first), line_of(second));
    case MissingOrder::Kind::release:
      return fmt::format("no release and acquire between the blocks orders {} and {}",
                         line_of(first), line_of(second));
    case MissingOrder::Kind::different_barriers:
      return fmt::format("no barrier that both threads reach orders {} and {}{}", line_of(first),
                         line_of(second), different_barriers(missing.at));
    case MissingOrder::Kind::barrier_before_release:
      return fmt::format("no barrier of its block orders {} before the release by another thread{}",
                         line_of(first), flag_text(missing.at));
    case MissingOrder::Kind::barrier_after_acquire:
      return fmt::format("no barrier of its block orders {} after the acquire by another thread{}",
                         line_of(second), flag_text(missing.at));
    case MissingOrder::Kind::barrier:
    case MissingOrder::Kind::wait:
    case MissingOrder::Kind::launch:
      break;
  }
  return fmt::format("no barrier between {} and {}{}", line_of(missing.exchanged ? second : first),
                     line_of(missing.exchanged ? first : second),
                     missing.next_iteration ? " of the next iteration" : "");
}

/// The missing order of two grids: a launch orders earlier accesses of its thread, and a stream of
/// a block orders its grids.
std::string missing_launch(const Race& race) {
  if (race.is_descendant) {
    return fmt::format("the launch at {} orders only what happens before it in its thread",
                       line_of(race.grids[1].launch));
  }
  return fmt::format("no stream orders the grids launched at {} and {}",
                     line_of(race.grids[0].launch), line_of(race.grids[1].launch));
}

std::string reason_of_accesses(const Finding& finding) {
  if (finding.grade == Grade::volatile_order) {
    return "nothing orders these volatile accesses, which PTX allows and CUDA C++ does not";
  }
  if (finding.grade == Grade::compared_read) {
    return "only the loop of a compare-and-swap uses the value, which discards it if memory "
           "differs";
  }
  if (finding.grade == Grade::unused_read) {
    return "the value that the thread reads has no effect in it";
  }
  if (!finding.race->grids.empty()) return missing_launch(*finding.race);
  if (finding.missing) return missing_text(*finding.missing, finding.other->source, finding.source);
  return "the read uses a cache that is not coherent with writes of its kernel, whatever orders "
         "them";
}

std::string accesses_text(const Finding& finding) {
  const Race& race = *finding.race;
  const bool two_grids = !race.grids.empty();
  return fmt::format("{} {}, which {} {} at {}{}: {}",
                     thread_of(*finding.thread, race, two_grids ? &race.grids[1] : nullptr),
                     access_text(*finding.memory),
                     thread_of(finding.other->thread, race, two_grids ? &race.grids[0] : nullptr),
                     finding.other->write ? "wrote" : "read", line_of(finding.other->source),
                     finding.grade == Grade::same_value ? " with the same value" : "",
                     reason_of_accesses(finding));
}

std::string copy_text(const Finding& finding) {
  const Race& race = *finding.race;
  const OtherAccess& copy = *finding.other;
  const std::string_view name = race.multiplies ? "wgmma.mma_async"
                                : race.reduces  ? "asynchronous reduction"
                                                : "asynchronous copy";
  const std::string_view what = race.multiplies ? "product" : race.reduces ? "reduction" : "copy";
  const std::string reason =
      race.wait ? "the copy is waited for only at " + line_of(*race.wait)
      : race.waited_for
          ? fmt::format(
                "other threads wait for the {}, but nothing orders the access after the wait", what)
          : fmt::format("no thread waits for the {}", what);
  return fmt::format("thread {} {}, which the {} of thread {} at {} {}: {}",
                     triple(finding.thread->thread), access_text(*finding.memory), name,
                     triple(copy.thread.thread), line_of(copy.source),
                     !copy.write    ? "may still read"
                     : race.reduces ? "is still to update"
                                    : "is still to write",
                     reason);
}

std::string bulk_copy_text(const Finding& finding) {
  const Race& race = *finding.race;
  return fmt::format(
      "{} {}, which the bulk copy of {} at {} is still to {}: no cp.async.bulk.wait_group without "
      ".read comes before the access",
      thread_of(*finding.thread, race, nullptr), access_text(*finding.memory),
      thread_of(finding.other->thread, race, nullptr), line_of(finding.other->source),
      race.reduces ? "update" : "write");
}

std::string async_proxy_text(const Finding& finding) {
  return fmt::format(
      "{} reads byte {} of {} through the async proxy, which thread {} wrote through the generic "
      "proxy at {}: no fence.proxy.async follows the write",
      finding.race->multiplies ? "wgmma.mma_async" : "the bulk copy", finding.memory->offset,
      finding.memory->name, triple(finding.other->thread.thread), line_of(finding.other->source));
}

std::string predecessor_text(const Finding& finding) {
  const MemoryPlace& memory = *finding.memory;
  return fmt::format(
      "the kernel {} element {} of {} before griddepcontrol.wait "
      "(cudaGridDependencySynchronize) in this thread, or in one with which it has synchronized: "
      "the preceding kernel may not have {} it yet",
      memory.write ? "writes" : "reads", memory.offset / static_cast<std::ptrdiff_t>(memory.bytes),
      memory.name, finding.race->writes ? "written" : "read");
}

std::string product_register_text(const Finding& finding) {
  return fmt::format(
      "thread {} {} register {}, which the wgmma.mma_async at {} still {}: wgmma.wait_group is "
      "expected first",
      triple(finding.thread->thread), finding.race->writes ? "writes" : "reads",
      finding.race->register_name, line_of(finding.other->source),
      finding.other->write ? "writes" : "reads");
}

}  // namespace

std::string race_text(const Finding& finding) {
  switch (finding.race->kind) {
    case Race::Kind::accesses:
      return accesses_text(finding);
    case Race::Kind::copy:
      return copy_text(finding);
    case Race::Kind::bulk_copy:
      return bulk_copy_text(finding);
    case Race::Kind::exit_before_read:
      return "the thread exits before this bulk copy has read its shared memory, which the block "
             "may have released then: cp.async.bulk.wait_group.read is expected first";
    case Race::Kind::async_proxy:
      return async_proxy_text(finding);
    case Race::Kind::predecessor:
      return predecessor_text(finding);
    case Race::Kind::first_product:
      return "no wgmma.fence orders the accesses to registers before this product, the first one";
    case Race::Kind::written_register:
      return fmt::format("the product uses a register that {} writes: no wgmma.fence between them",
                         line_of(finding.other->source));
    case Race::Kind::used_registers:
      return fmt::format(
          "the product uses registers of the wgmma.mma_async at {}, which is in flight: "
          "wgmma.wait_group is expected first",
          line_of(finding.other->source));
    case Race::Kind::product_register:
      return product_register_text(finding);
  }
  return "";
}

}  // namespace warpcheck::report
