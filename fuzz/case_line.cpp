// Checks case lines: they survive printing, and the layout of each case is within its limits or is
// rejected with an InputError.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/run/problem.hpp"
#include "contract/contract.hpp"
#include "fuzz/case_line_check.hpp"
#include "fuzz/target.hpp"

namespace {

using namespace warpcheck;

/// A kernel with an argument for every field of a case.
constexpr std::string_view kContract = R"toml(
[[variant]]
name      = "everything"
kernel    = "everything"
operation = "gemm"
layout    = { a = "row", b = "col", c = "row" }
types     = { a = "f16", b = "f16", c = "f32", accumulate = "f32" }
split_k   = 3
arguments = ["a", "b", "c", "d", "m", "n", "k", "lda", "ldb", "ldc", "ldd", "alpha", "beta", "batch",
             "stride_a", "stride_b", "stride_c", "stride_d", "ta", "tb", "bias", "workspace"]
block     = ["min(m, 32)", 32]
grid      = ["ceil_div(n, 32)", "ceil_div(m, 32)", "batch"]
shared    = "4 * k"
requires  = ["m * n * k * batch < 1000 or lda % 8 == 0", "aligned(a, 16)", "alpha != 7"]
)toml";

// Larger matrices and more products are laid out, but not filled.
constexpr std::size_t kLimitBytes = 1 << 16;
constexpr std::int64_t kMostProducts = 1 << 10;

contract::Variant everything() {
  contract::Variant variant;
  variant.contract = contract::parse_contracts(kContract, {"everything.toml", 1, 1}).front();
  contract::Entry entry;
  entry.name = "everything";
  for (const contract::Argument& argument : variant.contract.launches.front().arguments) {
    entry.parameters.push_back({contract::is_buffer(argument.word) ? 8U : 4U, false});
  }
  variant.entries = {entry};
  return variant;
}

void lay_out_and_fill(const contract::Variant& variant, const campaign::Case& problem) {
  const campaign::Case line = campaign::normalized(variant.contract, problem);
  if (campaign::to_line(campaign::normalized(variant.contract, line)) != campaign::to_line(line)) {
    fuzz::fail("a second normalization changes the case: " + campaign::to_line(line));
  }
  static_cast<void>(campaign::violated(variant.contract, line));
  static_cast<void>(campaign::ignored_field(variant.contract, problem));
  try {
    static_cast<void>(campaign::lay_out(variant.contract, line, campaign::run::kBufferLimitBytes));
    static_cast<void>(campaign::lay_out(variant.contract, line, kLimitBytes));
    if (line.whole("batch") > kMostProducts) return;
    static_cast<void>(campaign::run::make_problem(variant, line,
                                                  campaign::run::operands(variant.contract, line),
                                                  campaign::run::usual_poison(line), kLimitBytes));
  } catch (const InputError&) {
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const contract::Variant variant = everything();
  for (const campaign::Case& problem :
       fuzz::check_case_lines(fuzz::text_of(data, size), campaign::to_line)) {
    lay_out_and_fill(variant, problem);
  }
  return 0;
}
