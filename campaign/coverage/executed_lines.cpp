#include "campaign/coverage/executed_lines.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "campaign/coverage/line_marks.hpp"
#include "campaign/coverage/source_branches.hpp"

namespace warpcheck::campaign::coverage {
namespace {

using device::CoveredBlock;
using device::CoveredCondition;
using device::CoveredEdge;

// Numbers of parts: two for each instruction.
std::uint32_t part_of(const CoveredBlock& block) { return 2 * block.first; }
std::uint32_t part_of(const CoveredCondition& condition) { return 2 * condition.at + 1; }

std::set<std::uint32_t> parts_of(const device::Coverage& coverage) {
  std::set<std::uint32_t> parts;
  for (const CoveredBlock& block : coverage.blocks) {
    if (block.warps != 0) parts.insert(part_of(block));
  }
  for (const CoveredCondition& condition : coverage.conditions) {
    if (condition.held != 0) parts.insert(part_of(condition));
  }
  return parts;
}

/// Returns "ld.global.f32" of "@!%p1 ld.global.f32 %f1, [%rd1];".
std::string_view opcode_of(std::string_view instruction) {
  if (instruction.starts_with('@')) {
    instruction.remove_prefix(std::min(instruction.find(' '), instruction.size()));
    instruction.remove_prefix(std::min(instruction.find_first_not_of(" \t"), instruction.size()));
  }
  return instruction.substr(0, instruction.find_first_of(" \t;"));
}

/// Returns false for integer arithmetic, comparisons, moves and branches, which compute addresses
/// and conditions.
bool is_work(std::string_view instruction) {
  constexpr std::array<std::string_view, 25> kWork = {
      "ld",   "ldu",   "st",    "red",      "atom",     "cp",        "bar",  "barrier", "mbarrier",
      "mma",  "wmma",  "wgmma", "ldmatrix", "stmatrix", "movmatrix", "shfl", "vote",    "match",
      "call", "redux", "tex",   "membar",   "fence",    "trap",      "dp4a"};
  constexpr std::array<std::string_view, 4> kFloat = {".f16", ".f32", ".f64", ".bf16"};
  const std::string_view opcode = opcode_of(instruction);
  const std::string_view base = opcode.substr(0, opcode.find('.'));
  if (opcode.starts_with("ld.param") || base == "mov" || base == "selp") return false;
  return std::find(kWork.begin(), kWork.end(), base) != kWork.end() ||
         std::any_of(kFloat.begin(), kFloat.end(), [&](std::string_view type) {
           return opcode.find(type) != std::string_view::npos;
         });
}

bool is_fatal(std::string_view instruction) {
  const std::string_view opcode = opcode_of(instruction);
  return opcode == "trap" || opcode == "brkpt" ||
         (opcode.starts_with("call") && instruction.find("__assert") != std::string_view::npos);
}

SourceLine source_line(const SourcePlace& place) { return {place.file, place.line}; }

/// Equal for the copies of a line that the compiler makes within one chain of inlined calls.
std::string copy_key(const SourcePlace& place) {
  std::string key = place.file + ":" + std::to_string(place.line);
  for (const CallSite& call : place.calls) key += " " + call.file + ":" + std::to_string(call.line);
  return key;
}

/// The basic blocks of a program by the number of their first instruction.
class Blocks {
 public:
  explicit Blocks(const device::Coverage& coverage) {
    for (const CoveredBlock& block : coverage.blocks) blocks_.emplace(block.first, block);
    for (const CoveredEdge& edge : coverage.edges) {
      if (edge.from == device::kEntry) continue;
      if (const auto from = of(edge.from)) edges_.emplace_back(*from, edge.to);
    }
  }

  [[nodiscard]] const std::map<std::uint32_t, CoveredBlock>& all() const { return blocks_; }

  /// Returns the first instruction of the block that contains an instruction.
  [[nodiscard]] std::optional<std::uint32_t> of(std::uint32_t instruction) const {
    const auto after = blocks_.upper_bound(instruction);
    if (after == blocks_.begin()) return std::nullopt;
    const CoveredBlock& block = std::prev(after)->second;
    if (instruction - block.first >= block.instructions) return std::nullopt;
    return block.first;
  }

  /// Adds the blocks from which every way leads to one of `fatal`.
  void add_leading_to(std::set<std::uint32_t>& fatal) const {
    for (bool more = true; more;) {
      more = false;
      std::map<std::uint32_t, bool> all_fatal;  // true: all successors of the block are fatal
      for (const auto& [from, to] : edges_) {
        const auto at = all_fatal.try_emplace(from, true).first;
        at->second = at->second && fatal.contains(to);
      }
      for (const auto& [block, leads] : all_fatal) {
        if (leads) more = fatal.insert(block).second || more;
      }
    }
  }

  /// Returns a number for each block that was not executed; connected ones have the same number.
  [[nodiscard]] std::map<std::uint32_t, std::uint32_t> unexecuted_regions() const {
    std::map<std::uint32_t, std::uint32_t> region;
    for (const auto& [first, block] : blocks_) {
      if (block.warps == 0) region.emplace(first, first);
    }
    for (bool more = true; more;) {
      more = false;
      for (const auto& [from, to] : edges_) {
        const auto one = region.find(from);
        const auto other = region.find(to);
        if (one == region.end() || other == region.end() || one->second == other->second) continue;
        one->second = other->second = std::min(one->second, other->second);
        more = true;
      }
    }
    return region;
  }

