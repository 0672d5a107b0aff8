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

/// Rows of both runs that are compared.
struct RowPair {
  const run::Output& first;
  std::int64_t from;  // the row of the first run
  const run::Output& second;
  std::int64_t row;
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
bool agree(const RowPair& rows, std::int64_t column, const Relation& relation, double& expected) {
  expected = rows.first.value(rows.from, column);
  if (!relation.scaling) {
    return rows.second.same_bits(rows.row, column, rows.first, rows.from, column);
  }
  // The scaled value may exceed the largest number of the output's type.
  expected = reference::round_to(rows.second.place.type,
                                 expected * factor(*relation.scaling, rows.row, column));
  return same_value(rows.second.value(rows.row, column), expected);
}

/// True if all elements of the rows agree. May return false although they do.
bool rows_agree(const RowPair& rows, const Relation& relation) {
  if (!relation.scaling) return rows.second.same_row(rows.row, rows.first, rows.from);
  std::vector<double> expected = rows.first.row(rows.from);
  for (std::size_t j = 0; j < expected.size(); ++j) {
    expected[j] *= factor(*relation.scaling, rows.row, static_cast<std::int64_t>(j));
  }
  reference::round_to(rows.second.place.type, expected);
  const std::vector<double> after = rows.second.row(rows.row);
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

/// The outputs of two runs of one kernel.
struct Pair {
  const run::Output& one;
  const run::Output& other;
  std::size_t buffer;  // number of the other one in its job
};

/// Compares one output. Returns the evidence of a difference.
std::optional<run::Evidence> difference(run::Runner& runner, const run::Problem& second,
                                        const Pair& outputs, const Relation& relation) {
  const bool same_place = !relation.row && !relation.scaling;
  if (same_place && outputs.one.same_lines(outputs.other)) return std::nullopt;
  judge::Mismatch mismatch;
  judge::WorstElements worst;
  judge::WrongBox box;                  // wrong elements of the first differing product
  std::vector<judge::Place> differing;  // where they are mapped
  const Placement& place = outputs.other.place;
  mismatch.elements = place.all_rows() * place.columns;
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    const std::int64_t from = relation.row ? relation.row(row) : row;
    const RowPair rows{outputs.one, from, outputs.other, row};
    if (rows_agree(rows, relation)) continue;
    for (std::int64_t column = 0; column < place.columns; ++column) {
      double expected = 0.0;
      if (agree(rows, column, relation, expected)) continue;
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
