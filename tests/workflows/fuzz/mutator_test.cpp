#include "workflows/fuzz/mutator.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/cases.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using campaign::testing::blas_variant;
using campaign::testing::plain_variant;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::ResultOf;

std::uint64_t fresh_seed() { return std::random_device{}(); }

TEST(Literals, AreThoseOfTheNamedKernel) {
  const std::string ptx = R"(
.visible .entry other(
  .param .u32 n
)
{
  setp.lt.s32 %p1, %r1, 77;
}
.visible .entry mine(
  .param .u32 n
)
{
$L__BB0_2:
  setp.eq.s32 %p1, %r1, 56;
  @%p1 bra $L__BB0_2;
  mul.lo.s32 %r2, %r1, 104;
  and.b32 %r3, %r2, 31;
  add.s32 %r4, %r3, 1000;
  setp.lt.s32 %p2, %r1, -8;
  setp.gt.s32 %p3, %r1, 1;
  setp.gt.s32 %p4, %r1, 5000;
}
)";
  EXPECT_THAT(literals_of(ptx, "mine"), ElementsAre(31, 56, 104))
      << "sums and literals that are not extents are not tried";
  EXPECT_THAT(literals_of(ptx, "other"), ElementsAre(77));
  EXPECT_TRUE(literals_of(ptx, "absent").empty());
}

class Domains : public ::testing::TestWithParam<std::string> {};

TEST_P(Domains, AreNotLeftByMutants) {
  const contract::Variant variant = blas_variant(GetParam());
  const std::uint64_t seed = fresh_seed();
  SCOPED_TRACE(seed);
  campaign::generate::Rng random(seed);
  const campaign::generate::CaseGenerator generator(variant.contract, {.seed = seed});
  const Mutator mutator(variant.contract, {56, 104}, {"matches-reference", "same-bits-twice"});
  campaign::Case parent = generator.draw(0).problem;
  int made = 0;
  for (int i = 0; i < 1500; ++i) {
    const campaign::Case donor = generator.draw(i % 40).problem;
    const auto mutant = mutator.mutated(parent, donor, random);
    if (!mutant) continue;
    ++made;
    EXPECT_EQ(campaign::violated(variant.contract, *mutant), std::nullopt)
        << campaign::to_line(*mutant);
    EXPECT_EQ(campaign::normalized(variant.contract, *mutant), *mutant)
        << campaign::to_line(*mutant);
    EXPECT_NO_THROW(
        static_cast<void>(campaign::lay_out(variant.contract, *mutant, std::size_t{1} << 30)))
        << campaign::to_line(*mutant);
    EXPECT_LE(static_cast<double>(mutant->whole("m")) * static_cast<double>(mutant->whole("n")) *
                  static_cast<double>(mutant->whole("k")),
              5e6)
        << campaign::to_line(*mutant);
    parent = i % 10 == 0 ? donor : *mutant;
  }
  EXPECT_GT(made, 500);
}

INSTANTIATE_TEST_SUITE_P(
    Mutator, Domains,
    ::testing::Values("", "requires = [\"k % 24 == 0\", \"k >= 48\"]\n",
                      "requires = [\"m == n\", \"n % 16 == 0\"]\n",
                      "requires = [\"lda == ldb\", \"ldb == ldc + 8\"]\n",
                      "requires = [\"m + n == 96\", \"ldc % 8 == 0 and ldc == m + 4\"]\n",
                      "requires = [\"aligned(a, 16)\", \"lda % 4 == 0\", \"ldc > n\"]\n",
                      "requires = [\"beta == 0\", \"m <= 64\"]\n"));

TEST(Mutator, ChangesEveryFieldThatTheContractTakes) {
  const contract::Variant variant = blas_variant();
  const std::uint64_t seed = fresh_seed();
  SCOPED_TRACE(seed);
  campaign::generate::Rng random(seed);
  const Mutator mutator(variant.contract, {}, {"matches-reference", "same-bits-twice"});
  campaign::Case parent;
  parent.variant = variant.contract.name;
  parent.set_value("m", 20);
  parent.set_value("n", 20);
  parent.set_value("k", 20);
  std::set<std::string> changed;
  for (int i = 0; i < 3000; ++i) {
    const auto mutant = mutator.mutated(parent, parent, random);
    if (!mutant) continue;
    for (const campaign::LineField& field : line_fields(parent)) {
      if (parent.number(field.name) != mutant->number(field.name)) changed.emplace(field.name);
    }
    if (parent.data != mutant->data) changed.insert("data");
    if (parent.seed != mutant->seed) changed.insert("seed");
    if (parent.property != mutant->property) changed.insert("property");
  }
  EXPECT_THAT(changed, ElementsAre("alpha", "beta", "data", "k", "lda", "ldb", "ldc", "m", "n",
                                   "off_a", "off_b", "off_c", "property", "seed"));
}

TEST(Mutator, NeighboursHaveOneExtentAtALiteralOrOneFurther) {
  const contract::Variant variant = plain_variant();
  const Mutator mutator(variant.contract, {56, 104}, {"matches-reference"});
  campaign::Case parent;
  parent.variant = variant.contract.name;
  parent.set_value("m", 3);
  parent.set_value("n", 4);
  parent.set_value("k", 0);
  parent.property = "k-zero-scales-c";
  const std::vector<campaign::Case> neighbours = mutator.neighbours(parent);
  // Each extent at 56 and 104, at the contract's 16, 256 and 1024, and by one less and more.
  EXPECT_EQ(neighbours.size(), 3U * 7U);
  const auto has = [](const char* extent, std::int64_t size) {
    return ResultOf([=](const campaign::Case& one) { return one.whole(extent); }, size);
  };
  EXPECT_THAT(neighbours, Contains(has("k", 104)));
  EXPECT_THAT(neighbours, Contains(has("m", 56)));
  EXPECT_THAT(neighbours, Contains(has("n", 5)));
  EXPECT_THAT(neighbours, Each(Field(&campaign::Case::property, "")))
      << "the property of the parent would fix k at 0";
}

}  // namespace
}  // namespace warpcheck::workflows::fuzz
