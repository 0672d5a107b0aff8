#include "workflows/history/json/json_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpcheck::workflows::history {
namespace {

using campaign::judge::Axis;
using campaign::judge::Cause;
using campaign::judge::CauseKind;
using campaign::judge::Diagnosis;
using campaign::judge::Pattern;
using campaign::judge::PatternKind;
using Json = nlohmann::ordered_json;

// The names follow the order of the enumerations.
constexpr std::array<std::string_view, 2> kAxes = {"row", "column"};
constexpr std::array<std::string_view, 8> kPatterns = {"none",     "every element", "one element",
                                                       "one line", "partial tile",  "residue",
                                                       "tile",     "whole tile"};
constexpr std::array<std::string_view, 21> kCauses = {"none",
                                                      "unwritten",
                                                      "no terms",
                                                      "last terms missing",
                                                      "first terms missing",
                                                      "one term missing",
                                                      "one term doubled",
                                                      "bias missing",
                                                      "C missing",
                                                      "C without beta",
                                                      "C doubled",
                                                      "C despite zero beta",
                                                      "NaN in C",
                                                      "alpha missing",
                                                      "alpha doubled",
                                                      "product negated",
                                                      "product doubled",
                                                      "transposed",
                                                      "shifted",
                                                      "all NaN",
                                                      "all zero"};
static_assert(kPatterns.size() == static_cast<std::size_t>(PatternKind::whole_tile) + 1);
static_assert(kCauses.size() == static_cast<std::size_t>(CauseKind::all_zero) + 1);

template <typename Kind, std::size_t count>
Json name_of(const std::array<std::string_view, count>& names, Kind kind) {
  return names.at(static_cast<std::size_t>(kind));
}

template <typename Kind, std::size_t count>
Kind kind_of(const std::array<std::string_view, count>& names, const Json& value) {
  const auto word = value.get<std::string>();
  const auto* const found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) {
    throw std::runtime_error(fmt::format("found '{}', expected a kind of diagnosis", word));
  }
  return static_cast<Kind>(std::distance(names.begin(), found));
}

Json json(const Pattern& pattern) {
  return {{"kind", name_of(kPatterns, pattern.kind)},
          {"axis", name_of(kAxes, pattern.axis)},
          {"first", pattern.first},
          {"last", pattern.last},
          {"at_end", pattern.at_end},
          {"size", pattern.size},
          {"row", pattern.row},
          {"column", pattern.column}};
}

Pattern pattern_from(const Json& value) {
  return {kind_of<PatternKind>(kPatterns, value.at("kind")),
          kind_of<Axis>(kAxes, value.at("axis")),
          value.at("first"),
          value.at("last"),
          value.at("at_end"),
          value.at("size"),
          value.at("row"),
          value.at("column")};
}

Json json(const Cause& cause) {
  return {{"kind", name_of(kCauses, cause.kind)},
          {"k_begin", cause.k_begin},
          {"k_end", cause.k_end},
          {"rows_down", cause.rows_down},
          {"columns_right", cause.columns_right}};
}

Cause cause_from(const Json& value) {
  return {kind_of<CauseKind>(kCauses, value.at("kind")), value.at("k_begin"), value.at("k_end"),
          value.at("rows_down"), value.at("columns_right")};
}

}  // namespace

Json diagnosis_json(const Diagnosis& diagnosis) {
  return {{"pattern", json(diagnosis.pattern)},
          {"cause", json(diagnosis.cause)},
          {"element", diagnosis.element},
          {"text", diagnosis.text}};
}

Diagnosis diagnosis_of(const Json& value) {
  if (value.is_string()) {  // retired spelling
    Diagnosis recorded;
    recorded.text = value.get<std::string>();
    return recorded;
  }
  return {pattern_from(value.at("pattern")), cause_from(value.at("cause")),
          value.at("element").get<std::string>(), value.at("text").get<std::string>()};
}

}  // namespace warpcheck::workflows::history
