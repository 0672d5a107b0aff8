// Every narrow value that is compared, extended, divided or shifted right is in the range of its
// type.
#include <fmt/format.h>

#include <set>
#include <string>
#include <tuple>

#include "proof/prove/kernel.hpp"
#include "proof/witness/witness.hpp"

namespace warpcheck::proof {

namespace {

constexpr std::size_t kMostWraps = 16;

/// "a signed 32-bit integer".
std::string type_text(const Observation& observation) {
  const bool is_signed = observation.least < 0;
  for (const int bits : {8, 16, 32}) {
    const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    if (observation.most == most && observation.least == (is_signed ? -most - 1 : 0)) {
      return fmt::format("{} {}-bit integer", is_signed ? "a signed" : "an unsigned", bits);
    }
  }
  return fmt::format("[{}, {}]", observation.least, observation.most);
}

/// "; the smallest sizes found are m=46341 lda=46341", without sizes up to 1.
std::string sizes_text(const Kernel& kernel, const Violation& violation) {
  const auto witness =
      smallest_witness(kernel.terms, kernel.solver, kernel.domain, violation.formulas);
  if (!witness) return "";
  std::string sizes;
  for (const auto& [word, size] : witness->sizes) {
    if (size > 1) sizes += fmt::format(" {}={}", word, size);
  }
  return sizes.empty() ? "" : "; the smallest sizes found are" + sizes;
}

}  // namespace

Gaps prove_overflow(const Kernel& kernel) {
  Gaps gaps;
  std::set<std::tuple<Polynomial, std::int64_t, std::vector<Formula>>> seen;
  for (const Observation& observation : kernel.lifted.observations) {
    if (!seen.emplace(observation.value, observation.least, observation.path).second) continue;
    Violation violation{observation.path, {}, true};
    violation.formulas.push_back(kernel.terms.negate(
        kernel.terms.within(observation.value, observation.least, observation.most)));
    const std::size_t known = gaps.size();
    require_impossible(
        kernel, violation,
        fmt::format("{} may leave the range of {}",
                    short_text(kernel.terms, observation.value, "a value"), type_text(observation)),
        observation.instruction, gaps);
    if (gaps.size() == known) continue;
    if (!kernel.search_witnesses) break;
    gaps.back().reason += sizes_text(kernel, violation);
    if (gaps.size() == kMostWraps || !kernel.solver.has_work_left()) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
