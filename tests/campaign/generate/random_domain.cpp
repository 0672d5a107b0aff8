#include "tests/campaign/generate/random_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/operand_layout.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::testing {
namespace {

using contract::Contract;
using generate::Rng;

constexpr std::array kArgumentLists = {
    R"("a", "b", "c", "m", "n", "k")",
    R"("m", "n", "k", "alpha", "a", "lda", "b", "ldb", "beta", "c", "ldc")",
    R"("a", "lda", "b", "ldb", "c", "ldc", "m", "n", "k")",
    R"("a", "b", "c", "ldc", "m", "n", "k", "beta")",
    R"("ta", "tb", "m", "n", "k", "a", "lda", "b", "ldb", "beta", "c", "d", "ldd", "bias")",
    R"("a", "lda", "stride_a", "b", "ldb", "stride_b", "c", "ldc", "stride_c", "m", "n", "k",
       "batch")",
    R"("ta", "a", "lda", "stride_a", "b", "stride_b", "c", "d", "ldd", "stride_c", "stride_d", "m",
       "n", "k", "batch")",
};

/// Writes conditions, of which each holds for the values of the witness, if there are any.
class ConditionWriter {
 public:
  ConditionWriter(const Contract& contract, const std::optional<Case>& witness, Rng& rng)
      : contract_(contract), witness_(witness), rng_(rng) {
    for (const std::string_view name : {"m", "n", "k"}) names_.emplace_back(name);
    for (const std::string_view name : {"lda", "ldb", "ldc"}) names_.emplace_back(name);
    using contract::ArgumentWord;
    const bool takes_stride_d = contract.takes(ArgumentWord::stride_d);
    for (const ArgumentWord stride :
         {ArgumentWord::stride_a, ArgumentWord::stride_b,
          takes_stride_d ? ArgumentWord::stride_d : ArgumentWord::stride_c}) {
      if (contract.takes(stride)) names_.emplace_back(contract::name(stride));
    }
    if (contract.takes(contract::ArgumentWord::batch)) names_.emplace_back("batch");
    if (contract.takes(contract::ArgumentWord::ldd)) names_.emplace_back("ldd");
  }

  std::string condition() {
    const std::string x = rng_.of(names_);
    const std::string y = rng_.of(names_);
    const std::string z = rng_.of(names_);
    const std::int64_t by = rng_.of(std::vector<std::int64_t>{2, 3, 4, 5, 8, 16, 24, 32});
    switch (rng_.below(20)) {
      case 0:
      case 1:
        return equal(x, y);
      case 2:
        return equal(x, fmt::format("{} * {}", rng_.between(2, 3), y));
      case 3:
        return fmt::format("{} >= {}", x, at_most(fmt::format("{} - {}", x, y), y));
      case 4:
        return fmt::format("{} <= {}", x, at_least(fmt::format("{} - {}", x, y), y));
      case 5:
      case 6:
        return fmt::format("{0} % {1} == {2}", x, by, value(fmt::format("{} % {}", x, by), by));
      case 7:
        return fmt::format("({0} / {1}) % 2 == {2}", x, by,
                           value(fmt::format("({} / {}) % 2", x, by), 2));
      case 8:
        return fmt::format("{} + {} == {}", x, y, value(fmt::format("{} + {}", x, y), 64));
      case 9:
        return fmt::format("{} * {} <= {}", x, y,
                           value(fmt::format("{} * {}", x, y), 500) + rng_.between(0, 9));
      case 10:
        return divisible(x, y);
      case 11:
        return fmt::format("{} % {} == {} or {} == {}", x, by, rng_.between(0, by - 1), y,
                           value(y, 20));
      case 12:
        return alignment();
      case 13:
        return fmt::format("ceil_div({}, {}) == {}", x, by,
                           value(fmt::format("ceil_div({}, {})", x, by), 5));
      case 14:
        return fmt::format("min({}, {}) >= {}", x, y, value(fmt::format("min({}, {})", x, y), 9));
      case 15:
        return fmt::format("max({}, {}) <= {}", x, y, value(fmt::format("max({}, {})", x, y), 99));
      case 16:
        return fmt::format("not ({} == {})", x, value(x, 9) + 1 + rng_.between(0, 3));
      case 17:
        return equal(x, fmt::format("{} * {}", y, z));
      case 18:
        return fmt::format("{} == {}", x, value(x, 20));
      default:
        return fmt::format("{0} >= {1} and {0} <= {2}", x, value(x, 20) - rng_.between(0, 3),
                           value(x, 20) + rng_.between(3, 6));
    }
  }

 private:
  /// Returns the value for the witness, or a number up to `most`.
  std::int64_t value(const std::string& expression, std::int64_t most) {
    if (!witness_) return rng_.between(0, most);
    const auto found =
        contract::Expression::parse(expression, {}).evaluate(bindings(contract_, *witness_));
    return found.value_or(0);
  }

  std::string offset_by(const std::string& base, std::int64_t elements) {
    if (elements == 0) return base;
    return fmt::format("{} {} {}", base, elements < 0 ? '-' : '+', std::abs(elements));
  }

