// Case lines: they survive printing, and whatever they ask for is laid out within its limits or
// refused by an InputError.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "contract/contract.hpp"
#include "fuzz/case_line_check.hpp"
#include "fuzz/target.hpp"
#include "properties/case/domain.hpp"
#include "properties/run/problem.hpp"

namespace {

using namespace warpcheck;

/// A kernel that is handed all that a case can say.
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

// What is laid out, but not filled: larger matrices, more products.
constexpr std::size_t kLimitBytes = 1 << 16;
constexpr std::int64_t kMostProducts = 1 << 10;

warpcheck::contract::Variant everything() {
  warpcheck::contract::Variant variant;
  variant.contract =
      warpcheck::contract::parse_contracts(kContract, {"everything.toml", 1, 1}).front();
  warpcheck::contract::Entry entry;
  entry.name = "everything";
  for (const warpcheck::contract::Argument& argument :
       variant.contract.launches.front().arguments) {
    entry.parameters.push_back({warpcheck::contract::is_buffer(argument.word) ? 8U : 4U, false});
  }
  variant.entries = {entry};
  return variant;
}

void lay_out_and_fill(const warpcheck::contract::Variant& variant,
                      const warpcheck::properties::Case& problem) {
  const warpcheck::properties::Case line =
      warpcheck::properties::normalized(variant.contract, problem);
  if (warpcheck::properties::to_line(warpcheck::properties::normalized(variant.contract, line)) !=
      warpcheck::properties::to_line(line)) {
    fuzz::fail("normalized twice, it is another case: " + warpcheck::properties::to_line(line));
  }
  static_cast<void>(warpcheck::properties::violated(variant.contract, line));
  static_cast<void>(warpcheck::properties::ignored_field(variant.contract, problem));
  try {
    static_cast<void>(warpcheck::properties::lay_out(
        variant.contract, line, warpcheck::properties::run::kBufferLimitBytes));
    static_cast<void>(warpcheck::properties::lay_out(variant.contract, line, kLimitBytes));
    if (line.batch > kMostProducts) return;
    static_cast<void>(warpcheck::properties::run::make_problem(
        variant, line, warpcheck::properties::run::operands(variant.contract, line),
        warpcheck::properties::run::usual_poison(line), kLimitBytes));
  } catch (const InputError&) {
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const warpcheck::contract::Variant variant = everything();
  for (const warpcheck::properties::Case& problem :
       fuzz::check_case_lines(fuzz::text_of(data, size), warpcheck::properties::to_line)) {
    lay_out_and_fill(variant, problem);
  }
  return 0;
}
