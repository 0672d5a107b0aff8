// Every property holds for a correct kernel and fails for a kernel with a planted defect that
// violates it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "campaign/checks/reference.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "properties/law.hpp"
#include "tests/campaign/gemm_device.hpp"
#include "tests/campaign/operation_contract.hpp"
#include "tests/properties/result_of_property.hpp"

namespace warpcheck::campaign {
namespace {

using checks::CheckResult;
using testing::blas_variant;
using testing::Call;
using testing::gemm;
using testing::GemmDevice;
using ::testing::HasSubstr;
using testing::Kernel;
using testing::result_of_property;
using testing::right;

struct Planted {
  const char* property;
  const char* what;
  const char* line;
  Kernel kernel;
  FindingClass kind;
  unsigned source_line;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.property; }

class OnPlantedDefect : public ::testing::TestWithParam<Planted> {};

TEST_P(OnPlantedDefect, IsViolated) {
  const Planted& planted = GetParam();
  const CheckResult result = result_of_property(planted.property, planted.kernel, planted.line);
  ASSERT_FALSE(result.evidence.empty()) << planted.what;
  const Finding& finding = result.evidence.front().finding;
  EXPECT_EQ(name(finding.kind), name(planted.kind)) << finding.message;
  EXPECT_EQ(finding.source.line, planted.source_line) << finding.message;
  EXPECT_NE(finding.message, "");
  EXPECT_NE(result.evidence.front().element, "");
}

TEST_P(OnPlantedDefect, HoldsForTheCorrectKernel) {
  const CheckResult result = result_of_property(GetParam().property, right, GetParam().line);
  EXPECT_TRUE(result.evidence.empty()) << result.evidence.front().finding.message;
  EXPECT_TRUE(result.launched);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Behaves like a kernel that keeps an address in a module variable.
void keeps_first_pointer(Call& call) {
  static thread_local std::size_t kept = 0;
  if (call.number == 0) kept = call.number_of_a;
  call.number_of_a = kept;
  right(call);
}

void drops_last_term_of_many_rows(Call& call) { gemm(call, call.m > 1 ? call.k - 1 : call.k); }

void drops_last_term(Call& call) { gemm(call, call.k > 0 ? call.k - 1 : 0); }

void leaves_last_column(Call& call) {
  gemm(call, call.k, [&](std::int64_t, std::int64_t j) { return j + 1 < call.n; });
}

void writes_poison_into_padding(Call& call) {
  right(call);
  for (std::int64_t i = 0; i + 1 < call.m; ++i) {
    if (call.ldc > call.n) {
      call.store("C", i * call.ldc + call.n, std::bit_cast<float>(0xFFFFFFFFU), 9);
    }
  }
}

void adds_padding_of_a(Call& call) {
  right(call);
  if (call.lda > call.k && call.m > 1) {
    call.store("C", 0, call.load("C", 0) + call.load("A", call.k), 9);
  }
}

void bumps_input_on_second_launch(Call& call) {
  right(call);
  if (call.number == 1 && call.k > 0) call.store("A", 0, call.a(0, 0) + 1.0F, 9);
}

void epilogue_without_beta_test(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      float sum = 0.0F;
      for (std::int64_t p = 0; p < call.k; ++p) sum = std::fma(call.a(i, p), call.b(p, j), sum);
      const float before = call.load("C", i * call.ldc + j);
      call.store("C", i * call.ldc + j, std::fma(call.beta, before, call.alpha * sum), 9);
    }
  }
}

void epilogue_without_alpha_test(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      float sum = 0.0F;
      for (std::int64_t p = 0; p < call.k; ++p) sum = std::fma(call.a(i, p), call.b(p, j), sum);
      float value = call.alpha * sum;
      if (call.beta != 0.0F) value += call.beta * call.load("C", i * call.ldc + j);
      call.store("C", i * call.ldc + j, value, 9);
    }
  }
}

void returns_early_without_terms(Call& call) {
  if (call.k > 0) right(call);
}

void clamps(Call& call) {
  right(call);
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      const std::int64_t at = i * call.ldc + j;
      call.store("C", at, std::fmin(call.load("C", at), 3.0F), 9);
    }
  }
}

void negates_last_row(Call& call) {
  right(call);
  for (std::int64_t j = 0; j < call.n; ++j) {
    const std::int64_t at = (call.m - 1) * call.ldc + j;
    call.store("C", at, -call.load("C", at), 9);
  }
}