  std::string equal(const std::string& x, const std::string& expression) {
    const std::int64_t most = rng_.one_in(2) ? 0 : 12;
    return fmt::format("{} == {}", x,
                       offset_by(expression, value(fmt::format("{} - ({})", x, expression), most)));
  }

  std::string at_most(const std::string& difference, const std::string& base) {
    return offset_by(base, value(difference, 4) - rng_.between(0, 8));
  }
  std::string at_least(const std::string& difference, const std::string& base) {
    return offset_by(base, value(difference, 4) + rng_.between(0, 8));
  }

  std::string divisible(const std::string& x, const std::string& y) {
    if (witness_ && value(y, 1) == 0) return fmt::format("{} == 0 or {} % {} == 0", y, x, y);
    return fmt::format("{} % {} == {}", x, y, value(fmt::format("{} % {}", x, y), 2));
  }

  std::string alignment() {
    const std::string buffer = rng_.of(std::vector<std::string>{"a", "b", "c"});
    const std::string aligned =
        fmt::format("aligned({}, {})", buffer, rng_.of(std::vector<int>{2, 4, 8, 16, 32}));
    if (!witness_) return rng_.one_in(3) ? "not " + aligned : aligned;
    return value(aligned, 1) != 0 ? aligned : "not " + aligned;
  }

  const Contract& contract_;
  const std::optional<Case>& witness_;
  Rng& rng_;
  std::vector<std::string> names_;
};

std::string contract_text(Rng& rng, const std::string& requirements) {
  const auto layout = [&] { return rng.one_in(2) ? "row" : "col"; };
  const auto type = [&] { return rng.of(std::vector<std::string>{"f32", "f32", "f16", "f64"}); };
  const std::string operands = type();
  return fmt::format(
      "[[variant]]\nname = \"fake\"\nkernel = \"gemm<16>\"\noperation = \"gemm\"\n"
      "block = [16, 16]\ngrid = [\"ceil_div(n, 16)\", \"ceil_div(m, 16)\"]\n"
      "layout = {{ a = \"{}\", b = \"{}\", c = \"{}\" }}\n"
      "types = {{ a = \"{}\", b = \"{}\", c = \"{}\", accumulate = \"f32\" }}\n"
      "arguments = [{}]\nrequires = [{}]\n",
      layout(), layout(), layout(), operands, operands, type(),
      kArgumentLists[rng.below(kArgumentLists.size())], requirements);
}

}  // namespace

Case random_valid_case(const Contract& contract, std::uint64_t seed, const Case* around) {
  Rng rng(seed);
  Case problem;
  problem.variant = contract.name;
  if (around != nullptr) problem = *around;
  for (const char* extent : {"m", "n", "k"}) {
    if (around == nullptr) problem.set_value(extent, rng.between(0, rng.one_in(2) ? 6 : 40));
    if (around != nullptr && rng.one_in(3)) {
      const std::int64_t changed = problem.whole(extent) + rng.between(-3, 3);
      problem.set_value(extent, std::max<std::int64_t>(0, changed));
    }
  }
  for (const auto word : {contract::ArgumentWord::ta, contract::ArgumentWord::tb}) {
    problem.set_value(contract::name(word), contract.takes(word) && rng.one_in(2));
  }
  if (contract.takes(contract::ArgumentWord::batch)) problem.set_value("batch", rng.between(1, 3));
  for (const char* offset : {"off_a", "off_b", "off_c"}) {
    problem.set_value(offset, rng.between(0, 7));
  }
  // The strides of D follow those of C, so that both are valid.
  for (const char* matrix : {"a", "b", "c", "d"}) {
    for (const std::size_t number : {0, 1}) {
      const OperandLayout::Stride stride =
          operand_layouts(contract, problem, matrix).front().strides[number];
      if (!stride.field.is_taken) continue;
      const bool is_short = stride.field.get(problem) < stride.tight;
      if (!is_short && !rng.one_in(2)) continue;
      stride.field.set(problem, stride.tight + (rng.one_in(2) ? 0 : rng.between(0, 9)));
    }
  }
  return normalized(contract, problem);
}

RandomDomain random_domain(std::uint64_t seed, bool satisfiable) {
  Rng rng(seed);
  const std::uint64_t contract_seed = rng.below(std::uint64_t{1} << 32);
  const auto text = [&](const std::string& requirements) {
    Rng same(contract_seed);
    return contract_text(same, requirements);
  };
  const contract::Variant open = variant_of(text(""));
  std::optional<Case> witness;
  while (satisfiable && !witness) {
    const Case chosen = random_valid_case(open.contract, rng.below(std::uint64_t{1} << 32));
    if (can_be_laid_out(open.contract, chosen, std::size_t{1} << 30)) witness = chosen;
  }
  ConditionWriter writer(open.contract, witness, rng);
  std::string requirements;
  const std::int64_t conditions = rng.between(2, 5);
  for (std::int64_t i = 0; i < conditions; ++i) {
    requirements += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", writer.condition());
  }
  const std::string complete = text(requirements);
  return {complete, variant_of(complete), witness};
}

}  // namespace warpcheck::campaign::testing
