#include "report/finding/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "properties/checks/check_model.hpp"
#include "report/finding/notes.hpp"

namespace warpcheck::report {
namespace {

using properties::campaign::Advice;
using properties::campaign::FindingReport;

std::string_view verb(bool write) { return write ? "store" : "load"; }

bool is_shared(const SourcePlace& source) {
  return source.instruction.find(".shared") != std::string::npos;
}

/// The line reads and writes one element in separate steps, as `sum += x` does.
bool is_read_modify_write(const FindingReport& report) {
  const SourcePlace& here = report.finding.source;
  const SourcePlace& other = report.finding.other->source;
  if (here.line == 0 || here.line != other.line || here.file != other.file) return false;
  const properties::run::Excerpt& excerpt = report.excerpt;
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() && excerpt.lines[index].find("+=") != std::string::npos;
}

std::string help_on_blocks(const FindingReport& report) {
  if (!is_read_modify_write(report)) {
    return "order the blocks with a release and an acquire, or with a second launch";
  }
  return fmt::format(
      "line {} reads and writes in separate steps: use atomicAdd, or let one block add the values",
      report.finding.source.line);
}

/// True for two threads of one warp, as far as their indices show it without the block's extent.
bool are_in_one_warp(const ThreadPlace& one, const ThreadPlace& other) {
  constexpr unsigned kLanes = 32;
  const bool in_first_row =
      one.thread.y + one.thread.z == 0 && other.thread.y + other.thread.z == 0;
  return in_first_row && one.block == other.block &&
         one.thread.x / kLanes == other.thread.x / kLanes;
}

/// True if the lines around a race have a barrier of warps, and none of the block.
bool synchronizes_warps(const properties::run::Excerpt& excerpt) {
  const auto has = [&](std::string_view call) {
    return std::any_of(excerpt.lines.begin(), excerpt.lines.end(), [&](const std::string& line) {
      return line.find(call) != std::string::npos;
    });
  };
  return has("__syncwarp") && !has("__syncthreads");
}

std::string help_on_barrier(const FindingReport& report) {
  const Finding& finding = report.finding;
  const SourcePlace& first = finding.other->source;
  const SourcePlace& second = finding.source;
  if (!is_shared(first) || !is_shared(second) || first.line == second.line) return "";
  const std::string& name = finding.memory->name;
  const bool in_one_warp = finding.thread &&
                           are_in_one_warp(*finding.thread, finding.other->thread) &&
                           synchronizes_warps(report.excerpt);
  return fmt::format(
      "a barrier is missing between {}: {}", unordered_lines(finding),
      in_one_warp ? "__syncwarp(), or __syncthreads() if several warps use one element of " + name
                  : "__syncthreads(), or __syncwarp() if only one warp uses " + name);
}

/// How to wait depends on the mechanism by which the copy completes.
std::string help_on_copy(const Finding& finding) {
  const SourcePlace& source = finding.other->source;
  const std::string copy = "the copy of " + line_text(source, finding.source);
  const bool again = source.line == finding.source.line && source.file == finding.source.file;
  const std::string access =
      again ? "it is issued again" : line_text(finding.source, finding.source);
  const auto completes_by = [&](std::string_view mechanism) {
    return source.instruction.find(mechanism) != std::string::npos;
  };
  if (completes_by("mbarrier::complete_tx")) {
    return fmt::format("wait for the phase of the mbarrier that {} completes, before {}", copy,
                       access);
  }
  if (completes_by("wgmma")) {
    return fmt::format(
        "wait for the product of {} with wgmma.wait_group before {}, and then "
        "synchronize the threads",
        line_text(source, finding.source), access);
  }
  const std::string_view wait =
      completes_by("bulk_group") ? "cp.async.bulk.wait_group" : "__pipeline_wait_prior";
  return fmt::format("wait for {} before {}, as {} does, and then synchronize the threads", copy,
                     access, wait);
}

/// The read of a race that no order would prevent.
std::string help_on_path(const Finding& finding) {
  const SourcePlace& read = finding.memory->write ? finding.other->source : finding.source;
  const bool is_read_only =
      read.instruction.find(".nc") != std::string::npos || read.instruction.starts_with("ldu");
  if (!is_read_only) return "";
  return fmt::format(
      "load the value of {} without __ldg(), and through a pointer that is not `const "
      "__restrict__`",
      line_text(read, finding.source));
}

std::string help_on_race(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!finding.other || !finding.memory) return "";
  if (!finding.missing) return help_on_path(finding);
  const bool is_read_and_write = finding.memory->write != finding.other->write;
  switch (finding.missing->kind) {
    case MissingOrder::Kind::wait:
      return help_on_copy(finding);
    case MissingOrder::Kind::release:
      return is_read_and_write ? help_on_blocks(report) : "";
    case MissingOrder::Kind::barrier:
      return is_read_and_write ? help_on_barrier(report) : "";
    case MissingOrder::Kind::fence:
    case MissingOrder::Kind::launch:
    case MissingOrder::Kind::none:
      return "";
  }
  return "";
}

/// A thread whose own index is that of the element, and not below an extent of the output, has no
/// element of the output.
std::string help_on_thread_beyond(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!report.index_outside || !finding.thread || finding.source.line == 0) return "";
  if (finding.thread->block != Dim3{0, 0, 0}) return "";
  const std::int64_t index = *report.index_outside;
  const Dim3& thread = finding.thread->thread;
  if (index != thread.x && index != thread.y) return "";
  const auto& model = properties::model_of<properties::checks::CheckModel>(report.smallest);
  const std::string beyond = model.index_beyond_outputs(report.smallest, index);
  if (beyond.empty()) return "";
  return fmt::format("guard the {} at line {}: thread {} uses its index {}, which {}",
                     verb(finding.memory->write), finding.source.line, triple(thread), index,
                     beyond);
}

