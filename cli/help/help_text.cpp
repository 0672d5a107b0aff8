#include "cli/help/help_text.hpp"

#include <fmt/format.h>

#include <sstream>

namespace warpcheck::cli {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kTermWidth = 22;  // a longer term has a line of its own
constexpr std::size_t kTextColumn = kIndent + kTermWidth + 2;

std::string entry_text(const HelpEntry& entry) {
  std::string text = wrapped(entry.text, kTextColumn);
  std::string term = std::string(kIndent, ' ') + entry.term;
  if (entry.term.size() > kTermWidth) return term + "\n" + text;
  return term + text.substr(term.size());
}

std::string help_section(const HelpSection& section) {
  std::string text = section.title + ":\n";
  for (const HelpEntry& entry : section.entries) {
    text += section.title == kExamples
                ? fmt::format("  {}\n{}", entry.term, wrapped(entry.text, kIndent + 4))
                : entry_text(entry);
  }
  return text;
}

}  // namespace

std::string wrapped(const std::string& text, std::size_t indent, std::size_t columns) {
  std::string lines;
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    std::istringstream words(paragraph);
    std::string line;
    for (std::string word; words >> word;) {
      if (!line.empty() && indent + line.size() + 1 + word.size() > columns) {
        lines += std::string(indent, ' ') + line + "\n";
        line.clear();
      }
      line += (line.empty() ? "" : " ") + word;
    }
    lines += std::string(line.empty() ? 0 : indent, ' ') + line + "\n";
  }
  return lines;
}

std::string help_text(const Description& description) {
  std::string text = wrapped(description.name + ": " + description.summary, 0);
  text += "\nUsage: " + description.usage + "\n";
  if (!description.about.empty()) text += "\n" + wrapped(description.about, 0);
  for (const HelpSection& section : description.sections) text += "\n" + help_section(section);
  return text;
}

}  // namespace warpcheck::cli
