#include "cli/help/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/help/help_text.hpp"
#include "cli/help/version.hpp"

namespace warpcheck::cli {
namespace {

/// Escapes what roff interprets, except at the beginning of a line.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    if (character == '\\') {
      result += "\\e";
    } else if (character == '-') {
      result += "\\-";  // roff prints a plain one as a hyphen, which a shell does not accept
    } else if (character == '\'') {
      result += "\\(aq";
    } else if (character == '`') {
      result += "\\(ga";
    } else if (character == '~') {
      result += "\\(ti";
    } else if (character == '^') {
      result += "\\(ha";
    } else if (character == '"') {
      result += "\\(dq";
    } else {
      result += character;
    }
  }
  return result;
}

/// Escaped text in lines, each of which roff prints as text.
std::string paragraph(const std::string& text) {
  std::string result;
  std::istringstream lines(wrapped(escaped(text), 0));
  for (std::string line; std::getline(lines, line);) {
    result += (line.starts_with('.') ? "\\&" : "") + line + "\n";
  }
  return result;
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string man_section(const HelpSection& section) {
  std::string text = ".SH " + capitals(escaped(section.title)) + "\n";
  for (const HelpEntry& entry : section.entries) {
    text += fmt::format(".TP\n.B {}\n{}", escaped(entry.term), paragraph(entry.text));
  }
  return text;
}

}  // namespace

std::string page_name(const CommandApp& command) { return dashed(description_of(command).name); }

std::string man_page(const Description& description, const std::vector<std::string>& others,
                     const std::string& date) {
  const std::string name = dashed(description.name);
  std::string page = fmt::format(".TH {} 1 \"{}\" \"warpcheck {}\" \"User Commands\"\n",
                                 capitals(escaped(name)), date, program_version());
  page += fmt::format(".SH NAME\n{} \\- {}\n", escaped(name), escaped(description.summary));
  page += fmt::format(".SH SYNOPSIS\n.B {}\n", escaped(description.usage));
  if (!description.about.empty()) {
    page += fmt::format(".SH DESCRIPTION\n{}", paragraph(description.about));
  }
  for (const HelpSection& section : description.sections) page += man_section(section);
  page += ".SH SEE ALSO\n";
  for (const std::string& other : others) {
    page += fmt::format(".BR {} (1){}\n", escaped(other), &other == &others.back() ? "" : ",");
  }
  return page;
}

}  // namespace warpcheck::cli
