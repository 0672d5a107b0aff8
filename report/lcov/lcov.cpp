#include "report/lcov/lcov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "properties/coverage/source_coverage.hpp"

namespace warpcheck::report {
namespace {

using properties::coverage::BranchCoverage;
using properties::coverage::FileCoverage;
using properties::coverage::FunctionCoverage;
using properties::coverage::LineCoverage;

/// A comma would end the name.
std::string without_commas(std::string name) {
  std::replace(name.begin(), name.end(), ',', ';');
  return name;
}

class Record {
 public:
  std::string text(const FileCoverage& file) {
    say("SF:{}\n", file.file);
    for (const FunctionCoverage& kernel : file.functions) {
      say("FN:{},{}\n", kernel.line, without_commas(kernel.name));
    }
    std::size_t begun = 0;
    for (const FunctionCoverage& kernel : file.functions) {
      say("FNDA:{},{}\n", kernel.warps, without_commas(kernel.name));
      begun += kernel.warps != 0 ? 1 : 0;
    }
    say("FNF:{}\nFNH:{}\n", file.functions.size(), begun);
    const properties::coverage::SourceCoverage alone{{file}};
    for (const LineCoverage& line : file.lines) say_branches(line);
    say("BRF:{}\nBRH:{}\n", alone.branches().all, alone.branches().met);
    for (const LineCoverage& line : file.lines) say("DA:{},{}\n", line.line, line.warps);
    say("LF:{}\nLH:{}\nend_of_record\n", alone.lines().all, alone.lines().met);
    return std::move(text_);
  }

 private:
  template <typename... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  /// A branch is a block of two: "-" says that nothing came to it.
  void say_branches(const LineCoverage& line) {
    for (std::size_t block = 0; block < line.branches.size(); ++block) {
      const BranchCoverage& branch = line.branches[block];
      const bool came = branch.taken != 0 || branch.not_taken != 0;
      say("BRDA:{},{},0,{}\n", line.line, block, came ? fmt::to_string(branch.taken) : "-");
      say("BRDA:{},{},1,{}\n", line.line, block, came ? fmt::to_string(branch.not_taken) : "-");
    }
  }

  std::string text_;
};

}  // namespace

std::string lcov(const ReportContext& told) {
  properties::coverage::SourceCoverage sum;
  for (const properties::campaign::VariantReport& variant : told.totals.variants) {
    if (variant.coverage) merge(sum, *variant.coverage);
  }
  std::string text;
  for (const FileCoverage& file : sum.files) text += "TN:warpcheck\n" + Record().text(file);
  return text;
}

}  // namespace warpcheck::report
