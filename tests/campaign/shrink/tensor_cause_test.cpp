// Failures of an operation on tensors: what their cases show about the cause.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "campaign/case/schema.hpp"
#include "campaign/judge/region.hpp"
#include "campaign/shrink/same_cause.hpp"
#include "campaign/shrink/shrink.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::shrink {
namespace {

run::Evidence found(FindingClass kind, unsigned line) {
  run::Evidence evidence;
  evidence.finding.kind = kind;
  evidence.finding.source.file = "sums.cu";
  evidence.finding.source.line = line;
  if (kind == FindingClass::wrong_result) evidence.mismatch = judge::Mismatch{.wrong = 2};
  return evidence;
}

/// Two defects: the elements from row 2 on are wrong, and one row of several columns is stored
/// beyond the end. A single element is wrong by chance.
std::vector<run::Evidence> two_defects(const Case& problem) {
  constexpr unsigned kStore = 10;
  constexpr unsigned kStoreOfOneRow = 20;
  const double rows = problem.value("rows").value_or(1.0);
  const double columns = problem.value("columns").value_or(1.0);
  if (rows == 1.0 && columns > 1.0) return {found(FindingClass::out_of_bounds, kStoreOfOneRow)};
  if (rows == 1.0 || rows > 2.0) return {found(FindingClass::wrong_result, kStore)};
  return {};
}

// Shrinking to one row and then to one column, or the reverse, meets the second defect.
TEST(TensorCause, OneRowMustNotShowAnotherCause) {
  const contract::Contract contract = testing::operation_contract(testing::kRowSums);
  const Case failing = parse_case("sums operation=row_sums depth=1 rows=9 columns=5 seed=0");
  SameCause fails(contract, {failing, two_defects(failing).front()},
                  {[](const Case&) { return true; }, two_defects});
  const Case smallest = shrink(contract, failing, std::ref(fails), {});
  EXPECT_EQ(to_line(smallest),
            "sums operation=row_sums depth=1 rows=3 columns=1 scale=1 data=lattice seed=0");
  ASSERT_EQ(fails.others().size(), 1U);
  EXPECT_EQ(fails.others().front().evidence.finding.kind, FindingClass::out_of_bounds);
}

TEST(TensorCause, AnExtentOrAScalarOfZeroLeavesNoTerms) {
  const auto lacks = [](const char* line) { return lacks_terms(parse_case(line)); };
  EXPECT_FALSE(lacks("sums operation=row_sums depth=1 rows=9 columns=5 scale=1 seed=0"));
  EXPECT_TRUE(lacks("sums operation=row_sums depth=1 rows=9 columns=0 scale=1 seed=0"));
  EXPECT_TRUE(lacks("sums operation=row_sums depth=1 rows=9 columns=5 scale=0 seed=0"));
  EXPECT_FALSE(lacks("fake m=1 n=1 k=1"));
  EXPECT_TRUE(lacks("fake m=1 n=1 k=0"));
}

// A tensor may have any name, A or B too.
TEST(TensorCause, ATensorIsEmptyIfItsBufferIs) {
  const Case problem = parse_case("sums operation=row_sums depth=1 rows=9 columns=0 seed=0");
  run::Evidence evidence = found(FindingClass::out_of_bounds, 10);
  evidence.finding.memory = MemoryPlace{"x", 0, 4, false};
  evidence.finding.memory->extent = 0;
  EXPECT_TRUE(signature_of(problem, evidence).empty);
  evidence.finding.memory->extent = 36;
  EXPECT_FALSE(signature_of(problem, evidence).empty);
}

}  // namespace
}  // namespace warpcheck::campaign::shrink
