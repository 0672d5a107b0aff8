#include "device/virtual/common_cause.hpp"

#include <algorithm>
#include <utility>

#include "device/virtual/machine/core/paths.hpp"

namespace warpcheck::device {
namespace {

bool same_line(const SourcePlace& one, const SourcePlace& other) {
  return one.ptx_line == other.ptx_line ||
         (one.line != 0 && one.line == other.line && one.file == other.file);
}

/// True if a race that is a failure contains the accesses of a race that is a note: unordered
/// writes of the same value, which another thread reads, are one defect.
bool explains(const Finding& race, const Finding& note) {
  if (race.kind != FindingClass::race || race.grade != Grade::failure) return false;
  if (!race.other || !note.other || !race.memory || !note.memory) return false;
  if (race.memory->name != note.memory->name) return false;
  const auto has = [&race](const SourcePlace& place) {
    return same_line(race.source, place) || same_line(race.other->source, place);
  };
  return note.grade == Grade::same_value ? has(note.source) || has(note.other->source)
                                         : has(note.source) && has(note.other->source);
}

using machine::FunctionCode;
using machine::RacingPair;

bool lacks_a_barrier(const Finding& finding) {
  return finding.grade == Grade::failure && finding.other && finding.missing &&
         finding.missing->kind == MissingOrder::Kind::barrier;
}

/// Races of one function that one missing barrier would order.
struct JoinedRaces {
  Finding* finding = nullptr;  // the first race
  const FunctionCode* code = nullptr;
  std::vector<RacingPair> pairs;

  /// Adds a race if one barrier orders it and the earlier ones.
  [[nodiscard]] bool join(const RacingPair& pair) {
    pairs.push_back(pair);
    if (one_barrier_orders(*code, pairs)) return true;
    pairs.pop_back();
    return false;
  }
};

/// The function of both accesses, with their ops; null if they are in two functions.
std::pair<const FunctionCode*, RacingPair> pair_of(const machine::Program& program,
                                                   const Finding& race) {
  for (const FunctionCode& code : program.functions) {
    const RacingPair pair{machine::op_at(code, race.other->source.ptx_line),
                          machine::op_at(code, race.source.ptx_line)};
    if (pair.one != nullptr && pair.other != nullptr) return {&code, pair};
  }
  return {};
}

}  // namespace

void remove_explained_notes(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (const Finding& note : findings) {
    const bool explained = note.grade != Grade::failure &&
                           std::any_of(findings.begin(), findings.end(),
                                       [&](const Finding& race) { return explains(race, note); });
    if (!explained) kept.push_back(note);
  }
  findings = std::move(kept);
}

void join_races(const machine::Program& program, std::vector<Finding>& findings) {
  if (std::count_if(findings.begin(), findings.end(), lacks_a_barrier) < 2) return;
  std::vector<JoinedRaces> groups;
  std::vector<bool> joined(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!lacks_a_barrier(findings[i])) continue;
    const auto [code, pair] = pair_of(program, findings[i]);
    if (code == nullptr) continue;
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&, &code = code, &pair = pair](auto& other) {
          return other.code == code && other.join(pair);
        });
    if (group == groups.end()) {
      groups.push_back({&findings[i], code, {pair}});
    } else {
      group->finding->same_cause.push_back(std::move(findings[i]));
      joined[i] = true;
    }
  }
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!joined[i]) kept.push_back(std::move(findings[i]));
  }
  findings = std::move(kept);
}

}  // namespace warpcheck::device
