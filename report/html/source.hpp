// Numbered lines of a source, with coverage next to them and notes below them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// Lines of a source or of a part of it.
struct Lines {
  std::string file;
  unsigned first = 1;  // number of text[0]
  std::vector<std::string> text;
};

/// The file relative to its git repository, or else to the current folder; unchanged if it is
/// outside both. Without control characters.
[[nodiscard]] std::string source_name(const std::string& file);

/// "kernels/mine.cu:15"; "PTX line 87" if the source line is not known.
[[nodiscard]] std::string place_name(const SourcePlace& place);

/// The file as it was compiled, or, if it was not, the file on this machine; no lines if there is
/// none.
[[nodiscard]] Lines source_lines(const ReportContext& context, const std::string& file);

/// The given line with some lines before and after it.
[[nodiscard]] Lines around(const Lines& lines, unsigned line, unsigned before, unsigned after);

/// Notes below lines, keyed by line: the findings there.
using Marks = std::map<unsigned, std::string>;

/// The number of times that a line was executed.
struct Executed {
  std::string text;
  bool missed = false;  // the line was not executed, or a branch lacks a direction
};
using Coverage = std::map<unsigned, Executed>;  // keyed by line

/// A box in which long lines scroll. `label` is its name for screen readers.
[[nodiscard]] std::string source_box(std::string_view label, const Lines& lines, const Marks& marks,
                                     const Coverage& coverage = {});

}  // namespace warpcheck::report::html
