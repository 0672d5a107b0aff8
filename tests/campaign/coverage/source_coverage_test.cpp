// Laws of merging source coverage.
#include "campaign/coverage/source_coverage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace warpcheck::campaign::coverage {
namespace {

struct Lines {
  std::map<unsigned, LineCoverage> lines;
  std::map<std::pair<unsigned, std::string>, FunctionCoverage> functions;
};

/// A branch of a line and a kernel that begins there.
using Entry = std::tuple<std::string, unsigned, unsigned, unsigned, std::uint64_t>;

/// Sorts the entries into files. The last of equal entries counts.
SourceCoverage coverage_of(const std::vector<Entry>& entries) {
  std::map<std::string, Lines> files;
  for (const auto& [file, line, column, arm, count] : entries) {
    Lines& lines = files[file];
    LineCoverage& covered = lines.lines[line];
    covered.line = line;
    covered.warps = count;
    std::map<std::pair<unsigned, unsigned>, BranchCoverage> branches;
    for (const BranchCoverage& branch : covered.branches) {
      branches[{branch.column, branch.arm}] = branch;
    }
    branches[{column, arm}] = {column, arm, count, count / 2};
    covered.branches.clear();
    for (const auto& [key, branch] : branches) covered.branches.push_back(branch);
    const std::string name = column == 1 ? "gemm" : "reduce";
    lines.functions[{line, name}] = {name, line, count};
  }
  SourceCoverage coverage;
  for (const auto& [name, lines] : files) {
    FileCoverage& file = coverage.files.emplace_back();
    file.file = name;
    for (const auto& [number, line] : lines.lines) file.lines.push_back(line);
    for (const auto& [key, function] : lines.functions) file.functions.push_back(function);
  }
  return coverage;
}

SourceCoverage any_coverage() {
  const auto entry = rc::gen::tuple(
      rc::gen::element<std::string>("gemm.cu", "tile.cuh"), rc::gen::inRange(1U, 6U),
      rc::gen::inRange(1U, 4U), rc::gen::inRange(0U, 2U), rc::gen::inRange<std::uint64_t>(0, 9));
  return coverage_of(*rc::gen::container<std::vector<Entry>>(entry));
}

SourceCoverage merged(SourceCoverage sum, const SourceCoverage& part) {
  merge(sum, part);
  return sum;
}

RC_GTEST_PROP(SourceCoverage, MergeIsCommutative, ()) {
  const SourceCoverage a = any_coverage();
  const SourceCoverage b = any_coverage();
  RC_ASSERT(merged(a, b) == merged(b, a));
}

RC_GTEST_PROP(SourceCoverage, MergeIsAssociative, ()) {
  const SourceCoverage a = any_coverage();
  const SourceCoverage b = any_coverage();
  const SourceCoverage c = any_coverage();
  RC_ASSERT(merged(merged(a, b), c) == merged(a, merged(b, c)));
}

RC_GTEST_PROP(SourceCoverage, EmptyCoverageIsTheIdentityOfMerge, ()) {
  const SourceCoverage a = any_coverage();
  RC_ASSERT(merged(a, {}) == a);
  RC_ASSERT(merged({}, a) == a);
}

RC_GTEST_PROP(SourceCoverage, MergeAddsExecutions, ()) {
  const SourceCoverage a = any_coverage();
  const SourceCoverage twice = merged(a, a);
  RC_ASSERT(twice.files.size() == a.files.size());
  for (std::size_t i = 0; i < a.files.size(); ++i) {
    RC_ASSERT(twice.files[i].lines.size() == a.files[i].lines.size());
    for (std::size_t j = 0; j < a.files[i].lines.size(); ++j) {
      RC_ASSERT(twice.files[i].lines[j].warps == 2 * a.files[i].lines[j].warps);
    }
  }
  RC_ASSERT(twice.lines().met == a.lines().met);
}

}  // namespace
}  // namespace warpcheck::campaign::coverage
