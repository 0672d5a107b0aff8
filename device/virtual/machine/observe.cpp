#include "device/virtual/machine/observe.hpp"

#include <fmt/format.h>

#include <utility>

namespace warpcheck::machine {
namespace {

using observers::Access;
using observers::Conflict;

/// Where the lanes' bytes begin in the block's shared memory, in units of the race detector.
observers::Units units_of(const Reach& reach, unsigned unit_shift) {
  observers::Units units;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    units[lane] = static_cast<std::uint32_t>((reach.offset[lane] + reach.container->shared_begin) >>
                                             unit_shift);
  }
  return units;
}

std::uint32_t number_of(const Warp& warp, const Op& op) {
  const FunctionCode& code = *warp.frame().code;
  return code.first_op + static_cast<std::uint32_t>(&op - code.ops.data());
}

OtherAccess other_access(const Block& block, const Access& access, bool writes) {
  const Program& program = *block.launch().program;
  const FunctionCode& code = program.function_of(access.op);
  return {source_place(program, code, code.ops[access.op - code.first_op]),
          block.place(access.warp, access.lane), writes};
}

std::string line_of(const SourcePlace& source) {
  return source.line != 0 ? fmt::format("line {}", source.line)
                          : fmt::format("PTX line {}", source.ptx_line);
}

std::string describe(const ThreadPlace& thread) {
  return fmt::format("thread ({}, {}, {})", thread.thread.x, thread.thread.y, thread.thread.z);
}

void report_conflicts(Warp& warp, const Op& op, const Reach& reach, std::size_t bytes) {
  Block& block = warp.block();
  for (const Conflict& conflict : std::exchange(block.races().conflicts(), {})) {
    OtherAccess other = other_access(block, conflict.first, conflict.first_writes);
    const auto offset = static_cast<std::ptrdiff_t>(conflict.offset) -
                        static_cast<std::ptrdiff_t>(reach.container->shared_begin);
    const std::string message = fmt::format(
        "{} {} byte {} of {}, which {} {} at {}, and nothing orders the two",
        describe(block.place(conflict.second.warp, conflict.second.lane)),
        conflict.second_writes ? "writes" : "reads", offset, *reach.container->name,
        describe(other.thread) + (conflict.first.several ? " and others of its warp" : ""),
        conflict.first_writes ? "wrote" : "read", line_of(other.source));
    warp.report(op, Mask{1} << conflict.second.lane, FindingClass::race, message,
                MemoryPlace{*reach.container->name, offset, bytes, conflict.second_writes},
                std::move(other));
  }
}

}  // namespace

void observe_shared_read(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                         std::size_t bytes) {
  observers::SharedRaces& races = warp.block().races();
  const unsigned shift = races.unit_shift();
  races.read(warp.index(), units_of(reach, shift), lanes, static_cast<unsigned>(bytes >> shift),
             number_of(warp, op), op.strong);
  if (!races.conflicts().empty()) report_conflicts(warp, op, reach, bytes);
}

void observe_shared_write(Warp& warp, const Op& op, const Reach& reach, Mask lanes,
                          std::size_t bytes, Mask rewrites) {
  observers::SharedRaces& races = warp.block().races();
  const unsigned shift = races.unit_shift();
  races.write(warp.index(), units_of(reach, shift), lanes, static_cast<unsigned>(bytes >> shift),
              number_of(warp, op), op.strong, rewrites);
  if (!races.conflicts().empty()) report_conflicts(warp, op, reach, bytes);
}

void observe_flag(Warp& warp, const Op& op, const Reach& reach, Mask lanes, bool read, bool write) {
  observers::WarpClocks& clocks = warp.block().races().clocks();
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const std::uint64_t address =
        reach.container->space == Space::shared
            ? kSharedWindow + reach.container->shared_begin + reach.offset[lane]
            : reach.container->base + reach.offset[lane];
    if (read) clocks.load_flag(warp.index(), address, op.acquires);
    if (write) clocks.store_flag(warp.index(), address, op.releases);
  }
}

}  // namespace warpcheck::machine
