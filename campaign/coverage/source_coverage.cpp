#include "campaign/coverage/source_coverage.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "campaign/coverage/source_branches.hpp"
#include "campaign/coverage/source_places.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::coverage {
namespace {

using device::CoveredBlock;
using device::ProgramFunction;

class SourceReader {
 public:
  SourceReader(const contract::Variant& variant, const device::Program& program,
               const device::Coverage& covered)
      : variant_(variant),
        covered_(covered),
        functions_(program.functions_by_number()),
        places_(source_places(program, functions_, covered)) {}

  SourceCoverage read() {
    guards_ = guards_of(places_, covered_);
    add_lines();
    for (const auto& [key, branch] : source_branches(places_, guards_, covered_)) {
      files_[std::get<0>(key)].lines[std::get<1>(key)].branches.push_back(branch);
    }
    add_kernels();
    SourceCoverage coverage;
    for (auto& [name, file] : files_) {
      std::sort(file.functions.begin(), file.functions.end(),
                [](const FunctionCoverage& one, const FunctionCoverage& other) {
                  return std::tie(one.line, one.name) < std::tie(other.line, other.name);
                });
      FileCoverage covered{name, {}, std::move(file.functions)};
      for (auto& [number, line] : file.lines) {
        line.line = number;
        covered.lines.push_back(std::move(line));
      }
      coverage.files.push_back(std::move(covered));
    }
    return coverage;
  }

 private:
  struct File {
    std::map<unsigned, LineCoverage> lines;
    std::vector<FunctionCoverage> functions;
  };

  void add_lines() {
    // The compiler copies a line for each function and each chain of calls that leads to it.
    using Copy = std::tuple<std::string, unsigned, const ProgramFunction*, std::string>;
    std::map<Copy, std::uint64_t> copies;
    for (const CoveredBlock& block : covered_.blocks) {
      for (std::uint32_t i = block.first; i < block.first + block.instructions; ++i) {
        const auto place = places_.find(i);
        if (place == places_.end()) continue;
        const auto guard = guards_.find(i);
        std::uint64_t& warps = copies[copy_of<Copy>(i, place->second)];
        warps = std::max(warps, guard == guards_.end() ? block.warps : guard->second.held);
      }
    }
    for (const auto& [copy, warps] : copies) {
      files_[std::get<0>(copy)].lines[std::get<1>(copy)].warps += warps;
    }
  }

  template <typename Copy>
  [[nodiscard]] Copy copy_of(std::uint32_t instruction, const SourcePlace& place) const {
    const auto function =
        std::find_if(functions_.begin(), functions_.end(),
                     [&](const ProgramFunction& one) { return holds(one, instruction); });
    std::string calls;
    for (const CallSite& call : place.calls) calls += call.file + ":" + std::to_string(call.line);
    return {place.file, place.line, &*function, std::move(calls)};
  }

  void add_kernels() {
    for (std::size_t i = 0; i < variant_.entries.size(); ++i) {
      const std::string& name = variant_.contract.launches[i].kernel;
      for (const ProgramFunction& function : functions_) {
        const auto first = places_.lower_bound(function.first);
        if (function.name != variant_.entries[i].name || first == places_.end() ||
            !holds(function, first->first)) {
          continue;
        }
        const auto& [file, line] = definition(first->second);
        std::vector<FunctionCoverage>& kernels = files_[file].functions;
        const bool known =
            std::any_of(kernels.begin(), kernels.end(),
                        [&](const FunctionCoverage& other) { return other.name == name; });
        if (!known) kernels.push_back({name, line, began(function, covered_)});
      }
    }
  }

  /// nvcc assigns the line of a kernel's name to its first instruction.
  static std::pair<std::string, unsigned> definition(const SourcePlace& first) {
    if (first.calls.empty()) return {first.file, first.line};
    return {normal_file(first.calls.back().file), first.calls.back().line};
  }

  const contract::Variant& variant_;
  const device::Coverage& covered_;
  std::vector<ProgramFunction> functions_;
  Places places_;
  Guards guards_;
  std::map<std::string, File> files_;
};

/// Merges a sorted list into another one and adds elements with equal keys.
template <typename T, typename Key, typename Add>
void merge_sorted(std::vector<T>& sum, const std::vector<T>& part, Key key, Add add) {
  for (const T& one : part) {
    const auto at =
        std::lower_bound(sum.begin(), sum.end(), key(one),
                         [&](const T& other, const auto& wanted) { return key(other) < wanted; });
    if (at == sum.end() || key(*at) != key(one)) {
      sum.insert(at, one);
    } else {
      add(*at, one);
    }
  }
}

void add_branch(BranchCoverage& sum, const BranchCoverage& part) {
  sum.taken += part.taken;
  sum.not_taken += part.not_taken;
}

void add_line(LineCoverage& sum, const LineCoverage& part) {
  sum.warps += part.warps;
  merge_sorted(
      sum.branches, part.branches,
      [](const BranchCoverage& one) { return std::pair(one.column, one.arm); }, add_branch);
}

void add_file(FileCoverage& sum, const FileCoverage& part) {
  merge_sorted(
      sum.lines, part.lines, [](const LineCoverage& one) { return one.line; }, add_line);
  merge_sorted(
      sum.functions, part.functions,
      [](const FunctionCoverage& one) { return std::pair(one.line, one.name); },
      [](FunctionCoverage& one, const FunctionCoverage& other) { one.warps += other.warps; });
}

}  // namespace

Share SourceCoverage::lines() const {
  Share share;
  for (const FileCoverage& file : files) {
    for (const LineCoverage& line : file.lines) {
      ++share.all;
      share.met += line.warps != 0 ? 1 : 0;
    }
  }
  return share;
}

Share SourceCoverage::branches() const {
  Share share;
  for (const FileCoverage& file : files) {
    for (const LineCoverage& line : file.lines) {
      for (const BranchCoverage& branch : line.branches) {
        share.all += 2;
        share.met += (branch.taken != 0 ? 1 : 0) + (branch.not_taken != 0 ? 1 : 0);
      }
    }
  }
  return share;
}

SourceCoverage source_coverage(const contract::Variant& variant, const device::Program& program,
                               const device::Coverage& covered) {
  return SourceReader(variant, program, covered).read();
}

void merge(SourceCoverage& sum, const SourceCoverage& part) {
  merge_sorted(
      sum.files, part.files, [](const FileCoverage& one) { return one.file; }, add_file);
}

}  // namespace warpcheck::campaign::coverage
