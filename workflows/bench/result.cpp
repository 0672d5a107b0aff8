#include "workflows/bench/result.hpp"

#include <fmt/format.h>

#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"

namespace warpcheck::workflows::bench {

std::optional<double> Result::share_of_peak() const {
  const double most = counts_operations() ? peak : peak_bandwidth;
  if (most == 0.0) return std::nullopt;
  return (counts_operations() ? rate() : bandwidth()) / most;
}

Result result_of(const campaign::run::Problem& problem) {
  const contract::Contract& contract = problem.variant->contract;
  const campaign::Case& line = problem.line;
  Result result;
  result.variant = contract.name;
  result.line = line;
  result.bytes = static_cast<double>(campaign::run::compulsory_bytes(problem));
  double extents = 1.0;
  for (const campaign::CaseField& field : campaign::case_schema(contract).fields) {
    if (field.kind != campaign::CaseField::Kind::extent) continue;
    result.size += fmt::format("{}{}", result.size.empty() ? "" : "x", field.get(line));
    extents *= field.number(line);
  }
  // A multiplication and an addition of each term.
  if (campaign::is_product(contract)) {
    result.operations = 2.0 * extents * line.number("batch");
  }
  return result;
}

}  // namespace warpcheck::workflows::bench
