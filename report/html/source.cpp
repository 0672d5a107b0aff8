#include "report/html/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/paths.hpp"
#include "report/html/markup.hpp"
#include "report/wording.hpp"

namespace warpcheck::report::html {
namespace {

constexpr std::size_t kWidestLine = 400;  // characters; generated sources have longer ones

std::string file_text(const ReportContext& context, const std::string& file) {
  const auto compiled = context.sources.find(file);
  if (compiled != context.sources.end()) return compiled->second->source;
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string source_row(unsigned number, const std::string& text, const Marks& marks,
                       const Coverage& coverage) {
  const auto mark = marks.find(number);
  const auto executed = coverage.find(number);
  std::string cells = fmt::format("<td class=n>{}", number);
  if (executed != coverage.end()) {
    cells += fmt::format("<td class={}>{}", executed->second.missed ? "x" : "w",
                         escaped(executed->second.text));
  } else if (!coverage.empty()) {
    cells += "<td class=w>";
  }
  cells += fmt::format("<td class=c>{}", escaped(std::string_view(text).substr(0, kWidestLine)));
  if (mark == marks.end()) return fmt::format("<tr>{}\n", cells);
  return fmt::format("<tr class=hit>{}\n<tr class=note>{}<td><span>{}</span>\n", cells,
                     coverage.empty() ? "<td>" : "<td><td class=w>", escaped(mark->second));
}

}  // namespace

std::string source_name(const std::string& file) {
  const std::string relative = relative_to_repository(file).string();
  return visible(relative.empty() ? file : relative);
}

std::string place_name(const SourcePlace& place) {
  return place.line == 0 ? place_text(place)
                         : fmt::format("{}:{}", source_name(place.file), place.line);
}

Lines source_lines(const ReportContext& context, const std::string& file) {
  Lines lines;
  lines.file = file;
  const std::string text = file_text(context, file);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.text.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

Lines around(const Lines& lines, unsigned line, unsigned before, unsigned after) {
  Lines part;
  part.file = lines.file;
  part.first = line > before ? line - before : 1;
  for (unsigned number = part.first; number <= line + after; ++number) {
    if (number < lines.first || number - lines.first >= lines.text.size()) continue;
    part.text.push_back(lines.text[number - lines.first]);
  }
  return part;
}

std::string source_box(std::string_view label, const Lines& lines, const Marks& marks,
                       const Coverage& coverage) {
  std::string rows;
  for (std::size_t i = 0; i < lines.text.size(); ++i) {
    rows += source_row(lines.first + static_cast<unsigned>(i), lines.text[i], marks, coverage);
  }
  return fmt::format(
      R"(<div class="source" role="region" tabindex="0" aria-label="{}"><table role="presentation">)"
      "\n{}</table></div>",
      escaped(label), rows);
}

}  // namespace warpcheck::report::html
