#include "report/finding/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "campaign/case/product.hpp"
#include "campaign/zero_factors.hpp"
#include "report/finding/notes.hpp"

namespace warpcheck::report {
namespace {

using campaign::Advice;
using campaign::FindingReport;

constexpr std::array<std::string_view, 4> kUpdates = {"+=", "-=", "]++", "]--"};

std::string_view verb(bool write) { return write ? "store" : "load"; }

bool is_atomic(const SourcePlace& source) {
  return source.facts.kind == device::InstructionKind::atomic;
}

/// The source line of the finding; empty: it is unknown.
std::string_view source_line(const FindingReport& report) {
  const campaign::run::Excerpt& excerpt = report.excerpt;
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() ? std::string_view(excerpt.lines[index]) : "";
}

bool is_one_line(const Finding& race) {
  const SourcePlace& here = race.source;
  const SourcePlace& other = race.other->source;
  return here.line == other.line && here.file == other.file;
}

/// The line reads and writes one element in separate steps, as `sum += x` and `bin[i]++` do.
bool is_read_modify_write(const FindingReport& report) {
  if (report.finding.source.line == 0 || !is_one_line(report.finding)) return false;
  const std::string_view line = source_line(report);
  return std::any_of(kUpdates.begin(), kUpdates.end(), [&](std::string_view update) {
    return line.find(update) != std::string_view::npos;
  });
}

/// The line has two elements of one array, as `s[i] += s[i + 16]` does.
bool uses_two_elements(std::string_view line) {
  constexpr std::string_view kOfNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  std::vector<std::string_view> names;
  for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
    const std::size_t before = line.find_last_not_of(kOfNames, at == 0 ? 0 : at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view name = line.substr(begin, at - std::min(begin, at));
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    if (!name.empty()) names.push_back(name);
  }
  return false;
}

/// `one`: "block" or "thread".
std::string help_on_update(const Finding& finding, std::string_view one) {
  return fmt::format(
      "line {} reads and writes in separate steps: use atomicAdd, or let one {} add the values",
      finding.source.line, one);
}

std::string help_on_blocks(const FindingReport& report) {
  if (is_read_modify_write(report)) return help_on_update(report.finding, "block");
  return "order the blocks with a release and an acquire, or with a second launch";
}

/// True if the lines around a race have a barrier of warps, and none of the block.
bool synchronizes_warps(const campaign::run::Excerpt& excerpt) {
  const auto has = [&](std::string_view call) {
    return std::any_of(excerpt.lines.begin(), excerpt.lines.end(), [&](const std::string& line) {
      return line.find(call) != std::string::npos;
    });
  };
  return has("__syncwarp") && !has("__syncthreads");
}

constexpr std::string_view kNoLockstep =
    "since compute capability 7.0, the lanes of a warp do not run in lockstep";

/// The accesses of a barrier that is missing are on one line.
std::string help_on_line(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!uses_two_elements(source_line(report))) {
    return is_read_modify_write(report) ? help_on_update(finding, "thread") : "";
  }
  if (!finding.missing->within_warp) return "";
  return fmt::format(
      "{}: line {} needs __syncwarp() between its loads and its store, and after the store, or "
      "__syncthreads() if several warps use one element of {}",
      kNoLockstep, finding.source.line, finding.memory->name);
}

std::string help_on_barrier(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (is_one_line(finding)) return help_on_line(report);
  const std::string& name = finding.memory->name;
  const bool within_warp = finding.missing->within_warp;
  const bool in_one_warp = within_warp && synchronizes_warps(report.excerpt);
  std::string text = fmt::format(
      "a barrier is missing between {}: {}", unordered_lines(finding),
      in_one_warp ? "__syncwarp(), or __syncthreads() if several warps use one element of " + name
                  : "__syncthreads(), or __syncwarp() if only one warp uses " + name);
  if (within_warp && !in_one_warp) text += fmt::format("; {}", kNoLockstep);
  return text;
}

/// All threads of a block must reach the same barrier.
std::string help_on_different_barriers(const SourcePlace& one, const SourcePlace& other,
                                       const SourcePlace& finding) {
  return fmt::format(
      "all threads of the block must reach the same __syncthreads(): move those at {} and {} out "
      "of the conditional code, and use only one of them",
      line_text(one, finding), line_text(other, finding));
}

/// A thread did not wait at the only barrier between two accesses.
std::string help_on_skipped_barrier(const SourcePlace& barrier, const SourcePlace& finding) {
  return fmt::format(
      "only some threads of the block reach the __syncthreads() at {}: move it out of the "
      "conditional code, so that all of them wait there",
      line_text(barrier, finding));
}

/// A fence and an atomic of one thread publish what the block did if a barrier comes before them.
std::string help_beside_flag(const Finding& finding) {
  const MissingOrder& missing = *finding.missing;
  if (missing.at.empty()) return "";
  const std::string flag = line_text(missing.at.front(), finding.source);
  if (missing.kind == MissingOrder::Kind::barrier_after_acquire) {
    return fmt::format("__syncthreads() is missing between {} and {}", flag,
                       line_text(finding.source, finding.source));
  }
  return fmt::format(
      "__syncthreads() is missing between {} and {}: without it, the thread that executes {} "
      "releases only its own accesses, also if all threads execute __threadfence()",
      line_text(finding.other->source, finding.source), flag, flag);
}

/// The way to wait depends on the mechanism by which the copy completes.
std::string help_on_copy(const Finding& finding) {
  const SourcePlace& source = finding.other->source;
  const std::string copy = "the copy of " + line_text(source, finding.source);
  const bool again = source.line == finding.source.line && source.file == finding.source.file;
  const std::string access =
      again ? "it is issued again" : line_text(finding.source, finding.source);
  const auto wait_as = [&](std::string_view wait) {
    return fmt::format("wait for {} before {}, as {} does, and then synchronize the threads", copy,
                       access, wait);
  };
  switch (source.facts.completion) {
    case device::Completion::none:
      return "";
    case device::Completion::copy_group:
      return wait_as("__pipeline_wait_prior");
    case device::Completion::bulk_group:
      return wait_as("cp.async.bulk.wait_group");
    case device::Completion::mbarrier:
      return fmt::format("wait for the phase of the mbarrier that {} completes, before {}", copy,
                         access);
    case device::Completion::warpgroup_group:
      return fmt::format(
          "wait for the product of {} with wgmma.wait_group before {}, and then "
          "synchronize the threads",
          line_text(source, finding.source), access);
  }
  return "";
}

/// The read of a race that no order would prevent.
std::string help_on_path(const Finding& finding) {
  const SourcePlace& read = finding.memory->write ? finding.other->source : finding.source;
  if (!read.facts.read_only) return "";
  return fmt::format(
      "load the value of {} without __ldg(), and through a pointer that is not `const "
      "__restrict__`",
      line_text(read, finding.source));
}

std::string help_on_race(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!finding.other || !finding.memory) return "";
  if (!finding.missing) return help_on_path(finding);
  const bool has_order = finding.memory->write != finding.other->write ||
                         is_atomic(finding.source) || is_atomic(finding.other->source);
  switch (finding.missing->kind) {
    case MissingOrder::Kind::wait:
      return help_on_copy(finding);
    case MissingOrder::Kind::release:
      return has_order ? help_on_blocks(report) : "";
    case MissingOrder::Kind::barrier:
      return has_order ? help_on_barrier(report) : "";
    case MissingOrder::Kind::different_barriers: {
      const std::vector<SourcePlace>& at = finding.missing->at;
      if (at.empty()) return "";
      return at.size() == 1 ? help_on_skipped_barrier(at[0], finding.source)
                            : help_on_different_barriers(at[0], at[1], finding.source);
    }
    case MissingOrder::Kind::barrier_before_release:
    case MissingOrder::Kind::barrier_after_acquire:
      return help_beside_flag(finding);
    case MissingOrder::Kind::fence:
    case MissingOrder::Kind::launch:
    case MissingOrder::Kind::none:
      return "";
  }
  return "";
}

