#include "report/finding/diagnosis_text.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace warpcheck::report {
namespace {

using campaign::judge::Axis;
using campaign::judge::Cause;
using campaign::judge::CauseKind;
using campaign::judge::Diagnosis;
using campaign::judge::Pattern;
using campaign::judge::PatternKind;

std::string_view axis_name(Axis axis) { return axis == Axis::row ? "row" : "column"; }

std::string shift_text(std::int64_t by, Axis axis, std::string_view side) {
  const std::int64_t distance = std::abs(by);
  return fmt::format("D holds there what belongs {} {}{} {}", distance, axis_name(axis),
                     distance == 1 ? "" : "s", side);
}

std::string clause(const Cause& cause) {
  const std::int64_t count = cause.k_end - cause.k_begin;
  switch (cause.kind) {
    case CauseKind::none:
      return "";
    case CauseKind::unwritten:
      return "D was not written there and holds what lay in it before";
    case CauseKind::no_terms:
      return "none of the terms was added";
    case CauseKind::last_terms_missing:
      if (count == 1) return fmt::format("the last term, k = {}, is missing", cause.k_begin);
      return fmt::format("the last {} terms, from k = {} on, are missing", count, cause.k_begin);
    case CauseKind::first_terms_missing:
      if (count == 1) return "the first term, k = 0, is missing";
      return fmt::format("the first {} terms, up to k = {}, are missing", count, cause.k_end - 1);
    case CauseKind::one_term_missing:
      return fmt::format("the term k = {} is missing", cause.k_begin);
    case CauseKind::one_term_doubled:
      return fmt::format("the term k = {} was added twice", cause.k_begin);
    case CauseKind::bias_missing:
      return "the bias was not added";
    case CauseKind::c_missing:
      return "beta * C was not added";
    case CauseKind::c_without_beta:
      return "C was added without beta";
    case CauseKind::c_doubled:
      return "beta * C was added twice";
    case CauseKind::c_despite_zero_beta:
      return "C was added although beta is 0";
    case CauseKind::nan_in_c:
      return "C holds NaN or an infinity there and was read although beta is 0";
    case CauseKind::alpha_missing:
      return "alpha was not applied";
    case CauseKind::alpha_doubled:
      return "alpha was applied twice";
    case CauseKind::product_negated:
      return "the product has the opposite sign";
    case CauseKind::product_doubled:
      return "the product was added twice";
    case CauseKind::transposed:
      return "D holds the transposed answer there";
    case CauseKind::shifted:
      if (cause.rows_down != 0) {
        return shift_text(cause.rows_down, Axis::row, cause.rows_down > 0 ? "below" : "above");
      }
      return shift_text(cause.columns_right, Axis::column,
                        cause.columns_right > 0 ? "to the right" : "to the left");
    case CauseKind::all_nan:
      return "D holds NaN there";
    case CauseKind::all_zero:
      return "D holds zero there";
  }
  return "";
}

}  // namespace

std::string pattern_place(const Pattern& pattern) {
  const std::string_view line = axis_name(pattern.axis);
  switch (pattern.kind) {
    case PatternKind::none:
      return "";
    case PatternKind::every_element:
      return "in every element";
    case PatternKind::one_element:
      return fmt::format("in C[{}, {}] alone", pattern.row, pattern.column);
    case PatternKind::one_line:
      return fmt::format("in {} {}{}", line, pattern.first, pattern.at_end ? ", the last" : "");
    case PatternKind::partial_tile:
      return fmt::format("in {}s {} to {}, beyond the last multiple of {}", line, pattern.first,
                         pattern.last, pattern.size);
    case PatternKind::residue:
      return fmt::format("where the {} modulo {} is {}", line, pattern.size, pattern.first);
    case PatternKind::tile:
      return fmt::format("in the {0} x {0} tile at C[{1}, {2}]", pattern.size, pattern.row,
                         pattern.column);
    case PatternKind::whole_tile:
      return fmt::format("in {}s {} to {}, the last whole tile of {}", line, pattern.first,
                         pattern.last, pattern.size);
  }
  return "";
}

std::string pattern_text(const Pattern& pattern) {
  if (pattern.kind == PatternKind::none) return "";
  if (pattern.kind == PatternKind::every_element) return "every element is wrong";
  if (pattern.kind == PatternKind::one_element) {
    return fmt::format("only C[{}, {}] is wrong", pattern.row, pattern.column);
  }
  return "the wrong elements lie " + pattern_place(pattern);
}

std::string cause_text(const Diagnosis& diagnosis) {
  if (!diagnosis.text.empty()) return diagnosis.text;
  if (!diagnosis.element.empty()) return diagnosis.element + " was never written";
  return clause(diagnosis.cause);
}

std::string diagnosis_text(const Diagnosis& diagnosis) {
  std::string words = pattern_text(diagnosis.pattern);
  const std::string cause = cause_text(diagnosis);
  if (!words.empty() && !cause.empty()) words += "; ";
  return words + cause;
}

}  // namespace warpcheck::report