void negates_last_element(Call& call) {
  right(call);
  const std::int64_t at = (call.m - 1) * call.ldc + call.n - 1;
  if (call.m > 0 && call.n > 0) call.store("C", at, -call.load("C", at), 9);
}

void swaps_first_columns_of_b(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      float sum = 0.0F;
      const std::int64_t from = call.n > 1 && j < 2 ? 1 - j : j;
      for (std::int64_t p = 0; p < call.k; ++p) sum = std::fma(call.a(i, p), call.b(p, from), sum);
      call.c(i, j, sum);
    }
  }
}

float towards_zero(double exact) {
  const auto nearest = static_cast<float>(exact);
  return std::abs(double{nearest}) > std::abs(exact) ? std::nextafterf(nearest, 0.0F) : nearest;
}

/// The products are exact in double.
void rounds_towards_zero(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      float sum = 0.0F;
      for (std::int64_t p = 0; p < call.k; ++p) {
        sum = towards_zero(double{call.a(i, p)} * double{call.b(p, j)} + double{sum});
      }
      call.c(i, j, sum);
    }
  }
}

/// Sums the even and the odd terms in two slices, each of them correctly.
void adds_slices_towards_zero(Call& call) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      std::array<float, 2> slices{};
      for (std::int64_t p = 0; p < call.k; ++p) {
        slices[p % 2] = std::fma(call.a(i, p), call.b(p, j), slices[p % 2]);
      }
      call.c(i, j, towards_zero(double{slices[0]} + double{slices[1]}));
    }
  }
}

void depends_on_schedule(Call& call) {
  right(call);
  if (call.schedule > 1'000'000) call.store("C", 0, call.load("C", 0) + 1.0F, 9);
}

void uses_n_for_ldb(Call& call) {
  call.ldb = call.n;
  right(call);
}

constexpr const char* kUsual = "fake m=5 n=4 k=6 seed=2";

const std::vector<Planted>& planted_defects() {
  static const std::vector<Planted> kPlanted = {
      Planted{"matches-reference", "the last term dropped", kUsual, drops_last_term,
              FindingClass::wrong_result, 7},
      Planted{"matches-reference", "a column never written", kUsual, leaves_last_column,
              FindingClass::wrong_result, 3},
      Planted{"writes-every-element", "a column never written", kUsual, leaves_last_column,
              FindingClass::wrong_result, 3},
      Planted{"writes-only-its-matrix", "padding overwritten with the first poison", kUsual,
              writes_poison_into_padding, FindingClass::guard_overwritten, 9},
      Planted{"reads-only-its-operands", "padding of A in the sum", kUsual, adds_padding_of_a,
              FindingClass::uninitialized_read, 9},
      Planted{"leaves-inputs-alone", "A changed by a second launch", kUsual,
              bumps_input_on_second_launch, FindingClass::input_modified, 9},
      Planted{"beta-zero-ignores-c", "NaN times zero", kUsual, epilogue_without_beta_test,
              FindingClass::wrong_result, 9},
      Planted{"alpha-zero-ignores-a-and-b", "NaN times zero", "fake m=5 n=4 k=6 beta=2 seed=1",
              epilogue_without_alpha_test, FindingClass::wrong_result, 9},
      Planted{"k-zero-scales-c", "D left as it was", "fake m=5 n=4 k=6 beta=2 seed=1",
              returns_early_without_terms, FindingClass::wrong_result, 3},
      Planted{"power-of-two-scaling-is-exact", "values clamped", kUsual, clamps,
              FindingClass::wrong_result, 9},
      Planted{"permuting-rows-permutes-rows", "the last row negated", kUsual, negates_last_row,
              FindingClass::wrong_result, 7},
      Planted{"one-hot-picks-the-named-element", "two columns swapped", kUsual,
              swaps_first_columns_of_b, FindingClass::wrong_result, 7},
      Planted{"one-product-is-rounded-once", "sums rounded towards zero", kUsual,
              rounds_towards_zero, FindingClass::wrong_result, 7},
      Planted{"two-products-are-added-once", "slices added towards zero", "fake m=9 n=8 k=6 seed=2",
              adds_slices_towards_zero, FindingClass::wrong_result, 7},
      Planted{"same-bits-twice", "the schedule in the sum", kUsual, depends_on_schedule,
              FindingClass::nondeterministic, 9},
      Planted{"wider-layout-same-bits", "n for ldb", kUsual, uses_n_for_ldb,
              FindingClass::wrong_result, 7},
      Planted{"batch-invariance", "sums by the number of rows", kUsual,
              drops_last_term_of_many_rows, FindingClass::wrong_result, 7},
      Planted{"permuting-slices-permutes-slices", "the last element negated", kUsual,
              negates_last_element, FindingClass::wrong_result, 7},
      Planted{"second-call-other-pointers", "the address of the first A kept", kUsual,
              keeps_first_pointer, FindingClass::wrong_result, 7}};
  return kPlanted;
}