/// The extents of a product that an index is not below: "m = 1, n = 1"; in words if they are not
/// known.
std::string extents_up_to(const campaign::Case& problem, std::int64_t index) {
  if (campaign::has_definition(problem)) return "any extent of the output";
  std::string text;
  for (const campaign::CaseField& field : campaign::stated_fields(problem)) {
    const std::int64_t size = field.get(problem);
    if (field.kind != campaign::CaseField::Kind::extent || size > index) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", field.name, size);
  }
  return text;
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
  return fmt::format("guard the {} at line {}: thread {} uses its index {}, which is not below {}",
                     verb(finding.memory->write), finding.source.line, triple(thread), index,
                     extents_up_to(report.smallest, index));
}

/// The access of an address that was computed from an integer that did not fit into its type.
std::string help_on_overflow(const Finding& finding) {
  if (!finding.overflow) return "";
  const IndexOverflow& overflow = *finding.overflow;
  const MemoryPlace& memory = overflow.memory;
  const bool is_own = overflow.access.ptx_line == finding.source.ptx_line;
  return fmt::format(
      "{} {}-bit {} index overflows at {}: without the overflow, the {}{} is at byte {}, inside of "
      "{}{}; compute the index as size_t",
      overflow.bits == 8 ? "an" : "a", overflow.bits, overflow.is_signed ? "signed" : "unsigned",
      line_text(overflow.source, finding.source), verb(memory.write),
      is_own ? "" : " of " + line_text(overflow.access, finding.source), overflow.offset,
      memory.name,
      finding.kind == FindingClass::wrong_result ? ", and the value is as expected" : "");
}

