#include "report/finding/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpcheck::report {
namespace {

using properties::campaign::Advice;
using properties::campaign::FindingReport;

/// The text after `before`; empty if it does not occur.
std::string_view text_after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + before.size());
}

/// The number after `before`: 8 for "which has 8 bytes" after "which has ".
std::optional<std::int64_t> number_after(std::string_view text, std::string_view before) {
  const std::string_view rest = text_after(text, before);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::string_view verb(bool write) { return write ? "store" : "load"; }

bool is_shared(const SourcePlace& source) {
  return source.instruction.find(".shared") != std::string::npos;
}

bool is_async_copy(const SourcePlace& source) { return source.instruction.starts_with("cp.async"); }

/// The line reads and writes one element in separate steps, as `sum += x` does.
bool is_read_modify_write(const FindingReport& report) {
  const SourcePlace& here = report.finding.source;
  const SourcePlace& other = report.finding.other->source;
  if (here.line == 0 || here.line != other.line || here.file != other.file) return false;
  const properties::run::Excerpt& excerpt = report.excerpt;
  const std::size_t index = excerpt.line - excerpt.first_line;
  return index < excerpt.lines.size() && excerpt.lines[index].find("+=") != std::string::npos;
}

std::string help_on_race(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!finding.other || !finding.memory) return "";
  const OtherAccess& other = *finding.other;
  const bool conflict_of_order = finding.memory->write != other.write;  // a read and a write
  if (is_async_copy(other.source)) {
    if (finding.message.find("still to write") == std::string::npos) return "";
    return fmt::format(
        "wait for the copy of line {} before line {}, as __pipeline_wait_prior does, and then "
        "synchronize the threads",
        other.source.line, finding.source.line);
  }
  if (!conflict_of_order) return "";
  if (finding.message.find("no release and acquire between the blocks") != std::string::npos) {
    return is_read_modify_write(report)
               ? fmt::format(
                     "line {} reads and writes in separate steps: use atomicAdd, or let "
                     "one block add the values",
                     finding.source.line)
               : "order the blocks with a release and an acquire, or with a second launch";
  }
  const std::string_view lines = text_after(finding.message, "no barrier between ");
  if (lines.empty() || !is_shared(finding.source) || !is_shared(other.source)) return "";
  if (finding.source.line == other.source.line) return "";
  return fmt::format(
      "a barrier is missing between {}: __syncthreads(), or __syncwarp() if only "
      "one warp uses {}",
      lines, finding.memory->name);
}

/// Returns the first index of an element: 10 for "B[10, 0]: row 10 of 1 row".
std::optional<std::int64_t> first_index(std::string_view element) {
  return number_after(element, "[");
}

/// A thread whose own index is that of the element and is not below m and n has no element of D.
std::string help_on_thread_beyond(const FindingReport& report) {
  const Finding& finding = report.finding;
  const std::optional<std::int64_t> index = first_index(report.element);
  if (!index || !finding.thread || finding.source.line == 0) return "";
  if (finding.thread->block != Dim3{0, 0, 0}) return "";
  const Dim3& thread = finding.thread->thread;
  const properties::Case& problem = report.smallest;
  const bool own = *index == thread.x || *index == thread.y;
  if (!own || *index < std::max(problem.m, problem.n)) return "";
  return fmt::format(
      "guard the {} at line {}: thread {} uses its index {}, which is not below m = {}, n = {}{}",
      verb(finding.memory->write), finding.source.line, triple(thread), *index, problem.m,
      problem.n, *index >= problem.k ? fmt::format(", k = {}", problem.k) : "");
}

std::string help_on_bounds(const FindingReport& report) {
  const Finding& finding = report.finding;
  if (!finding.memory || finding.memory->offset < 0) return "";
  const std::optional<std::int64_t> extent = number_after(finding.message, "which has ");
  const bool vector = finding.source.instruction.find(".v") != std::string::npos;
  if (vector && extent && finding.memory->offset < *extent) {
    return fmt::format(
        "the {} begins inside of {} and ends beyond it: the guard at line {} must hold for the "
        "last element of the vector, not only for the first",
        verb(finding.memory->write), finding.memory->name, finding.source.line);
  }
  return help_on_thread_beyond(report);
}

/// The advice to allow it implies the defect: C is read although its factor is 0.
std::string help_on_factor(const FindingReport& report) {
  if (report.advice.kind != Advice::Kind::if_intended) return "";
  if (report.property != "beta-zero-ignores-c") return "";
  return "C is read although beta is 0: load it only if beta is not 0";
}

std::string help_on_class(const FindingReport& report) {
  switch (report.finding.kind) {
    case FindingClass::race:
      return help_on_race(report);
    case FindingClass::out_of_bounds:
      return help_on_bounds(report);
    case FindingClass::wrong_result:
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
