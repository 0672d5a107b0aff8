#include "campaign/checks/other_layouts.hpp"

#include <cstdint>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::checks {
namespace {

using contract::Contract;

/// The case with another stride. Longer lines need longer strides of matrices.
Case with_stride(const Contract& contract, const CaseSchema& schema, const Case& problem,
                 const CaseField& stride, std::int64_t value) {
  Case changed = problem;
  stride.set(changed, value);
  for (const std::size_t number : schema.from_within(problem)) {
    const CaseField& other = schema.fields[number];
    if (!other.is_stride() || other.name == stride.name || other.get(problem) == 0) continue;
    other.set(changed, other.get(problem) + tight_stride(contract, changed, other.name) -
                           tight_stride(contract, problem, other.name));
  }
  return changed;
}

}  // namespace

Case with_padding(const Contract& contract, Case problem) {
  constexpr std::int64_t kMost = 64;
  const CaseSchema schema = case_schema(contract);
  for (const std::size_t number : schema.from_within(problem)) {
    const CaseField& stride = schema.fields[number];
    if (!stride.is_stride() || !stride.is_taken) continue;
    const std::int64_t tight = tight_stride(contract, problem, stride.name);
    const std::int64_t stated = stride.get(problem);
    if (stated != 0 && stated != tight) continue;
    for (std::int64_t more = 1; more <= kMost; ++more) {
      Case wider = with_stride(contract, schema, problem, stride, tight + more);
      if (violated(contract, wider)) continue;
      if (can_be_laid_out(contract, wider, run::kBufferLimitBytes)) problem = std::move(wider);
      break;
    }
  }
  return problem;
}

Case with_shifted_bases(const Contract& contract, Case problem) {
  for (const CaseField& offset : case_schema(contract).fields) {
    if (offset.kind != CaseField::Kind::offset || !offset.is_taken) continue;
    if (offset.get(problem) != 0) continue;
    for (const std::int64_t elements : {1, 2, 3, 4, 8, 16, 32, 64}) {
      Case shifted = problem;
      offset.set(shifted, elements);
      if (violated(contract, shifted)) continue;
      problem = std::move(shifted);
      break;
    }
  }
  return problem;
}

}  // namespace warpcheck::campaign::checks