/// The same without the instruction, for launches that are too long for it: an element index that
/// wraps at 2^31 is 2^32 too small; without that, it would be in the buffer.
std::string help_on_negative(const Finding& finding) {
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
  if (finding.overflow) return help_on_overflow(finding);
  if (memory.offset < 0) return help_on_negative(finding);
  const bool vector = finding.source.facts.vector > 1;
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
  if (!campaign::shows_ignored_c(report.property, report.finding)) return "";
  return "C is read although beta is 0: load it only if beta is not 0";
}

/// The kernel leaves a term out that the definition multiplies by 0, for example, or computes
/// a b - a c where the definition has a (b - c).
std::string help_on_special_values(const FindingReport& report) {
  const auto& mismatch = report.mismatch;
  if (!mismatch || !campaign::has_definition(report.smallest)) return "";
  if (std::isnan(mismatch->expected) && !std::isnan(mismatch->got)) {
    return "an input has NaN or an infinity, which the definition uses for this element, if only "
           "times 0: if a kernel may leave this term out, leave it out of the definition with "
           "`where`, or accept both with either(x, y)";
  }
  if (!std::isinf(mismatch->expected) || !std::isnan(mismatch->got)) return "";
  return "the definition has an infinity where the kernel has NaN, as in a b - a c for a (b - c): "
         "if the kernel need not be right for infinite inputs, add `finite = true` to them";
}

/// An output of an operation is read before a thread has stored to it.
std::string help_on_output(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!finding.memory || !finding.memory->write || report.element.empty()) return "";
  const auto& origin = finding.origin;
  const bool reads_itself =
      is_atomic(finding.source) || (origin && origin->memory && !origin->written &&
                                    origin->memory->name == finding.memory->name);
  if (!reads_itself || !campaign::has_definition(report.smallest)) return "";
  return fmt::format(
      "{0} has no values before the launch: store to it first; if the caller does so, let {0} "
      "`update` an input in the contract",
      finding.memory->name);
}

std::string help_on_class(const FindingReport& report) {
  switch (report.finding.kind) {
    case FindingClass::race:
      return help_on_race(report);
    case FindingClass::out_of_bounds:
      return help_on_bounds(report);
    case FindingClass::wrong_result: {
      if (report.finding.overflow) return help_on_overflow(report.finding);
      const std::string help = help_on_factor(report);
      return help.empty() ? help_on_special_values(report) : help;
    }
    case FindingClass::uninitialized_read: {
      std::string help = help_on_overflow(report.finding);
      if (help.empty()) help = help_on_factor(report);
      return help.empty() ? help_on_output(report) : help;
    }
    case FindingClass::barrier_divergence: {
      const Finding& finding = report.finding;
      const bool differ = finding.grade == Grade::different_barriers && !finding.groups.empty();
      return differ ? help_on_different_barriers(finding.source, finding.groups.front().source,
                                                 finding.source)
                    : "";
    }
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