/// An element index that wraps at 2^31 is 2^32 too small; without that, it would be in the buffer.
std::string help_on_overflow(const Finding& finding) {
  const MemoryPlace& memory = *finding.memory;
  const std::ptrdiff_t unwrapped =
      memory.offset + (std::ptrdiff_t{1} << 32) * static_cast<std::ptrdiff_t>(memory.bytes);
  if (!memory.extent || memory.bytes > sizeof(std::uint64_t) || unwrapped < 0) return "";
  if (static_cast<std::uint64_t>(unwrapped) + memory.bytes > *memory.extent) return "";
  return fmt::format(
      "a 32-bit index overflows at line {}: without the overflow, the {} is at byte {}, inside of "
      "{}; compute the index as size_t",
      finding.source.line, verb(memory.write), unwrapped, memory.name);
}

std::string help_on_bounds(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!finding.memory) return "";
  const MemoryPlace& memory = *finding.memory;
  if (memory.offset < 0) return help_on_overflow(finding);
  const bool vector = finding.source.instruction.find(".v") != std::string::npos;
  if (vector && memory.extent && static_cast<std::uint64_t>(memory.offset) < *memory.extent) {
    return fmt::format(
        "the {} begins inside of {} and ends beyond it: the guard at line {} must hold for the "
        "last element of the vector, not only for the first",
        verb(memory.write), memory.name, finding.source.line);
  }
  return help_on_thread_beyond(report);
}

/// The advice to allow it implies the defect: C is read although its factor is 0.
std::string help_on_factor(const FindingReport& report) {
  if (report.advice.kind != Advice::Kind::if_intended) return "";
  const auto& model = properties::model_of<properties::checks::CheckModel>(report.smallest);
  if (!model.shows_ignored_c(report.property, report.finding)) return "";
  return "C is read although beta is 0: load it only if beta is not 0";
}

/// The kernel leaves a term out that the definition multiplies by 0, for example.
std::string help_on_missing_nan(const FindingReport& report) {
  const auto& model = properties::model_of<properties::checks::CheckModel>(report.smallest);
  const auto& mismatch = report.mismatch;
  const bool is_missing = mismatch && std::isnan(mismatch->expected) && !std::isnan(mismatch->got);
  if (!is_missing || !model.is_defined_by_contract()) return "";
  return "an input has NaN or an infinity, which the definition uses for this element, if only "
         "times 0: if a kernel may leave this term out, leave it out of the definition with "
         "`where`, or accept both with either(x, y)";
}

std::string help_on_class(const FindingReport& report) {
  switch (report.finding.kind) {
    case FindingClass::race:
      return help_on_race(report);
    case FindingClass::out_of_bounds:
      return help_on_bounds(report);
    case FindingClass::wrong_result: {
      const std::string help = help_on_factor(report);
      return help.empty() ? help_on_missing_nan(report) : help;
    }
    case FindingClass::uninitialized_read:
      return help_on_factor(report);
    default:
      return "";
  }
}

}  // namespace

std::string advice_text(const Advice& advice) {
  switch (advice.kind) {
    case Advice::Kind::none:
      return "";
    case Advice::Kind::if_intended:
      return fmt::format("if this is intended, add {} to the contract", advice.change);
    case Advice::Kind::correct_with:
      return fmt::format("the kernel is correct with {}, in all {} cases tried", advice.change,
                         advice.cases);
  }
  return "";
}

std::vector<std::string> help_texts(const FindingReport& report) {
  std::vector<std::string> all;
  // A contract under which the kernel is correct explains the finding.
  if (report.advice.kind != Advice::Kind::correct_with) all.push_back(help_on_class(report));
  all.push_back(advice_text(report.advice));
  all.erase(std::remove(all.begin(), all.end(), std::string()), all.end());
  return all;
}

}  // namespace warpcheck::report