 private:
  std::map<std::uint32_t, CoveredBlock> blocks_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

struct LineState {
  bool required = false;  // an instruction of the line need not lead to a trap
  bool executed = false;
  bool copied = true;  // each of its instructions is next to copies of executed work
};

class LineStates {
 public:
  LineStates(const Places& places, const std::set<std::uint32_t>& fatal,
             const device::Coverage& sum)
      : places_(places),
        fatal_(fatal),
        blocks_(sum),
        guards_(guards_of(places, sum)),
        regions_(blocks_.unexecuted_regions()) {}

  std::map<SourceLine, LineState> read() {
    find_copies();
    std::map<SourceLine, LineState> lines;
    each_instruction([&](std::uint32_t block, std::uint32_t number, const SourcePlace& place) {
      LineState& line = lines[source_line(place)];
      line.required = line.required || !(fatal_.contains(block) || is_fatal(place.instruction));
      line.executed = line.executed || is_executed(block, number);
      line.copied = line.copied && is_copied(block, place);
    });
    return lines;
  }

 private:
  template <typename Visit>
  void each_instruction(const Visit& visit) const {
    for (const auto& [first, block] : blocks_.all()) {
      const auto end = places_.lower_bound(first + block.instructions);
      for (auto at = places_.lower_bound(first); at != end; ++at) {
        visit(first, at->first, at->second);
      }
    }
  }

  [[nodiscard]] bool is_executed(std::uint32_t block, std::uint32_t number) const {
    const auto guard = guards_.find(number);
    return blocks_.all().at(block).warps != 0 &&
           (guard == guards_.end() || guard->second.held != 0);
  }

  /// Finds the regions whose work has executed copies.
  void find_copies() {
    std::set<std::string> executed;
    each_instruction([&](std::uint32_t block, std::uint32_t number, const SourcePlace& place) {
      if (is_executed(block, number)) executed.insert(copy_key(place));
    });
    each_instruction([&](std::uint32_t block, std::uint32_t, const SourcePlace& place) {
      const auto region = regions_.find(block);
      if (region == regions_.end() || !is_work(place.instruction)) return;
      bool& copied = copies_.try_emplace(region->second, true).first->second;
      copied = copied && executed.contains(copy_key(place));
    });
  }

  [[nodiscard]] bool is_copied(std::uint32_t block, const SourcePlace& place) const {
    const auto region = regions_.find(block);
    if (region == regions_.end() || is_work(place.instruction)) return false;
    const auto copied = copies_.find(region->second);
    return copied != copies_.end() && copied->second;
  }

  const Places& places_;
  const std::set<std::uint32_t>& fatal_;
  Blocks blocks_;
  Guards guards_;
  std::map<std::uint32_t, std::uint32_t> regions_;
  std::map<std::uint32_t, bool> copies_;  // regions with work; true: all of it has executed copies
};

std::string text_of(const contract::Variant& variant, const std::string& file) {
  if (variant.compiled && normal_file(variant.compiled->source_file) == file) {
    return variant.compiled->source;
  }
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

ExecutedParts new_parts(const device::Coverage& sum, const device::Coverage& covered) {
  const std::set<std::uint32_t> known = parts_of(sum);
  ExecutedParts parts;
  for (const std::uint32_t part : parts_of(covered)) {
    if (!known.contains(part)) parts.push_back(part);
  }
  return parts;
}

void mark(device::Coverage& sum, const ExecutedParts& parts) {
  const std::set<std::uint32_t> marked(parts.begin(), parts.end());
  for (CoveredBlock& block : sum.blocks) {
    if (block.warps == 0 && marked.contains(part_of(block))) block.warps = 1;
  }
  for (CoveredCondition& condition : sum.conditions) {
    if (condition.held == 0 && marked.contains(part_of(condition))) condition.held = 1;
  }
}

ExecutedLines ExecutedLinesReader::read(const device::Coverage& sum) {
  if (sum.blocks.size() != known_blocks_) find_places(sum);
  ExecutedLines result;
  for (const auto& [line, state] : LineStates(places_, fatal_, sum).read()) {
    if (!state.executed && (!state.required || state.copied || is_marked(line))) continue;
    ++result.required;
    if (!state.executed) result.unexecuted.push_back(line);
  }
  return result;
}

void ExecutedLinesReader::find_places(const device::Coverage& sum) {
  known_blocks_ = sum.blocks.size();
  places_ = source_places(program_, program_.functions_by_number(), sum);
  fatal_.clear();
  for (const CoveredBlock& block : sum.blocks) {
    for (std::uint32_t i = block.first; i < block.first + block.instructions; ++i) {
      const std::string instruction = program_.place(i).instruction;
      if (is_fatal(instruction) && !instruction.starts_with('@')) fatal_.insert(block.first);
    }
  }
  Blocks(sum).add_leading_to(fatal_);
}

bool ExecutedLinesReader::is_marked(const SourceLine& line) {
  const auto [marks, is_new] = marks_.try_emplace(line.file);
  if (is_new) marks->second = marked_lines(text_of(variant_, line.file));
  return marks->second.contains(line.line);
}

}  // namespace warpcheck::campaign::coverage
