// The sentence that describes a diagnosis.
#pragma once

#include <string>

#include "campaign/judge/diagnosis.hpp"

namespace warpcheck::report {

/// Returns the place after "wrong values": "in column 64, the last", "in every element", "in
/// C[3, 5] alone", "where the column modulo 4 is 3". Empty without a pattern.
[[nodiscard]] std::string pattern_place(const campaign::judge::Pattern& pattern);

/// Returns a clause: "the wrong elements lie in column 64, the last", "every element is wrong",
/// "only C[3, 5] is wrong". Empty without a pattern.
[[nodiscard]] std::string pattern_text(const campaign::judge::Pattern& pattern);

/// Returns the clause of the cause alone: "the last term, k = 16, is missing". Empty without a
/// cause.
[[nodiscard]] std::string cause_text(const campaign::judge::Diagnosis& diagnosis);

/// Returns pattern and cause, lower case, without a final period: "the wrong elements lie in row
/// 64, the last; the last term, k = 16, is missing".
[[nodiscard]] std::string diagnosis_text(const campaign::judge::Diagnosis& diagnosis);

}  // namespace warpcheck::report
