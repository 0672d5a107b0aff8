#include "device/virtual/machine/barriers/missing_barrier.hpp"

#include <algorithm>

#include "device/virtual/machine/core/paths.hpp"
#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::machine {
namespace {

using checks::Conflict;
using Kind = MissingOrder::Kind;

struct OpInFunction {
  const FunctionCode* code;
  const Op* op;
};

OpInFunction op_of(const Program& program, std::uint32_t number) {
  const FunctionCode& code = program.function_of(number);
  return {&code, &code.ops[number - code.first_op]};
}

/// The barriers at which threads of the block have waited together, although they are different.
std::vector<SourcePlace> different_barriers_of(const std::vector<Finding>& findings) {
  for (const Finding& note : findings) {
    if (note.grade != Grade::different_barriers) continue;
    std::vector<SourcePlace> places = {note.source};
    for (const ThreadGroup& group : note.groups) places.push_back(group.source);
    return places;
  }
  return {};
}

/// The barrier of all threads that one of them did not reach between two ops that race; empty if
/// several come into question.
std::vector<SourcePlace> skipped_barrier(const Program& program, const FunctionCode& code,
                                         const Op& from, const Op& to) {
  const std::vector<const Op*> between = barriers_between(code, from, to);
  if (between.size() != 1) return {};
  const SourcePlace place = source_place(program, code, *between.front());
  const bool is_of_block = place.instruction == "bar.sync 0" || place.instruction == "bar.sync 0;";
  return is_of_block ? std::vector{place} : std::vector<SourcePlace>();
}

bool is_before_in_source(const SourcePlace& one, const SourcePlace& other) {
  return one.line != 0 && one.file == other.file && one.line < other.line;
}

/// Adds the place of the next flag in that direction, if the function has one.
MissingOrder beside_flag(Kind kind, const Program& program, const OpInFunction& access,
                         Direction direction) {
  MissingOrder missing{kind};
  if (const Op* const flag = nearest_flag(*access.code, *access.op, direction)) {
    missing.at.push_back(source_place(program, *access.code, *flag));
  }
  return missing;
}

}  // namespace

MissingOrder missing_barrier(const Program& program, const std::vector<Finding>& findings,
                             const Conflict& conflict) {
  MissingOrder missing{Kind::barrier};
  missing.within_warp = conflict.first.warp == conflict.second.warp;
  const auto [code, one] = op_of(program, conflict.first.op);
  const auto [other_code, other] = op_of(program, conflict.second.op);
  if (code != other_code || one == other) return missing;
  const Path onwards = path_without_barrier(*code, *one, *other, missing.within_warp);
  const Path back = path_without_barrier(*code, *other, *one, missing.within_warp);
  if (onwards == Path::forward) return missing;
  missing.exchanged = back == Path::forward;
  if (missing.exchanged) return missing;
  missing.next_iteration = onwards != Path::none || back != Path::none;
  missing.exchanged = onwards == Path::none && back != Path::none;
  if (missing.next_iteration) return missing;
  const auto number = [&, code = code](const Op* op) {
    return static_cast<std::size_t>(op - code->ops.data());
  };
  const bool is_onwards = ops_that_reach(*code, *other)[number(one)];
  if (is_onwards || ops_that_reach(*code, *one)[number(other)]) {
    missing.kind = Kind::different_barriers;
    missing.at = different_barriers_of(findings);
    if (missing.at.empty()) {
      missing.at =
          skipped_barrier(program, *code, *(is_onwards ? one : other), *(is_onwards ? other : one));
    }
  } else {
    // The accesses are on two sides of a branch: compilers duplicate code.
    missing.exchanged = is_before_in_source(source_place(program, *code, *other),
                                            source_place(program, *code, *one));
  }
  return missing;
}

std::optional<MissingOrder> barrier_beside_flag(const Program& program,
                                                const checks::BlockClocks& clocks,
                                                const Conflict& conflict) {
  const checks::Event& first = conflict.first;
  if (clocks.ordered_for_another(first.block, first.warp, conflict.first_lane, first.interval)) {
    return beside_flag(Kind::barrier_after_acquire, program, op_of(program, conflict.second.op),
                       Direction::backward);
  }
  if (clocks.orders_another(first.block, first.interval, conflict.second.warp,
                            conflict.second_lane)) {
    return beside_flag(Kind::barrier_before_release, program, op_of(program, first.op),
                       Direction::forward);
  }
  return std::nullopt;
}

}  // namespace warpcheck::machine
