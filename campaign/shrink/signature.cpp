#include "campaign/shrink/signature.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "campaign/case/product.hpp"

namespace warpcheck::campaign::shrink {
namespace {

using judge::Cause;
using judge::CauseKind;

constexpr Mistakes kUnwritten = 1U << 0U;
constexpr Mistakes kLastTerms = 1U << 1U;
constexpr Mistakes kFirstTerms = 1U << 2U;
constexpr Mistakes kOneTerm = 1U << 3U;
constexpr Mistakes kTermTwice = 1U << 4U;
constexpr Mistakes kBias = 1U << 5U;
constexpr Mistakes kCMissing = 1U << 6U;
constexpr Mistakes kCWithoutBeta = 1U << 7U;
constexpr Mistakes kCTwice = 1U << 8U;
constexpr Mistakes kCDespiteZero = 1U << 9U;
constexpr Mistakes kScale = 1U << 10U;  // alpha = 2 makes "alpha twice" and "product twice" equal
constexpr Mistakes kElsewhere = 1U << 11U;
constexpr Mistakes kZero = 1U << 12U;

constexpr Mistakes kNoTerms = kLastTerms | kFirstTerms | kOneTerm;

// Name that the virtual device gives.
constexpr std::string_view kNoAllocation = "no variable or allocation";

/// Terms that are missing at either end; one missing term can be any of them.
Mistakes missing_terms(const Cause& cause, Mistakes end) {
  return cause.k_end - cause.k_begin == 1 ? end | kOneTerm : end;
}

Mistakes mistakes_of(const Cause& cause) {
  switch (cause.kind) {
    case CauseKind::none:
    case CauseKind::all_nan:  // a result of uninitialized or overwritten operands
      return 0;
    case CauseKind::unwritten:
      return kUnwritten;
    case CauseKind::no_terms:
      return kNoTerms;
    case CauseKind::last_terms_missing:
      return missing_terms(cause, kLastTerms);
    case CauseKind::first_terms_missing:
      return missing_terms(cause, kFirstTerms);
    case CauseKind::one_term_missing:
      return kOneTerm;
    case CauseKind::one_term_doubled:
      return kTermTwice;
    case CauseKind::bias_missing:
      return kBias;
    case CauseKind::c_missing:
      return kCMissing;
    case CauseKind::c_without_beta:
      return kCWithoutBeta;
    case CauseKind::c_doubled:
      return kCTwice;
    case CauseKind::c_despite_zero_beta:
    case CauseKind::nan_in_c:
      return kCDespiteZero;
    case CauseKind::alpha_missing:
    case CauseKind::alpha_doubled:
    case CauseKind::product_negated:
    case CauseKind::product_doubled:
      return kScale;
    case CauseKind::transposed:
    case CauseKind::shifted:
      return kElsewhere;
    case CauseKind::all_zero:  // missing terms have this result, too, if they are NaN or infinite
      return kZero | kNoTerms;
  }
  return 0;
}

/// Returns true if the diagnosis of a single element can be a coincidence: some choice of a term or
/// of a number of terms explains many wrong values.
bool is_coincidence(CauseKind kind) {
  return kind == CauseKind::one_term_missing || kind == CauseKind::one_term_doubled ||
         kind == CauseKind::first_terms_missing;
}

/// The name of the property if its conditions, not its data, make a kernel fail.
std::string condition_of(std::string_view property) {
  constexpr std::array<std::string_view, 3> kConditions = {
      "alpha-zero-ignores-a-and-b", "beta-zero-ignores-c", "second-call-other-pointers"};
  const bool found =
      std::find(kConditions.begin(), kConditions.end(), property) != kConditions.end();
  return found ? std::string(property) : std::string();
}

/// Returns false if elements can be right by chance: with zeros among the operands, or with NaN in
/// D before the launch and in the result. An element that holds poison is never right.
bool shows_every_error(const Case& problem, bool unwritten) {
  const Recipe data = problem.data;
  if (data == Recipe::normal || data == Recipe::wide) return true;
  if (data == Recipe::lattice && integers_show_every_error(problem)) return true;
  return unwritten && data != Recipe::special && overwrites_output(problem);
}

CodeLine code_line(const SourcePlace& place) { return {place.file, place.line, place.ptx_line}; }

bool same_line(const CodeLine& one, const CodeLine& other) {
  if (one.line == 0 || other.line == 0) return true;  // an unknown line can be equal
  return one.line == other.line && one.file == other.file;
}

/// Races with their two accesses exchanged are at the same place. The order of execution can change
/// any element of a nondeterministic result, so the line that wrote it shows nothing.
bool same_place(const Signature& one, const Signature& other) {
  if (one.kind == FindingClass::nondeterministic) return true;
  if (same_line(one.here, other.here)) return true;
  return one.is_pair && other.is_pair && same_line(one.here, other.other) &&
         same_line(one.other, other.here);
}

bool is_about_values(const Signature& signature) {
  return signature.kind == FindingClass::wrong_result;
}

/// Far outside its buffer, one instruction reaches any other one.
bool same_access(const Signature& one, const Signature& other) {
  const bool known = !one.buffer.empty() && !other.buffer.empty();
  if (known && one.buffer != other.buffer) return one.here.same_instruction(other.here);
  return one.before == other.before;
}

bool is_outside(FindingClass kind) {
  return kind == FindingClass::out_of_bounds || kind == FindingClass::guard_overwritten;
}

/// A store beyond its row is between two rows or outside of the buffer, depending on the case.
bool same_store(const Signature& one, const Signature& other) {
  return is_outside(one.kind) && is_outside(other.kind) && one.buffer == other.buffer &&
         one.before == other.before && one.here.same_instruction(other.here);
}

/// Everything but the mistakes of wrong results.
bool same_circumstances(const Signature& one, const Signature& other) {
  if (one.kind != other.kind || one.refused != other.refused) return false;
  if (is_about_values(one)) {
    // A known mistake does not depend on the property that shows it.
    const bool same_mistake = (one.mistakes & other.mistakes) != 0;
    return (same_mistake || one.condition == other.condition) && (one.regions & other.regions) != 0;
  }
  return same_place(one, other) && same_access(one, other);
}

bool one_has_a_diagnosis(const Signature& one, const Signature& other) {
  return (one.mistakes == 0) != (other.mistakes == 0);
}

}  // namespace

Signature signature_of(const Case& problem, const run::Evidence& evidence) {
  const Finding& finding = evidence.finding;
  Signature signature;
  signature.kind = finding.kind;
  signature.grade = finding.grade;
  signature.refused = run::was_refused(finding);
  signature.here = code_line(finding.source);
  if (finding.other) {
    signature.is_pair = true;
    signature.other = code_line(finding.other->source);
  }
  if (is_about_values(signature)) {
    signature.condition = condition_of(problem.property);
    const CauseKind mistake = evidence.diagnosis.cause.kind;
    const bool single = evidence.mismatch && evidence.mismatch->wrong == 1;
    if (mistake == CauseKind::one_term_doubled && has_one_term(problem)) {
      signature.mistakes = kTermTwice | kScale;
    } else if (!single || !is_coincidence(mistake)) {
      signature.mistakes = mistakes_of(evidence.diagnosis.cause);
    }
    const bool unwritten = signature.mistakes == kUnwritten;
    if (unwritten && keeps_output_without_terms(problem)) signature.mistakes |= kNoTerms;
    if (evidence.mismatch && shows_every_error(problem, unwritten)) {
      signature.regions = evidence.mismatch->regions;
    }
  } else if (finding.memory && !finding.other && finding.memory->name != kNoAllocation) {
    signature.buffer = finding.memory->name;
    signature.before = finding.memory->offset < 0;
    signature.empty = finding.memory->extent == 0U;
  }
  return signature;
}

bool same_cause(const Signature& one, const Signature& other) {
  if (!same_circumstances(one, other)) return false;
  if (!is_about_values(one)) return true;
  if (one_has_a_diagnosis(one, other)) return false;
  if (one.mistakes != 0) return (one.mistakes & other.mistakes) != 0;
  return same_place(one, other);
}

bool simplifies(const Signature& known, const Signature& simpler) {
  if (simpler.empty && !known.empty) return false;
  if (same_cause(known, simpler)) return true;
  return is_about_values(known) && known.mistakes == 0 && same_after_shrinking(known, simpler);
}

bool same_after_shrinking(const Signature& one, const Signature& other) {
  if (same_cause(one, other) || same_store(one, other)) return true;
  return same_circumstances(one, other) && one_has_a_diagnosis(one, other) &&
         same_place(one, other);
}

void refine(Signature& known, const Signature& another) {
  known.regions &= another.regions;
  // The diagnosis of a simpler case can be a coincidence: no known mistake explains this cause.
  known.mistakes &= another.mistakes;
  if (known.here.line == 0) known.here = another.here;
}

}  // namespace warpcheck::campaign::shrink
