#include "report/html/finding.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/shown_number.hpp"
#include "report/call_stack_text.hpp"
#include "report/failure_block.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "report/finding/help.hpp"
#include "report/finding/message.hpp"
#include "report/finding/notes.hpp"
#include "report/finding/worst_elements.hpp"
#include "report/html/coverage.hpp"
#include "report/html/headline.hpp"
#include "report/html/heat_map.hpp"
#include "report/html/markup.hpp"
#include "report/html/source.hpp"
#include "report/sarif/rules.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

using campaign::FindingReport;

constexpr unsigned kBefore = 5;  // lines before the marked one
constexpr unsigned kAfter = 5;
constexpr unsigned kOfKernel = 16;  // lines after the first one of a kernel that omits elements

std::string thread_of_block(const ThreadPlace& thread) {
  return fmt::format("thread {} of block {}", triple(thread.thread), triple(thread.block));
}

/// The finding of one article, with its variant and campaign.
struct Subject {
  const ReportContext& context;
  const campaign::VariantReport& variant;
  const FindingReport& report;
};

/// True if elements were not written; the place is then the first line of the kernel.
bool is_unwritten(const FindingReport& report) {
  return report.diagnosis.cause.kind == campaign::judge::CauseKind::unwritten;
}

/// The source around a place; the excerpt of the finding if the file is missing or was changed.
Lines lines_at(const Subject& subject, const SourcePlace& source) {
  const FindingReport& report = subject.report;
  const campaign::run::Excerpt& excerpt = report.excerpt;
  Lines lines = around(source_lines(subject.context, source.file), source.line, kBefore,
                       is_unwritten(report) ? kOfKernel : kAfter);
  const bool changed =
      !excerpt.lines.empty() && excerpt.file == source.file &&
      around(lines, excerpt.line, 0, 0).text !=
          around({excerpt.file, excerpt.first_line, excerpt.lines}, excerpt.line, 0, 0).text;
  if (!lines.text.empty() && !changed) return lines;
  if (excerpt.file != source.file) return {};
  return {excerpt.file, excerpt.first_line, excerpt.lines};
}

/// A place with its source; only its name if the source is not known.
std::string source_at(const Subject& subject, const SourcePlace& source, const std::string& note) {
  if (source.line == 0) return "";
  const Lines lines = lines_at(subject, source);
  std::string text = fmt::format("<p class=file>{}</p>", escaped(place_name(source)));
  if (lines.text.empty()) return text;
  return text + source_box("Source around " + place_name(source), lines, {{source.line, note}},
                           line_coverage(subject.variant, source.file));
}

std::string access_section(const Subject& subject, std::string_view order, bool write,
                           const ThreadPlace* thread, const SourcePlace& source) {
  const std::string verb = write ? "write" : "read";
  return fmt::format(
      "<section class=\"access {0}\"><h4>{1} <span>{0}</span></h4>{2}{3}{4}</section>", verb, order,
      thread == nullptr ? "" : fmt::format("<p>by {}</p>", thread_of_block(*thread)),
      source_at(subject, source, verb + "s here"), element("code", "ptx", source.instruction));
}

/// The earlier access first.
std::string two_accesses(const Subject& subject) {
  const Finding& finding = subject.report.finding;
  const OtherAccess& other = *finding.other;
  return fmt::format("<div class=pair>{}{}</div>",
                     access_section(subject, "First a", other.write, &other.thread, other.source),
                     access_section(subject, "Then a", finding.memory && finding.memory->write,
                                    finding.thread ? &*finding.thread : nullptr, finding.source));
}

/// The note below the marked line, shorter than the message above the source.
std::string line_note(const FindingReport& report) {
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
      return write ? fmt::format("the value stored to {} was never written", report.element)
                   : fmt::format("reads {}", report.element);
    case FindingClass::barrier_divergence:
      return finding.grade == Grade::exited_threads ? "does not wait for threads that have exited"
             : finding.grade == Grade::different_barriers
                 ? "completes with a barrier at another line"
                 : "waits for threads that never arrive";
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

std::string call_list(const SourcePlace& source) {
  std::string text;
  for (const CallSite& call : source.calls) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", source_name(call.file), call.line);
  }
  return text;
}

std::string confirmed_text(const FindingReport& report) {
  if (report.confirmations == 0) return "";
  return fmt::format("in {} of {} runs{}", report.confirmed, report.confirmations,
                     report.flaky() ? ", so it is flaky" : "");
}

std::string fact_list(const FindingReport& report) {
  const Finding& finding = report.finding;
  Facts facts;
  if (finding.thread && !finding.other) facts.add("Thread", thread_of_block(*finding.thread));
  facts.add("Element", report.element);
  facts.add("Diagnosis", diagnosis_text(report.diagnosis));
  for (const std::string& note : evidence_notes(report)) facts.add("Note", note);
  if (finding.count > 1) facts.add("Occurred", fmt::format("{} times", grouped(finding.count)));
  if (!finding.other) facts.add_code("Instruction", finding.source.instruction);
  facts.add("Called from", call_list(finding.source));
  facts.add("Property", property_text(report));
  facts.add("Confirmed", confirmed_text(report));
  facts.add("Also", more_cases_text(report));
  facts.add("Regression", report.regression);
  return facts.list();
}

/// A line to copy, with a button that scripts make visible.
std::string to_copy(std::string_view label, const std::string& text) {
  return fmt::format(
      "<div class=copy><h4>{0}</h4><div class=line><code tabindex=0 role=region aria-label=\"{0}\">"
      "{1}</code><button type=button hidden data-copy aria-label=\"Copy: {0}\">Copy</button></div>"
      "</div>",
      label, escaped(text));
}

