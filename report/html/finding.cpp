#include "report/html/finding.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/shown_number.hpp"
#include "properties/checks/property.hpp"
#include "properties/judge/diagnosis_text.hpp"
#include "report/html/coverage.hpp"
#include "report/html/headline.hpp"
#include "report/html/heat_map.hpp"
#include "report/html/markup.hpp"
#include "report/html/source.hpp"
#include "report/path.hpp"

namespace warpcheck::report::html {
namespace {

using properties::campaign::FindingReport;

constexpr unsigned kBefore = 5;  // lines before the one in question
constexpr unsigned kAfter = 5;
constexpr unsigned kOfKernel = 16;  // of a kernel that is wrong in what it leaves undone

std::string thread_text(const ThreadPlace& thread) {
  return fmt::format("thread {} of block {}", triple(thread.thread), triple(thread.block));
}

std::string line_text(const SourcePlace& source) {
  return source.line == 0 ? fmt::format("PTX line {}", source.ptx_line)
                          : fmt::format("{}:{}", shown_path(source.file), source.line);
}

/// What an article is about.
struct Subject {
  const ReportContext& told;
  const properties::campaign::VariantReport& variant;
  const FindingReport& report;
};

/// Elements that no thread wrote: the place is the kernel's first line.
bool is_unwritten(const FindingReport& report) {
  return report.diagnosis.cause.kind == properties::judge::CauseKind::unwritten;
}

/// The source around a place; the excerpt that came with the finding where the file is not there.
Lines lines_at(const Subject& subject, const SourcePlace& source) {
  const FindingReport& report = subject.report;
  const properties::run::Excerpt& excerpt = report.excerpt;
  Lines lines = around(source_lines(subject.told, source.file), source.line, kBefore,
                       is_unwritten(report) ? kOfKernel : kAfter);
  const bool changed =
      !excerpt.lines.empty() && excerpt.file == source.file &&
      around(lines, excerpt.line, 0, 0).text !=
          around({excerpt.file, excerpt.first_line, excerpt.lines}, excerpt.line, 0, 0).text;
  if (!lines.text.empty() && !changed) return lines;
  if (excerpt.file != source.file) return {};
  return {excerpt.file, excerpt.first_line, excerpt.lines};
}

/// A place in the source; only its name where the source is not known.
std::string source_at(const Subject& subject, const SourcePlace& source, const std::string& note) {
  if (source.line == 0) return "";
  const Lines lines = lines_at(subject, source);
  std::string text = fmt::format("<p class=file>{}</p>", escaped(line_text(source)));
  if (lines.text.empty()) return text;
  return text + source_box("Source around " + line_text(source), lines, {{source.line, note}},
                           line_coverage(subject.variant, source.file));
}

std::string access(const Subject& subject, std::string_view order, bool write,
                   const ThreadPlace* thread, const SourcePlace& source) {
  const std::string verb = write ? "write" : "read";
  return fmt::format(
      "<section class=\"access {0}\"><h4>{1} <span>{0}</span></h4>{2}{3}{4}</section>", verb, order,
      thread == nullptr ? "" : fmt::format("<p>by {}</p>", thread_text(*thread)),
      source_at(subject, source, verb + "s here"), element("code", "ptx", source.instruction));
}

/// The earlier access first.
std::string two_accesses(const Subject& subject) {
  const Finding& finding = subject.report.finding;
  const OtherAccess& other = *finding.other;
  return fmt::format("<div class=pair>{}{}</div>",
                     access(subject, "First a", other.write, &other.thread, other.source),
                     access(subject, "Then a", finding.memory && finding.memory->write,
                            finding.thread ? &*finding.thread : nullptr, finding.source));
}

/// What is said beneath the line, shorter than the message above it.
std::string note(const FindingReport& report) {
  if (is_unwritten(report)) {
    return fmt::format("{} is never written", report.element);
  }
  if (report.mismatch) {
    return fmt::format("{} is {}, expected {}", report.element, shown(report.mismatch->got),
                       shown(report.mismatch->expected));
  }
  const Finding& finding = report.finding;
  const bool write = finding.memory && finding.memory->write;
  switch (finding.kind) {
    case FindingClass::uninitialized_read:
      return write ? fmt::format("what {} becomes was never written", report.element)
                   : fmt::format("reads {}", report.element);
    case FindingClass::barrier_divergence:
      return "waits for threads that never come";
    case FindingClass::deadlock:
      return "waits forever";
    default:
      return report.element.empty()
                 ? std::string(name(finding.kind))
                 : fmt::format("{} {}", write ? "writes" : "reads", report.element);
  }
}

class Facts {
 public:
  void add(std::string_view term, std::string_view description) {
    if (description.empty()) return;
    text_ += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", term, escaped(description));
  }
  void add_code(std::string_view term, std::string_view description) {
    if (description.empty()) return;
    text_ +=
        fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", term, element("code", "", description));
  }
  [[nodiscard]] std::string list() const { return "<dl class=facts>" + text_ + "</dl>"; }

