#include "report/finding/diagnosis_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpcheck::report {
namespace {

using campaign::judge::Axis;
using campaign::judge::Cause;
using campaign::judge::CauseKind;
using campaign::judge::Diagnosis;
using campaign::judge::Pattern;
using campaign::judge::PatternKind;

TEST(DiagnosisText, EveryPatternHasItsOwnClauseAndPlace) {
  std::set<std::string> clauses;
  std::set<std::string> places;
  const int last = static_cast<int>(PatternKind::whole_tile);
  for (int kind = 1; kind <= last; ++kind) {
    Pattern pattern;
    pattern.kind = static_cast<PatternKind>(kind);
    pattern.size = 8;
    clauses.insert(pattern_text(pattern));
    places.insert(pattern_place(pattern));
  }
  EXPECT_EQ(clauses.size(), static_cast<std::size_t>(last));
  EXPECT_EQ(places.size(), static_cast<std::size_t>(last));
  EXPECT_FALSE(clauses.contains(""));
  EXPECT_FALSE(places.contains(""));
}

TEST(DiagnosisText, EveryCauseHasItsOwnClause) {
  std::set<std::string> clauses;
  const int last = static_cast<int>(CauseKind::all_zero);
  for (int kind = 1; kind <= last; ++kind) {
    Diagnosis diagnosis;
    diagnosis.cause = {static_cast<CauseKind>(kind), 4, 6, 1, 0};
    clauses.insert(cause_text(diagnosis));
  }
  EXPECT_EQ(clauses.size(), static_cast<std::size_t>(last));
  EXPECT_FALSE(clauses.contains(""));
}

TEST(DiagnosisText, JoinsPatternAndCause) {
  Diagnosis diagnosis;
  EXPECT_EQ(diagnosis_text(diagnosis), "");
  diagnosis.cause = {CauseKind::last_terms_missing, 16, 17};
  EXPECT_EQ(diagnosis_text(diagnosis), "the last term, k = 16, is missing");
  diagnosis.pattern = {PatternKind::one_line, Axis::row, 64, 64, true};
  EXPECT_EQ(diagnosis_text(diagnosis),
            "the wrong elements lie in row 64, the last; the last term, k = 16, is missing");
}

TEST(DiagnosisText, ShiftNamesDistanceAndDirection) {
  const auto shift = [](std::int64_t down, std::int64_t right) {
    Diagnosis diagnosis;
    diagnosis.cause = {CauseKind::shifted, 0, 0, down, right};
    return diagnosis_text(diagnosis);
  };
  EXPECT_EQ(shift(1, 0), "D holds there what belongs 1 row below");
  EXPECT_EQ(shift(-2, 0), "D holds there what belongs 2 rows above");
  EXPECT_EQ(shift(0, 3), "D holds there what belongs 3 columns to the right");
  EXPECT_EQ(shift(0, -1), "D holds there what belongs 1 column to the left");
}

}  // namespace
}  // namespace warpcheck::report