/// The calls of the host, a list for each stack.
std::string host_calls(const FindingReport& report) {
  std::string text;
  for (const device::RelatedStack& stack : report.stacks) {
    std::string items;
    for (const device::HostFrame& frame : stack.frames) {
      items += fmt::format("<li>{}</li>", element("code", "", frame_text(frame)));
    }
    if (!items.empty())
      text += fmt::format("<h4>{}</h4><ol>{}</ol>\n", escaped(stack.title), items);
  }
  return text;
}

std::string case_lines(const Subject& subject) {
  const FindingReport& report = subject.report;
  if (report.is_program()) return host_calls(report);
  const auto& replay_command = subject.context.replay_command;
  std::string text = to_copy("Smallest case", to_line(report.smallest));
  if (replay_command) text += to_copy("Replay", replay_command(report.smallest));
  if (report.original != report.smallest) {
    text += to_copy(fmt::format("As generated; shrunk in {} launches", report.shrink_launches),
                    to_line(report.original));
  }
  return text;
}

std::string kernel_output(const FindingReport& report) {
  if (report.printed.empty()) return "";
  return fmt::format(
      "<details><summary>Output of the kernel</summary><pre tabindex=0 role=region "
      "aria-label=\"Output of the kernel\">{}</pre></details>",
      escaped(report.printed));
}

/// The case of the map, if it is not the generated one.
std::string mapped_case(const FindingReport& report) {
  if (report.map->line == to_line(report.original)) return "";
  return to_copy("Case of the map, larger than the generated one", report.map->line);
}

std::string known_reason(const FindingReport& report) {
  if (report.known.empty()) return "";
  return fmt::format("<p class=reason><strong>Known failure, accepted{}:</strong> {}</p>\n",
                     report.is_program() ? "" : " by the gate", escaped(report.known));
}

/// The likely fixes. The usual ones of the class, if there is no other, or if the other is only a
/// change of the contract.
std::string help_paragraphs(const FindingReport& report) {
  std::vector<std::string> texts = help_texts(report);
  const bool only_intended =
      texts.size() == 1 && report.advice.kind == campaign::Advice::Kind::if_intended;
  if (texts.empty() && is_unwritten(report)) {
    texts.emplace_back(
        "No thread stores these elements. Compare the grid, the bounds of loops and the edge tests "
        "with the rows and columns of D.");
  } else if (texts.empty() || only_intended) {
    const Rule& rule = rules()[static_cast<std::size_t>(report.finding.kind)];
    texts.emplace(texts.begin(), rule.help);
  }
  std::string text;
  for (const std::string& help : texts) {
    text += fmt::format("<p class=help><strong>Help:</strong> {}</p>\n", escaped(help));
  }
  return text;
}

/// A table of the worst elements. Empty if there are none, and for a single wrong element, which
/// the message describes.
std::string worst_table(const std::vector<campaign::judge::WrongElement>& worst,
                        std::string_view caption) {
  if (worst.size() < 2) return "";
  std::string titles;
  for (const std::string& title : kElementTitles) {
    titles += fmt::format("<th scope=col{}>{}</th>", titles.empty() ? "" : " class=number", title);
  }
  std::string rows;
  for (const ElementRow& row : worst_elements(worst)) {
    rows += fmt::format("<tr><th scope=row>{}</th>", escaped(row[0]));
    for (std::size_t i = 1; i < row.size(); ++i) {
      rows += cell(kElementTitles[i], escaped(row[i]), "number");
    }
    rows += "</tr>\n";
  }
  return fmt::format(
      "<div class=scroll tabindex=0 role=region aria-label=\"Wrong elements\">"
      "<table class=worst><caption>{}</caption>"
      "<thead><tr>{}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
      caption, titles, rows);
}

/// The source and facts, next to the map if there is one.
std::string article_body(const Subject& subject) {
  const FindingReport& report = subject.report;
  const auto& mismatch = report.mismatch;
  const std::string rest = (mismatch ? worst_table(mismatch->worst, "The worst elements") : "") +
                           case_lines(subject) + fact_list(report) + kernel_output(report);
  if (report.finding.other) return two_accesses(subject) + rest;
  const std::string source = source_at(subject, report.finding.source, line_note(report));
  if (!report.map) return source + rest;
  return fmt::format(
      "<div class=pair><div>{}{}</div><div>{}{}{}</div></div>", source, rest, heat_map(*report.map),
      worst_table(report.map->worst, "The worst elements of the map"), mapped_case(report));
}

}  // namespace

std::string finding_article(const ReportContext& context, const campaign::VariantReport& variant,
                            const FindingReport& report, std::size_t number) {
  return fmt::format(
      "<article class=\"finding{6}\" id=finding-{0} aria-labelledby=finding-{0}-title>\n"
      "<p class=kicker>{1} <span class=variant>{2}</span> on the {3} "
      "device</p>\n<h3 id=finding-{0}-title>{4}</h3>\n{7}<p class=message>{10}{5}</p>\n{9}{8}\n"
      "</article>\n",
      number, class_label(report), escaped(report.variant), escaped(report.device),
      headline(report), escaped(message_text(report.finding)), report.known.empty() ? "" : " known",
      known_reason(report), article_body({context, variant, report}), help_paragraphs(report),
      report.is_program() ? "" : "On the smallest case: ");
}

}  // namespace warpcheck::report::html
