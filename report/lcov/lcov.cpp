#include "report/lcov/lcov.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "campaign/coverage/source_coverage.hpp"
#include "workflows/coverage/campaign_coverage.hpp"

namespace warpcheck::report {
namespace {

using campaign::coverage::BranchCoverage;
using campaign::coverage::FileCoverage;
using campaign::coverage::FunctionCoverage;
using campaign::coverage::LineCoverage;

/// A comma would end the name in the record.
std::string without_commas(std::string name) {
  std::replace(name.begin(), name.end(), ',', ';');
  return name;
}

class Record {
 public:
  std::string text(const FileCoverage& file) {
    add("SF:{}\n", file.file);
    for (const FunctionCoverage& kernel : file.functions) {
      add("FN:{},{}\n", kernel.line, without_commas(kernel.name));
    }
    std::size_t started = 0;
    for (const FunctionCoverage& kernel : file.functions) {
      add("FNDA:{},{}\n", kernel.warps, without_commas(kernel.name));
      started += kernel.warps != 0 ? 1 : 0;
    }
    add("FNF:{}\nFNH:{}\n", file.functions.size(), started);
    const campaign::coverage::SourceCoverage alone{{file}};
    for (const LineCoverage& line : file.lines) add_branches(line);
    add("BRF:{}\nBRH:{}\n", alone.branches().all, alone.branches().met);
    for (const LineCoverage& line : file.lines) add("DA:{},{}\n", line.line, line.warps);
    add("LF:{}\nLH:{}\nend_of_record\n", alone.lines().all, alone.lines().met);
    return std::move(text_);
  }

 private:
  template <typename... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }

  /// A branch is a block of two directions; "-" means that no warp reached it.
  void add_branches(const LineCoverage& line) {
    for (std::size_t block = 0; block < line.branches.size(); ++block) {
      const BranchCoverage& branch = line.branches[block];
      const bool reached = branch.taken != 0 || branch.not_taken != 0;
      add("BRDA:{},{},0,{}\n", line.line, block, reached ? fmt::to_string(branch.taken) : "-");
      add("BRDA:{},{},1,{}\n", line.line, block, reached ? fmt::to_string(branch.not_taken) : "-");
    }
  }

  std::string text_;
};

}  // namespace

std::string lcov(const ReportContext& context) {
  const campaign::coverage::SourceCoverage total =
      workflows::coverage::total_coverage(context.totals);
  std::string text;
  for (const FileCoverage& file : total.files) text += "TN:warpcheck\n" + Record().text(file);
  return text;
}

}  // namespace warpcheck::report
