#include "report/failure_block.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "base/text/characters.hpp"
#include "properties/law.hpp"
#include "report/call_stack_text.hpp"
#include "report/finding/finding_text.hpp"
#include "report/finding/message.hpp"
#include "report/finding/worst_elements.hpp"
#include "report/finding/wrapped.hpp"
#include "report/path.hpp"
#include "report/wording.hpp"

namespace warpcheck::report {
namespace {

namespace judge = campaign::judge;
using campaign::FindingReport;
using campaign::run::Excerpt;

constexpr std::size_t kWidestSourceLine = 160;  // characters; generated sources have longer ones
constexpr std::ptrdiff_t kMostLines = 25;
constexpr std::size_t kCalls = 3;
constexpr std::size_t kNarrowest = 40;
constexpr unsigned kAround = 2;             // lines before and after the place of a finding
constexpr std::string_view kIndent = "  ";  // indentation of wrapped lines

/// The number of lines shown of each text that may have many.
struct Lengths {
  std::size_t message = 4;
  std::size_t diagnosis = 2;
  std::size_t printed = 3;
  std::size_t worst = 5;  // elements

  /// Removes a line of the least important text that has more than one; false if none has.
  [[nodiscard]] bool shorten() {
    for (std::size_t* length : {&printed, &worst, &message, &diagnosis}) {
      if (*length == 1) continue;
      --*length;
      return true;
    }
    return false;
  }
};

/// The first `most` lines; if there are more, the last one states how many.
std::vector<std::string> first_lines(std::string_view text, std::size_t most) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(printable(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  if (lines.size() > most && most == 1) {
    lines.front() += fmt::format(" ... and {} more lines", lines.size() - 1);
    lines.resize(1);
  } else if (lines.size() > most) {
    const std::size_t left_out = lines.size() - most + 1;
    lines.resize(most);
    lines.back() = fmt::format("... and {} more lines", left_out);
  }
  return lines;
}

/// The number of accesses at the places of a race.
std::string met_text(const Finding& finding) {
  const bool is_access = finding.kind != FindingClass::barrier_divergence;
  return finding.count == 1 || !is_access ? std::string()
                                          : fmt::format("; {} such accesses", finding.count);
}

/// The calls that lead to an inlined line, the one in the kernel last.
std::string calls_text(const SourcePlace& source) {
  const auto text = [](const CallSite& call) {
    return fmt::format("{}:{}", shown_path(call.file), call.line);
  };
  if (source.calls.size() > kCalls) {
    return fmt::format("from {} ... {}", text(source.calls.front()), text(source.calls.back()));
  }
  std::string all;
  for (const CallSite& call : source.calls) {
    all += fmt::format("{}{}", all.empty() ? "from " : ", ", text(call));
  }
  return all;
}

class Block {
 public:
  Block(const Paint& paint, const BlockStyle& style)
      : paint_(paint), columns_(std::max(style.columns, kNarrowest)) {}

  void line(std::string_view text) { text_ += fmt::format("{}\n", text); }

  /// A coloured title and wrapped lines; all lines but the first are indented.
  void titled(Ink ink, std::string_view title, const std::vector<std::string>& values) {
    std::string before = paint_(ink, title) + ": ";
    std::size_t used = title.size() + 2;
    for (const std::string& value : values) {
      for (const std::string& part : wrapped(value, columns_ - kIndent.size(), columns_ - used)) {
        line(before + part);
        before = kIndent;
        used = kIndent.size();
      }
    }
  }

  void field(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    line(fmt::format("  {} {}", paint_(Ink::faint, fmt::format("{:<10}", name)), value));
  }

  /// One field of several lines; the name is before the first.
  void field(std::string_view name, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) field(i == 0 ? name : "", values[i]);
  }

  /// The lines of a place, at most `around` before and after its own.
  void place(const LabelledPlace& place, unsigned around) {
    const SourcePlace& source = *place.source;
    const Excerpt& excerpt = *place.excerpt;
    if (source.line == 0) return;
    line(fmt::format("  {} {}{}", paint_(Ink::faint, "-->"), place_text(source),
                     source.column == 0 ? "" : fmt::format(":{}", source.column)));
    for (std::size_t i = 0; i < excerpt.lines.size(); ++i) {
      const auto number = static_cast<unsigned>(excerpt.first_line + i);
      if (number + around < excerpt.line || number > excerpt.line + around) continue;
      const bool here = number == excerpt.line;
      const std::string text = printable(excerpt.lines[i]).substr(0, kWidestSourceLine);
      const std::string row =
          fmt::format("{} {:>4} |{}{}", here ? '>' : ' ', number, text.empty() ? "" : " ", text);
      line(fmt::format("  {}", here ? paint_(Ink::bold, row) : row));
      if (here) caret(excerpt.lines[i], source.column, place.label);
    }
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  /// Prints a caret below the column, also after UTF-8 and tabs.
  void caret(std::string_view text, unsigned column, std::string_view label) {
    if (column == 0 || column > std::min(text.size(), kWidestSourceLine)) return;
    std::string indent;
    for (const char c : text.substr(0, column - 1)) {
      if (!continues_character(c)) indent += c == '\t' ? '\t' : ' ';
    }
    const std::string mark = label.empty() ? "^" : fmt::format("^ {}", label);
    line(fmt::format("         | {}{}", indent, paint_(Ink::red, mark)));
  }

  const Paint& paint_;
  std::size_t columns_;
  std::string text_;
};

/// The lines of a table of the worst elements, at most `most` of them. Without `verbose` it is
/// empty for a single wrong element, which the message describes.
std::vector<std::string> worst_table(const FindingReport& report, bool verbose, std::size_t most) {
  if (!report.mismatch || (report.mismatch->wrong < 2 && !verbose)) return {};
  std::vector<ElementRow> rows = worst_elements(report.mismatch->worst);
  if (rows.empty()) return {};
  rows.resize(std::min(rows.size(), verbose ? judge::WorstElements::kMost : most));
  rows.insert(rows.begin(), kElementTitles);
  std::array<std::size_t, std::tuple_size_v<ElementRow>> widths{};
  for (const ElementRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::vector<std::string> lines;
  for (const ElementRow& row : rows) {
    std::string& line = lines.emplace_back(fmt::format("{:<{}}", row[0], widths[0]));
    for (std::size_t i = 1; i < row.size(); ++i) {
      line += fmt::format("  {:>{}}", row[i], widths[i]);
    }
  }
  return lines;
}

std::string confirmation_text(const FindingReport& report) {
  std::string text = fmt::format("{} of {} runs{}", report.confirmed, report.confirmations,
                                 report.flaky() ? ", so it is flaky" : "");
  if (report.original != report.smallest) {
    text += fmt::format("; shrunk in {} launches from {}", report.shrink_launches,
                        to_line(report.original));
  }
  return text;
}

/// The place of the first access of a race, on a line of its own.
void first_access(Block& block, const FindingText& text) {
  for (const LabelledPlace& other : text.others) {
    const SourcePlace& here = *text.place.source;
    const bool same_line = other.source->line == here.line && other.source->file == here.file;
    block.titled(Ink::bold, "note", {same_line ? other.label + ", in the same line" : other.label});
    if (!same_line) block.place({other.source, other.excerpt, ""}, 0);
  }
}

/// Fields that few readers need.
void details(Block& block, const FindingReport& report) {
  const Finding& finding = report.finding;
  block.field("executing", printable(finding.source.instruction));
  if (finding.other) {
    block.field("after", printable(finding.other->source.instruction) + met_text(finding));
  }
}

/// Fields that are shown if they add to the message.
void facts(Block& block, const FindingReport& report, const BlockStyle& style,
           const Lengths& lengths) {
  const Finding& finding = report.finding;
  if (!report.smallest.variant.empty()) block.field("case", to_line(report.smallest));
  if (!report.is_program()) block.field("device", report.device);
  // The label of the caret names the thread.
  if (finding.thread && (style.verbose || finding.source.column == 0)) {
    block.field("thread", thread_text(*finding.thread));
  }
  if (style.verbose) {
    details(block, report);
  } else if (finding.source.line == 0) {
    block.field("executing", printable(finding.source.instruction));
  }
  // The message names the element of a wrong value.
  if (style.verbose || !is_about_values(finding.kind)) block.field("element", report.element);
  block.field("printed", first_lines(report.printed, lengths.printed));
  const bool is_first = report.property == properties::laws().front().name;
  if (style.verbose || is_about_values(finding.kind) || !is_first) {
    block.field("property", property_text(report));
  }
  if (report.confirmations != 0 && (style.verbose || report.flaky())) {
    block.field("confirmed", confirmation_text(report));
  }
  block.field("also", more_cases_text(report));
  block.field("regression", visible(report.regression));
}

std::string block_of(const FindingReport& report, std::string_view replay_command,
                     const Paint& paint, const BlockStyle& style, const Lengths& lengths) {
  const FindingText text = finding_text(report);
  Block block(paint, style);
  block.titled(Ink::red, text.title, first_lines(text.message, lengths.message));
  block.place(text.place, kAround);
  block.field("called", calls_text(report.finding.source));
  first_access(block, text);
  for (const std::string& note : text.notes) {
    block.titled(Ink::bold, "note", first_lines(note, lengths.diagnosis));
  }
  for (const std::string& help : text.help) block.titled(Ink::green, "help", {help});
  block.field("worst", worst_table(report, style.verbose, lengths.worst));
  facts(block, report, style, lengths);
  block.field("replay", replay_command);
  return block.take();
}

std::string_view adjective(Grade grade) {
  switch (grade) {
    case Grade::same_value:
      return "benign ";
    case Grade::relaxed_order:
      return "relaxed ";
    case Grade::volatile_order:
      return "possibly ";
    case Grade::declared_alignment:
      return "possibly ";
    case Grade::compared_read:
    case Grade::unused_read:
      return "benign ";
    case Grade::library_lanes:
      return "possibly ";
    case Grade::failure:
    case Grade::exited_threads:
    case Grade::different_barriers:
    case Grade::launch_limit:
    case Grade::index_width:
      return "";
  }
  return "";
}

}  // namespace

std::string more_cases_text(const FindingReport& report) {
  if (report.more_cases == 0) return "";
  return counted(report.more_cases, "more case") + " with the same cause";
}

std::string failure_block(const FindingReport& report, std::string_view replay_command,
                          const Paint& paint, const BlockStyle& style) {
  Lengths lengths;
  std::string block = block_of(report, replay_command, paint, style, lengths);
  while (std::count(block.begin(), block.end(), '\n') > kMostLines && lengths.shorten()) {
    block = block_of(report, replay_command, paint, style, lengths);
  }
  if (report.launch != 0) {
    block += fmt::format("  {} {}, launch {}\n", paint(Ink::faint, "kernel    "),
                         visible(report.variant), report.launch);
  }
  return block + stacks_text(report.stacks, paint);
}

std::string note_line(const FindingReport& report) {
  const Finding& finding = report.finding;
  std::string places = place_text(finding.source);
  if (finding.other) {
    const std::string other = place_text(finding.other->source);
    if (other != places) places += " and " + other;
  }
  // A size that is not generated is no failure.
  if (finding.grade == Grade::launch_limit || finding.grade == Grade::index_width) {
    return fmt::format("note: {}: at {}: {}", report.variant, places,
                       visible(message_text(finding)));
  }
  return fmt::format("note: {}: {}{} at {}: {}{}", report.variant, adjective(finding.grade),
                     name(finding.kind), places, printable(message_text(finding)),
                     met_text(finding));
}

}  // namespace warpcheck::report
