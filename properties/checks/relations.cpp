#include "properties/checks/relations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/shown_number.hpp"
#include "properties/judge/pattern.hpp"

namespace warpcheck::properties::checks {
namespace {

/// True if the element of the second run follows from the first run's element by the relation.
/// Sets `expected` to the value that the relation requires.
bool agree(const run::Output& first, std::int64_t from, const run::Output& second, std::int64_t row,
           std::int64_t column, const Relation& relation, double& expected) {
  expected = first.value(from, column);
  if (!relation.exponent) return second.same_bits(row, column, first, from, column);
  expected = std::ldexp(expected, relation.exponent(row, column));
  const double got = second.value(row, column);
  return got == expected || (std::isnan(got) && std::isnan(expected));
}

/// Returns the error map of the product that contains the first differing element. Rows are
/// numbered consecutively over all products.
judge::ErrorMap mapped(const run::Problem& problem, const Placement& place,
                       std::span<const judge::Place> differing) {
  judge::ErrorMap map = judge::empty_map(
      place.rows, place.columns, judge::output_tile(problem.variant->contract, problem.line));
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
  judge::Mismatch mismatch;
  judge::WrongBox box;                  // of the first differing product
  std::vector<judge::Place> differing;  // where they are mapped
  const Placement& place = outputs.other.place;
  mismatch.elements = place.all_rows() * place.columns;
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    const std::int64_t from = relation.row ? relation.row(row) : row;
    if (!relation.exponent && outputs.other.same_row(row, outputs.one, from)) continue;
    for (std::int64_t column = 0; column < place.columns; ++column) {
      double expected = 0.0;
      if (agree(outputs.one, from, outputs.other, row, column, relation, expected)) continue;
      if (runner.maps_errors()) differing.push_back({row, column});
      const std::int64_t product = row / place.rows;
      if (mismatch.wrong == 0 || product == mismatch.row / place.rows) {
        box.add(row % place.rows, column);
      }
      if (mismatch.wrong++ != 0) continue;
      mismatch.row = row;
      mismatch.column = column;
      mismatch.expected = expected;
      mismatch.got = outputs.other.value(row, column);
    }
  }
  if (mismatch.wrong == 0) return std::nullopt;
  mismatch.regions = judge::regions_of(box, place.rows, place.columns,
                                       judge::output_tile(second.variant->contract, second.line));

  run::Evidence evidence;
  const device::BufferAddress byte{outputs.buffer, place.byte_of(mismatch.row, mismatch.column)};
  evidence.finding.kind = relation.kind;
  evidence.finding.memory =
      MemoryPlace{place.name, static_cast<std::ptrdiff_t>(byte.offset), size_of(place.type), true};
  evidence.element = place.element(mismatch.row, mismatch.column);
  const bool both_nan = std::isnan(mismatch.got) && std::isnan(mismatch.expected);
  evidence.finding.message = fmt::format(
      "{} is {} with {}, but {}{} is expected from the run with {}; {} of {} elements {}",
      evidence.element, shown(mismatch.got), relation.second, shown(mismatch.expected),
      both_nan ? " of other bits" : "", relation.first, mismatch.wrong, mismatch.elements,
      mismatch.wrong == 1 ? "differs" : "differ");
  evidence.mismatch = mismatch;
  if (!differing.empty()) evidence.map = mapped(second, place, differing);
  runner.locate(second, byte, evidence);
  return evidence;
}

}  // namespace

PropertyResult compare(run::Runner& runner, const run::Problem& first, const run::Problem& second,
                       const Relation& relation) {
  PropertyResult result;
  run::Run one = runner.run(first);
  result.printed = one.printed;
  result.launched = one.launched;
  result.evidence = std::move(one.evidence);
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

}  // namespace warpcheck::properties::checks