INSTANTIATE_TEST_SUITE_P(Property, OnPlantedDefect, ::testing::ValuesIn(planted_defects()),
                         [](const auto& planted) {
                           std::string text = planted.param.property;
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text + "_" + std::to_string(planted.index);
                         });

TEST(Property, EveryPropertyHasAPlantedDefect) {
  contract::Contract contract = blas_variant().contract;
  contract.batch_invariant = {"m"};
  for (const properties::Law& entry : properties::laws()) {
    if (!entry.applies(contract)) continue;  // laws_on_kernels has those of other operations
    EXPECT_TRUE(std::any_of(planted_defects().begin(), planted_defects().end(),
                            [&](const Planted& planted) { return planted.property == entry.name; }))
        << entry.name;
  }
}

TEST(Property, AnErrorSuggestsTheNearestNameForAnUnknownOne) {
  try {
    (void)properties::law("same-bit-twice");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.diagnostics().at(0).message,
                HasSubstr("unknown property 'same-bit-twice': did you mean 'same-bits-twice'?"));
  }
}

TEST(Property, SameBitsTwiceNamesTheTwoSchedulesThatDiffer) {
  const CheckResult result = result_of_property(
      "same-bits-twice",
      [](Call& call) {
        right(call);
        if (call.schedule == 43) call.store("C", 0, 0.5F, 9);
      },
      "fake m=2 n=2 k=3 seed=42");
  ASSERT_EQ(result.evidence.size(), 1U);
  EXPECT_THAT(result.evidence[0].finding.message,
              ::testing::AllOf(HasSubstr("C[0, 0] is 0.5 with another order of blocks and warps, "),
                               HasSubstr("is expected from the run with the first order")));
}

TEST(Property, IsSkippedWhereItsConditionsLeaveTheDomain) {
  const contract::Variant variant = blas_variant("requires = [\"k >= 4\"]\n");
  const Case problem = parse_case("fake m=5 n=4 k=6");
  EXPECT_FALSE(
      properties::adapted_to_domain(properties::law("k-zero-scales-c"), variant.contract, problem));
  EXPECT_TRUE(
      properties::adapted_to_domain(properties::law("same-bits-twice"), variant.contract, problem));
}

TEST(Property, WidensOnlyAsTheDomainAllows) {
  const contract::Variant variant = blas_variant("requires = [\"lda % 4 == 0\", \"ldb == n\"]\n");
  const Case problem = parse_case("fake m=5 n=4 k=8");
  const auto changed = properties::adapted_to_domain(properties::law("reads-only-its-operands"),
                                                     variant.contract, problem);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->whole("lda"), 12);
  EXPECT_EQ(changed->whole("ldb"), 0);
  EXPECT_EQ(changed->whole("ldc"), 5);
}

TEST(Property, AppliesOnlyToMatchingContracts) {
  const contract::Variant plain = testing::plain_variant();
  EXPECT_FALSE(properties::law("alpha-zero-ignores-a-and-b").applies(plain.contract));
  EXPECT_FALSE(properties::law("reads-only-its-operands").applies(plain.contract));
  const contract::Variant atomic = blas_variant("deterministic = false\n");
  EXPECT_FALSE(properties::law("same-bits-twice").applies(atomic.contract));
}

