#include "report/html/headline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "report/finding/diagnosis_text.hpp"
#include "report/html/markup.hpp"
#include "report/verdict.hpp"

namespace warpcheck::report::html {
namespace {

using campaign::FindingReport;
using campaign::judge::Diagnosis;

std::string code(std::string_view text) { return element("code", "place", text); }

std::string file_name(const SourcePlace& place) {
  return std::filesystem::path(place.file).filename().string();
}

/// "Line 15 of mine.cu"; without a line, the kernel.
std::string subject(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  if (source.line == 0) return code(report.variant);
  return code(fmt::format("Line {} of {}", source.line, file_name(source)));
}

/// The same inside a sentence.
std::string at_place(const FindingReport& report) {
  const SourcePlace& source = report.finding.source;
  if (source.line == 0) return "in " + code(report.variant);
  return "at " + code(fmt::format("line {} of {}", source.line, file_name(source)));
}

std::string buffer(const FindingReport& report) {
  const auto& memory = report.finding.memory;
  return memory && !memory->name.empty() ? escaped(memory->name) : "memory";
}

bool is_write(const Finding& finding) { return finding.memory && finding.memory->write; }

/// The generated case shows the pattern better; the smallest case may show the cause.
Diagnosis combined_diagnosis(const FindingReport& report) {
  if (!report.map) return report.diagnosis;
  Diagnosis combined = report.map->diagnosis;
  if (cause_text(combined).empty()) {
    combined.cause = report.diagnosis.cause;
    combined.element = report.diagnosis.element;
    combined.text = report.diagnosis.text;
  }
  return combined;
}

std::string wrong_values(const FindingReport& report) {
  const Diagnosis diagnosis = combined_diagnosis(report);
  std::string where = pattern_place(diagnosis.pattern);
  if (!where.empty()) where.insert(0, " ");
  if (diagnosis.cause.kind == campaign::judge::CauseKind::unwritten) {
    return fmt::format("{} leaves elements unwritten{}", code(report.variant), escaped(where));
  }
  const std::string cause = cause_text(diagnosis);
  return fmt::format("{} {} wrong values{}{}{}", subject(report),
                     report.finding.source.line == 0 ? "computes" : "stores", escaped(where),
                     cause.empty() ? "" : ": ", escaped(cause));
}

/// "Lines 5 and 9 of mine.cu", if they differ and are in one file.
std::string racing_lines(const FindingReport& report) {
  const Finding& finding = report.finding;
  const SourcePlace& here = finding.source;
  const SourcePlace& there = finding.other->source;
  if (here.line == 0 || there.line == 0) return "Two threads in " + code(report.variant);
  if (here.file != there.file) {
    return fmt::format("{} and {}", subject(report),
                       code(fmt::format("line {} of {}", there.line, file_name(there))));
  }
  if (here.line == there.line) return "Two threads " + at_place(report);
  return code(fmt::format("Lines {} and {} of {}", std::min(here.line, there.line),
                          std::max(here.line, there.line), file_name(here)));
}

std::string race(const FindingReport& report) {
  if (!report.finding.other) return subject(report) + " races with another thread";
  const bool both_write = is_write(report.finding) && report.finding.other->write;
  return fmt::format(
      "{} race on {}: {}, and nothing orders the two", racing_lines(report), buffer(report),
      both_write ? "two threads write the same place" : "one thread writes what another reads");
}

std::string sentence(const FindingReport& report) {
  const Finding& finding = report.finding;
  const bool write = is_write(finding);
  const std::string outside = report.element.empty() ? "" : ", " + escaped(report.element);
  switch (finding.kind) {
    case FindingClass::wrong_result:
      return wrong_values(report);
    case FindingClass::out_of_bounds:
      return fmt::format("{} {} outside {}{}", subject(report), write ? "writes" : "reads",
                         buffer(report), outside);
    case FindingClass::misaligned:
      return fmt::format("{} {} {} bytes of {} at an address that is not a multiple of {}",
                         subject(report), write ? "writes" : "reads",
                         finding.memory ? finding.memory->bytes : 0, buffer(report),
                         finding.memory ? finding.memory->bytes : 0);
    case FindingClass::uninitialized_read:
      return subject(report) + " uses a value that was never written";
    case FindingClass::race:
      return race(report);
    case FindingClass::barrier_divergence:
      return (finding.grade == Grade::exited_threads
                  ? "Some threads exit before a barrier at which others wait, "
              : finding.grade == Grade::different_barriers
                  ? "Some threads wait at one barrier while others wait at another one, "
                  : "Some threads wait at a barrier that others never reach, ") +
             at_place(report);
    case FindingClass::deadlock:
      return "Threads wait for one another and none can continue, " + at_place(report);
    case FindingClass::guard_overwritten:
      return fmt::format("{} writes between the rows of {}{}", subject(report), buffer(report),
                         outside);
    case FindingClass::input_modified:
      return fmt::format("{} changes {}, which is an input", subject(report), buffer(report));
    case FindingClass::nondeterministic:
      return subject(report) + " stores other bits when blocks or threads run in another order";
    case FindingClass::illegal_instruction:
      return subject(report) + " executes an instruction that no GPU accepts";
    case FindingClass::launch_failure:
      return finding.thread ? subject(report) + " ends the launch"
                            : fmt::format("The launch of {} is rejected", code(report.variant));
    case FindingClass::timeout:
      return fmt::format("{} does not end within its time limit", code(report.variant));
    case FindingClass::invalid_call:
      return subject(report) + " calls an address that is not a function of its type";
    case FindingClass::use_after_free:
      return fmt::format("{} {} {} after it was freed", subject(report), write ? "writes" : "reads",
                         buffer(report));
    case FindingClass::api_misuse:
      return "The host calls the CUDA API in a wrong way, " + at_place(report);
    case FindingClass::leak:
      return "Device memory is never freed, " + at_place(report);
  }
  return {};
}

}  // namespace

std::string headline(const FindingReport& report) { return sentence(report) + "."; }

std::string class_label(const FindingReport& report) {
  return fmt::format("<span class=\"class{}\">{}{}</span>", report.known.empty() ? "" : " known",
                     report.known.empty() ? "" : "known: ", name(report.finding.kind));
}

std::string verdict_label(std::string_view tag, const campaign::VariantReport& variant) {
  const bool known = is_known(variant);
  return fmt::format("<{0} class={1}{4}>{2}{3}</{0}>", tag, known ? "known" : name(variant.verdict),
                     known ? "known: " : "", verdict(variant),
                     tag == "td" ? " data-label=Verdict" : "");
}

}  // namespace warpcheck::report::html
