// Lines of a source, numbered, with what is known of them beside and beneath them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "report/final_report.hpp"

namespace warpcheck::report::html {

/// Of a source or a part of it.
struct Lines {
  std::string file;
  unsigned first = 1;  // number of text[0]
  std::vector<std::string> text;
};

/// The file as it was compiled, or where that was not heard of, as it lies on this machine; no
/// lines where there is none.
[[nodiscard]] Lines source_lines(const ReportContext& told, const std::string& file);

/// One of them with so many before and after it.
[[nodiscard]] Lines around(const Lines& lines, unsigned line, unsigned before, unsigned after);

/// By line, what is said beneath it: where a finding lies.
using Marks = std::map<unsigned, std::string>;

/// By line, how often it was executed.
struct Executed {
  std::string text;
  bool missed = false;  // never, or not in every way
};
using Coverage = std::map<unsigned, Executed>;

/// A box of its own, in which long lines scroll. `label` names it.
[[nodiscard]] std::string source_box(std::string_view label, const Lines& lines, const Marks& marks,
                                     const Coverage& coverage = {});

}  // namespace warpcheck::report::html