TEST(Property, ComparesNondeterministicKernelsOnExactSums) {
  const contract::Variant atomic = blas_variant("deterministic = false\n");
  // This kernel alternates between ascending and descending k, as atomic sums have no fixed order.
  bool upwards = false;
  const Kernel turns = [&](Call& call) {
    upwards = !upwards;
    for (std::int64_t i = 0; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        float sum = 0.0F;
        for (std::int64_t p = 0; p < call.k; ++p) {
          const std::int64_t term = upwards ? p : call.k - 1 - p;
          sum = std::fma(call.a(i, term), call.b(term, j), sum);
        }
        call.c(i, j, sum);
      }
    }
  };
  GemmDevice device(atomic, turns);
  const auto program = device.load("", "");
  const campaign::run::Context context{atomic, device, *program};
  for (const properties::Law& entry : properties::laws()) {
    for (int seed = 0; seed < 20; ++seed) {
      const auto line = properties::adapted_to_domain(
          entry, atomic.contract,
          parse_case(fmt::format("fake m=3 n=4 k=33 data=wide seed={}", seed)));
      if (!line) continue;
      const CheckResult result = check_law(entry, context, *line, true);
      EXPECT_TRUE(result.evidence.empty())
          << to_line(*line) << ": " << result.evidence.front().finding.message;
    }
  }
}

TEST(Property, AdaptingTwiceChangesNothingMore) {
  const contract::Variant variant = blas_variant();
  for (const properties::Law& entry : properties::laws()) {
    const Case once = properties::adapted(entry, variant.contract,
                                          parse_case("fake m=5 n=4 k=6 beta=2 data=wide seed=1"));
    EXPECT_EQ(properties::adapted(entry, variant.contract, once), once) << entry.name;
  }
}

TEST(Property, NothingIsLaunchedForAnEmptyMatrix) {
  for (const properties::Law& entry : properties::laws()) {
    const CheckResult result =
        result_of_property(std::string(entry.name), right, "fake m=0 n=4 k=6");
    EXPECT_FALSE(result.launched) << entry.name;
    EXPECT_TRUE(result.evidence.empty()) << entry.name;
  }
}

TEST(Property, AResultOfNanIsWrong) {
  const CheckResult result = result_of_property(
      "matches-reference",
      [](Call& call) {
        right(call);
        call.store("C", 0, kNan, 9);
      },
      kUsual);
  ASSERT_EQ(result.evidence.size(), 1U);
  EXPECT_EQ(result.evidence[0].finding.source.line, 9U);
  EXPECT_EQ(result.evidence[0].element, "C[0, 0]");
}

TEST(Property, AKernelThatWritesNothingIsWrong) {
  const CheckResult result = result_of_property(
      "matches-reference", [](Call&) {}, kUsual);
  ASSERT_EQ(result.evidence.size(), 1U);
  EXPECT_EQ(result.evidence[0].mismatch->wrong, 20);
}

/// On normal data the tolerance is not 0. An added error of five tolerances is reported as about 5.
TEST(CheckResult, ReportsTheLargestErrorInUnitsOfTheBound) {
  const std::string line = "fake m=5 n=4 k=64 data=normal seed=3";
  const CheckResult good = result_of_property("matches-reference", right, line);
  ASSERT_TRUE(good.error_over_bound.has_value());
  EXPECT_GT(*good.error_over_bound, 0.0);
  EXPECT_LE(*good.error_over_bound, 1.0);
  const auto off_at = [&](float by) {
    return result_of_property(
        "matches-reference",
        [by](Call& call) {
          right(call);
          call.store("C", 2, by, 6);
        },
        line);
  };
  const CheckResult far = off_at(1e6F);
  ASSERT_FALSE(far.evidence.empty());
  const judge::Mismatch& mismatch = far.evidence.front().mismatch.value();
  EXPECT_DOUBLE_EQ(far.error_over_bound.value(),
                   std::fabs(mismatch.got - mismatch.expected) / mismatch.tolerance);
  const CheckResult near = off_at(static_cast<float>(mismatch.expected + 5 * mismatch.tolerance));
  EXPECT_NEAR(near.error_over_bound.value(), 5.0, 0.1);
}

// There is no element whose loss could show: such a case is no part of the mean sensitivity.
TEST(ShowsTerms, CasesOfTensorsWithoutInputsShowNoTerms) {
  const contract::Contract contract = testing::operation_contract(testing::kRowSums);
  const auto shows_terms = [&](const char* extents) {
    const Case problem = parse_case(fmt::format("sums operation=row_sums {} seed=0", extents));
    return checks::shows_terms(contract, problem);
  };
  EXPECT_TRUE(shows_terms("depth=1 rows=2 columns=3"));
  EXPECT_FALSE(shows_terms("depth=1 rows=2 columns=0"));
  EXPECT_FALSE(shows_terms("depth=0 rows=2 columns=3"));
}

}  // namespace
}  // namespace warpcheck::campaign