 private:
  std::string text_;
};

std::string property_text(std::string_view name) {
  for (const properties::checks::Property& property : properties::checks::properties()) {
    if (property.name == name) return fmt::format("{}: {}", name, property.statement);
  }
  return std::string(name);
}

std::string calls_text(const SourcePlace& source) {
  std::string text;
  for (const CallSite& call : source.calls) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", shown_path(call.file), call.line);
  }
  return text;
}

std::string confirmed_text(const FindingReport& report) {
  if (report.confirmations == 0) return "";
  return fmt::format("in {} of {} runs{}", report.confirmed, report.confirmations,
                     report.flaky() ? ", so it is flaky" : "");
}

std::string facts(const FindingReport& report) {
  const Finding& finding = report.finding;
  Facts facts;
  if (finding.thread && !finding.other) facts.add("Thread", thread_text(*finding.thread));
  facts.add("Element", report.element);
  if (const auto& mismatch = report.mismatch) {
    facts.add("Found", fmt::format("{}", shown(mismatch->got)));
    facts.add("Expected", fmt::format("{}{}", shown(mismatch->expected),
                                      mismatch->tolerance == 0.0
                                          ? ", exactly"
                                          : fmt::format(", within {:.3g}", mismatch->tolerance)));
  }
  facts.add("Diagnosis", text(report.diagnosis));
  if (finding.count > 1) facts.add("Met", fmt::format("{} times", grouped(finding.count)));
  if (!finding.other) facts.add_code("Instruction", finding.source.instruction);
  facts.add("Called from", calls_text(finding.source));
  facts.add("Property", property_text(report.property));
  facts.add("Confirmed", confirmed_text(report));
  facts.add("Regression", report.regression);
  return facts.list();
}

/// A line to copy, and a button for it, which scripts make visible.
std::string to_copy(std::string_view label, const std::string& text) {
  return fmt::format(
      "<div class=copy><h4>{0}</h4><div class=line><code tabindex=0 role=region aria-label=\"{0}\">"
      "{1}</code><button type=button hidden data-copy aria-label=\"Copy: {0}\">Copy</button></div>"
      "</div>",
      label, escaped(text));
}

std::string cases(const Subject& subject) {
  const FindingReport& report = subject.report;
  const auto& replay_command = subject.told.replay_command;
  std::string text = to_copy("Smallest case", to_line(report.smallest));
  if (replay_command) text += to_copy("Replay", replay_command(report.smallest));
  if (report.original != report.smallest) {
    text += to_copy(fmt::format("As drawn; shrunk in {} launches", report.shrink_launches),
                    to_line(report.original));
  }
  return text;
}

std::string printed(const FindingReport& report) {
  if (report.printed.empty()) return "";
  return fmt::format(
      "<details><summary>What the kernel printed</summary><pre tabindex=0 role=region "
      "aria-label=\"What the kernel printed\">{}</pre></details>",
      escaped(report.printed));
}

/// Where the map is of another case than the one that was drawn.
std::string mapped_case(const FindingReport& report) {
  if (report.map->line == to_line(report.original)) return "";
  return to_copy("The map's case, larger than the one drawn", report.map->line);
}

std::string known(const FindingReport& report) {
  if (report.known.empty()) return "";
  return fmt::format("<p class=reason><strong>Known, and fails no gate:</strong> {}</p>\n",
                     escaped(report.known));
}

/// Beside the picture, where there is one, stands all the rest.
std::string body(const Subject& subject) {
  const FindingReport& report = subject.report;
  const std::string rest = cases(subject) + facts(report) + printed(report);
  if (report.finding.other) return two_accesses(subject) + rest;
  const std::string source = source_at(subject, report.finding.source, note(report));
  if (!report.map) return source + rest;
  return fmt::format("<div class=pair><div>{}{}</div><div>{}{}</div></div>", source, rest,
                     heat_map(*report.map), mapped_case(report));
}

}  // namespace

std::string finding_article(const ReportContext& told,
                            const properties::campaign::VariantReport& variant,
                            const FindingReport& report, std::size_t number) {
  return fmt::format(
      "<article class=\"finding{6}\" id=finding-{0} aria-labelledby=finding-{0}-title>\n"
      "<p class=kicker>{1} <span class=variant>{2}</span> on the {3} "
      "device</p>\n<h3 id=finding-{0}-title>{4}</h3>\n{7}<p class=message>On the smallest case: "
      "{5}</p>\n{8}\n"
      "</article>\n",
      number, class_label(report), escaped(report.variant), escaped(report.device),
      headline(report), escaped(report.finding.message), report.known.empty() ? "" : " known",
      known(report), body({told, variant, report}));
}

}  // namespace warpcheck::report::html
