#include "workflows/diff/product_diff.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "campaign/run/problem.hpp"
#include "contract/contract_words.hpp"
#include "reference/format.hpp"
#include "reference/gemm.hpp"
#include "workflows/diff/differences.hpp"

namespace warpcheck::workflows::diff::product {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using reference::format;

/// Returns the accumulator with fewer exact integers; s32 if either one is s32.
ScalarType narrower_accumulator(ScalarType one, ScalarType other) {
  if (one == ScalarType::s32 || other == ScalarType::s32) return ScalarType::s32;
  return format(one).exact_integers() <= format(other).exact_integers() ? one : other;
}

}  // namespace

void join_types(JoinedTypes& types) {
  const Contract& other = types.other;
  types.join("A", types.joint.type_a, other.type_a);
  types.join("B", types.joint.type_b, other.type_b);
  if (types.joint.type_c != other.type_c) {
    types.join("C", types.joint.type_c, other.type_c);
    types.remarks.push_back("of D the values are compared, not the bits");
  }
  if (types.joint.accumulate != other.accumulate ||
      types.joint.tensor_cores != other.tensor_cores) {
    types.remarks.push_back(fmt::format(
        "{} accumulates in {}{}, {} in {}{}: each has a bound of its own", types.one.name,
        name(types.joint.accumulate), types.joint.tensor_cores ? " on tensor cores" : "",
        other.name, name(other.accumulate), other.tensor_cores ? " on tensor cores" : ""));
    types.joint.accumulate = narrower_accumulator(types.joint.accumulate, other.accumulate);
    types.joint.tensor_cores = types.joint.tensor_cores || other.tensor_cores;
    types.same_values = false;
  }
}

std::optional<ElementDifference> largest_difference(
    const campaign::run::Problem& problem, const std::vector<campaign::run::Output>& before,
    const std::vector<campaign::run::Output>& after) {
  std::int64_t number = -1;  // product of the batch that `expected` holds; -1: none
  reference::Expected expected;
  Differences differences;
  const std::int64_t rows = before.front().place.rows;
  differences.add(before.front(), after.front(),
                  [&](std::int64_t row, std::int64_t column, double one, double other) {
                    const std::int64_t product = row / rows;
                    row %= rows;
                    if (product != std::exchange(number, product)) {  // most products do not differ
                      expected = gemm(campaign::run::reference_problem(problem, product));
                    }
                    return Judged{
                        expected.value(row, column), expected.tolerance(row, column),
                        expected.accepts(row, column, one) && expected.accepts(row, column, other)};
                  });
  return differences.largest(problem.line);
}

}  // namespace warpcheck::workflows::diff::product
