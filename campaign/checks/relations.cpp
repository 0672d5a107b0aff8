#include "campaign/checks/relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/shown_number.hpp"
#include "campaign/checks/comparison.hpp"
#include "campaign/judge/pattern.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::checks {
namespace {

/// The outputs of two runs of one kernel.
struct Pair {
  const run::Output& one;
  const run::Output& other;
  std::size_t buffer;  // number of the other one in its job
};

bool same_value(double got, double expected) {
  return got == expected || (std::isnan(got) && std::isnan(expected));
}

double factor(const Scaling& scaling, std::int64_t row, std::int64_t column) {
  return scaling.rows[static_cast<std::size_t>(row)] *
         scaling.columns[static_cast<std::size_t>(column)];
}

/// True if the element of the second run follows from the first run's element by the relation.
/// Sets `expected` to the value that the relation requires.
bool agree(const Pair& outputs, judge::Place element, const Relation& relation, double& expected) {
  const auto [row, column] = element;
  const std::optional<judge::Place> from =
      relation.origin ? relation.origin(outputs.other.place, element) : element;
  if (!from) return true;
  expected = outputs.one.value(from->row, from->column);
  if (!relation.scaling) {
    return outputs.other.same_bits(row, column, outputs.one, from->row, from->column) ||
           (relation.allows && relation.allows(outputs.other.place, element,
                                               outputs.other.value(row, column), expected));
  }
  // The scaled value may exceed the largest number of the output's type.
  expected = reference::round_to(outputs.other.place.type,
                                 expected * factor(*relation.scaling, row, column));
  return same_value(outputs.other.value(row, column), expected);
}

/// True if all elements of the row agree. May return false although they do.
bool row_agrees(const Pair& outputs, std::int64_t row, const Relation& relation) {
  if (relation.origin) return false;
  if (!relation.scaling) return outputs.other.same_row(row, outputs.one, row);
  std::vector<double> expected = outputs.one.row(row);
  for (std::size_t j = 0; j < expected.size(); ++j) {
    expected[j] *= factor(*relation.scaling, row, static_cast<std::int64_t>(j));
  }
  reference::round_to(outputs.other.place.type, expected);
  const std::vector<double> after = outputs.other.row(row);
  return std::ranges::equal(after, expected, same_value);
}

/// Returns the error map of the product that contains the first differing element. Rows are
/// numbered consecutively over all products.
judge::ErrorMap mapped(const run::Problem& problem, const Placement& place,
                       std::span<const judge::Place> differing) {
  judge::ErrorMap map =
      judge::empty_map(place.rows, place.columns,
                       judge::output_tile(problem.variant->contract, problem.line, place.name));
  map.product = differing.front().row / place.rows;
  std::vector<judge::Place> within;
  for (const judge::Place& element : differing) {
    if (element.row / place.rows != map.product) continue;
    within.push_back({element.row % place.rows, element.column});
    judge::add_element(map, within.back().row, within.back().column, HUGE_VAL, true);
  }
  map.diagnosis.pattern = judge::pattern_of(within, place.rows, place.columns);
  return map;
}

/// Compares one output. Returns the evidence of a difference.
std::optional<run::Evidence> difference(run::Runner& runner, const run::Problem& second,
                                        const Pair& outputs, const Relation& relation) {
  const bool same_place = !relation.origin && !relation.scaling && !relation.allows;
  if (same_place && outputs.one.same_lines(outputs.other)) return std::nullopt;
  judge::Mismatch mismatch;
  judge::WorstElements worst;
  judge::WrongBox box;                  // wrong elements of the first differing product
  std::vector<judge::Place> differing;  // where they are mapped
  const Placement& place = outputs.other.place;
  mismatch.elements = place.all_rows() * place.columns;
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    if (row_agrees(outputs, row, relation)) continue;
    for (std::int64_t column = 0; column < place.columns; ++column) {
      double expected = 0.0;
      if (agree(outputs, {row, column}, relation, expected)) continue;
      const double got = outputs.other.value(row, column);
      worst.add({row, column, got, expected});
      if (runner.maps_errors()) differing.push_back({row, column});
      const std::int64_t product = row / place.rows;
      if (mismatch.wrong == 0 || product == mismatch.row / place.rows) {
        box.add(row % place.rows, column);
      }
      if (mismatch.wrong++ != 0) continue;
      mismatch.row = row;
      mismatch.column = column;
      mismatch.expected = expected;
      mismatch.got = got;
    }
  }
  if (mismatch.wrong == 0) return std::nullopt;
  mismatch.regions =
      judge::regions_of(box, place.rows, place.columns,
                        judge::output_tile(second.variant->contract, second.line, place.name));
  mismatch.worst = worst.elements();

  const device::BufferAddress byte{outputs.buffer, place.byte_of(mismatch.row, mismatch.column)};
  run::Evidence evidence = wrong_element(place, mismatch);
  evidence.finding.kind = relation.kind;
  const bool both_nan = std::isnan(mismatch.got) && std::isnan(mismatch.expected);
  evidence.finding.message = fmt::format(
      "{} is {} with {}, but {}{} is expected from the run with {}; {} of {} elements {}",
      evidence.element, shown(mismatch.got), relation.second, shown(mismatch.expected),
      both_nan ? " of other bits" : "", relation.first, mismatch.wrong, mismatch.elements,
      mismatch.wrong == 1 ? "differs" : "differ");
  if (!differing.empty()) evidence.map = mapped(second, place, differing);
  runner.locate(second, byte, evidence);
  return evidence;
}

}  // namespace

CheckResult compare(run::Runner& runner, const run::Problem& first, const run::Problem& second,
                    const Relation& relation) {
  return compare(runner, runner.run(first), second, relation);
}

CheckResult compare(run::Runner& runner, const run::Run& one, const run::Problem& second,
                    const Relation& relation) {
  CheckResult result;
  result.printed = one.printed;
  result.launched = one.launched;
  result.evidence = one.evidence;
  if (!one.launched || !result.evidence.empty()) return result;
  run::Run other = runner.run(second);
  result.evidence = std::move(other.evidence);
  if (!result.evidence.empty()) return result;

  std::vector<Pair> outputs;
  for (std::size_t i = 0; i < one.other_outputs.size(); ++i) {
    outputs.push_back({one.other_outputs[i], other.other_outputs[i], second.other_outputs[i]});
  }
  outputs.push_back({one.output, other.output, second.output});
  for (const Pair& pair : outputs) {
    auto evidence = difference(runner, second, pair, relation);
    if (!evidence) continue;
    evidence->printed = other.printed;
    result.evidence.push_back(std::move(*evidence));
    return result;
  }
  return result;
}

}  // namespace warpcheck::campaign::checks
