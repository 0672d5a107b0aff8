#include "properties/case/domain.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "properties/case/layout.hpp"

namespace warpcheck::properties {
namespace {

using contract::ArgumentWord;

std::optional<std::int64_t> whole(double value) {
  if (!(std::fabs(value) <= 0x1p53) || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> value_of(const contract::Contract& contract, const Case& problem,
                                     std::string_view name) {
  const auto leading = [&](ArgumentWord word) {
    return leading_dimension(contract, problem, word);
  };
  if (name == "m") return problem.m;
  if (name == "n") return problem.n;
  if (name == "k") return problem.k;
  if (name == "lda") return leading(ArgumentWord::lda);
  if (name == "ldb") return leading(ArgumentWord::ldb);
  if (name == "ldc") return leading(ArgumentWord::ldc);
  if (name == "ldd") return leading(ArgumentWord::ldd);
  if (name == "alpha") return whole(problem.alpha);
  if (name == "beta") return whole(problem.beta);
  if (name == "ta") return problem.ta ? 1 : 0;
  if (name == "tb") return problem.tb ? 1 : 0;
  if (name == "batch") return problem.batch;
  if (name == "stride_a") return stride(contract, problem, ArgumentWord::stride_a);
  if (name == "stride_b") return stride(contract, problem, ArgumentWord::stride_b);
  if (name == "stride_c") return stride(contract, problem, ArgumentWord::stride_c);
  if (name == "stride_d") return stride(contract, problem, ArgumentWord::stride_d);
  return std::nullopt;
}

std::optional<std::int64_t> address_of(const contract::Contract& contract, const Case& problem,
                                       std::string_view buffer) {
  const auto bytes = [](std::int64_t offset, ScalarType type) {
    return offset % 256 * static_cast<std::int64_t>(size_of(type)) % 256;
  };
  if (buffer == "a") return bytes(problem.off_a, contract.type_a);
  if (buffer == "b") return bytes(problem.off_b, contract.type_b);
  if (buffer == "c" || buffer == "d") return bytes(problem.off_c, contract.type_c);
  if (buffer == "bias") return bytes(problem.off_bias, contract.type_c);
  if (buffer == "workspace") return 0;
  return std::nullopt;
}

}  // namespace

contract::Bindings bindings(const contract::Contract& contract, const Case& problem) {
  return {[&](std::string_view name) { return value_of(contract, problem, name); },
          [&](std::string_view buffer) { return address_of(contract, problem, buffer); }};
}

std::optional<std::string> violated(const contract::Contract& contract, const Case& problem) {
  const contract::Bindings names = bindings(contract, problem);
  for (const contract::Expression& requirement : contract.requires_) {
    for (const contract::Expression& conjunct : requirement.conjuncts()) {
      if (conjunct.evaluate(names).value_or(0) == 0) return conjunct.text();
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck::properties
