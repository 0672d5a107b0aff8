#include "device/virtual/checks/conflict_grades.hpp"

#include "device/virtual/machine/core/source_place.hpp"
#include "ptx/analysis/compare_and_swap_seed.hpp"
#include "ptx/analysis/unused_value.hpp"

namespace warpcheck::checks {
namespace {

using machine::FunctionCode;
using machine::Op;
using machine::Program;

/// True if lanes of one library store write different values. CUDA defines that one of them is
/// stored, but not which one (CUDA C++ Programming Guide, SIMT architecture). Libraries rely on
/// this where either value is correct.
bool are_lanes_of_library(const Program& program, const Conflict& conflict) {
  if (!(conflict.first == conflict.second)) return false;
  const FunctionCode& code = program.function_of(conflict.first.op);
  const SourcePlace place =
      source_place(program, code, code.ops[conflict.first.op - code.first_op]);
  return place.from_library || is_library_code(place.file);
}

/// True if a weak read conflicts with an atomic, and the value of the read only seeds a
/// compare-and-swap loop.
bool is_seed(const Program& program, const Conflict& conflict) {
  const Event& read = conflict.first.write ? conflict.second : conflict.first;
  const Event& write = conflict.first.write ? conflict.first : conflict.second;
  if (read.write || read.strong || !write.update) return false;
  if (read.path != machine::ReadPath::coherent) return false;
  const FunctionCode& code = program.function_of(read.op);
  return ptx::analysis::only_seeds_compare_and_swap(*code.source,
                                                    code.ops[read.op - code.first_op].instruction);
}

/// True for a kernel whose directives state that its blocks have one dimension, so that the number
/// of a thread is its `%tid.x`.
bool has_rows_of_threads(const FunctionCode& code) {
  const auto& extent = code.source->directives.reqntid;
  return extent && (*extent)[1] == 1 && (*extent)[2] == 1;
}

Grade grade_of(const Program& program, const Conflict& conflict) {
  return are_lanes_of_library(program, conflict) ? Grade::library_lanes
         : is_seed(program, conflict)            ? Grade::compared_read
                                                 : Grade::failure;
}

}  // namespace

Grade ConflictGrades::of(const Program& program, const Conflict& conflict) {
  if (conflict.grade != Grade::failure) return conflict.grade;
  const auto [known, is_new] =
      failures_.try_emplace({conflict.first.op, conflict.second.op}, Grade::failure);
  if (is_new) known->second = grade_of(program, conflict);
  if (known->second == Grade::failure && is_unused(program, conflict)) return Grade::unused_read;
  return known->second;
}

bool ConflictGrades::is_unused(const Program& program, const Conflict& conflict) {
  const bool first_reads = !conflict.first.write;
  const Event& read = first_reads ? conflict.first : conflict.second;
  if (read.write || read.strong || read.path != machine::ReadPath::coherent) return false;
  const FunctionCode& code = program.function_of(read.op);
  if (!has_rows_of_threads(code)) return false;
  const unsigned lane = first_reads ? conflict.first_lane : conflict.second_lane;
  const unsigned thread = read.warp * machine::kLanes + lane;
  const auto [known, is_new] = unused_.try_emplace({read.op, thread}, false);
  if (is_new) {
    known->second = ptx::analysis::is_value_unused(
        *code.source, code.ops[read.op - code.first_op].instruction, thread);
  }
  return known->second;
}

}  // namespace warpcheck::checks
