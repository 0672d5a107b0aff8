// The generator and all that change its cases, on contracts with random `requires`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <set>
#include <tuple>

#include "base/hash.hpp"
#include "campaign/case/domain.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/run/problem.hpp"
#include "campaign/shrink/shrink.hpp"
#include "properties/law.hpp"
#include "properties/vocabulary.hpp"
#include "tests/campaign/generate/random_domain.hpp"

namespace warpcheck::campaign::generate {
namespace {

using testing::random_domain;
using testing::random_valid_case;
using testing::RandomDomain;
using Shape = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

constexpr int kCases = 100;
constexpr std::uint64_t kSamples = 4000;  // cases among which the oracle searches

/// Returns the number of contracts: 25, or that of the environment, for a longer run.
std::uint64_t contracts() {
  const char* const text = std::getenv("WARPCHECK_RANDOM_DOMAINS");
  return text == nullptr ? 25 : std::strtoull(text, nullptr, 10);
}

bool is_valid(const contract::Contract& contract, const Case& problem) {
  return can_be_laid_out(contract, problem, run::kBufferLimitBytes);
}

bool is_inside(const contract::Contract& contract, const Case& problem) {
  return is_valid(contract, problem) && !violated(contract, problem);
}

/// Returns shapes of the domain that random cases meet: an oracle without a solver.
std::set<Shape> shapes_of(const RandomDomain& domain, std::uint64_t seed) {
  const contract::Contract& contract = domain.variant.contract;
  std::set<Shape> shapes;
  if (domain.witness)
    shapes.emplace(domain.witness->whole("m"), domain.witness->whole("n"),
                   domain.witness->whole("k"));
  for (std::uint64_t i = 0; i < kSamples && shapes.size() < 2; ++i) {
    const bool near = domain.witness && i % 2 == 0;
    const Case sampled =
        random_valid_case(contract, mixed(seed, i), near ? &*domain.witness : nullptr);
    if (is_inside(contract, sampled))
      shapes.emplace(sampled.whole("m"), sampled.whole("n"), sampled.whole("k"));
  }
  return shapes;
}

void check_case(const contract::Contract& contract, const Case& problem) {
  EXPECT_EQ(violated(contract, problem), std::nullopt) << to_line(problem);
  EXPECT_NO_THROW((void)lay_out(contract, problem, run::kBufferLimitBytes)) << to_line(problem);
  EXPECT_EQ(parse_case(to_line(problem)), problem);
  EXPECT_EQ(normalized(contract, problem), problem) << to_line(problem);
}

void check_derived_cases(const contract::Contract& contract, const Case& problem) {
  for (const properties::Law& property : properties::laws()) {
    const auto adapted = properties::adapted_to_domain(property, contract, problem);
    if (!adapted) continue;
    EXPECT_TRUE(is_inside(contract, *adapted)) << property.name << ": " << to_line(*adapted);
  }
  const Case wider = properties::wider_and_shifted(contract, problem);
  EXPECT_TRUE(is_inside(contract, wider)) << "wider: " << to_line(wider);
}

void check_shrinking(const contract::Contract& contract, const Case& problem, std::uint64_t seed) {
  const auto fails = [&](const Case& candidate) {
    EXPECT_TRUE(can_be_laid_out(contract, candidate, run::kBufferLimitBytes)) << to_line(candidate);
    EXPECT_EQ(violated(contract, candidate), std::nullopt) << to_line(candidate);
    return mixed(seed, to_line(candidate)) % 2 == 0;
  };
  (void)shrink::shrink(contract, problem, fails, {20});
}

struct Outcome {
  bool empty = false;   // the generator found the domain empty
  bool proven = false;  // and names the conditions that contradict one another
  std::set<Shape> shapes;
};

Outcome generate_and_check(const RandomDomain& domain, std::uint64_t seed) {
  const contract::Contract& contract = domain.variant.contract;
  Outcome outcome;
  try {
    const CaseGenerator generator(contract, {.seed = seed, .int32_overflow_strides = true});
    for (int i = 0; i < kCases; ++i) {
      const Case problem = generator.draw(i).problem;
      outcome.shapes.emplace(problem.whole("m"), problem.whole("n"), problem.whole("k"));
      check_case(contract, problem);
      if (i % 20 == 0) check_derived_cases(contract, problem);
      if (i == 50) check_shrinking(contract, problem, seed);
    }
  } catch (const InputError& error) {
    outcome.empty = true;
    const Diagnostic& diagnostic = error.diagnostics().at(0);
    EXPECT_EQ(diagnostic.where.file, "kernel.toml");
    EXPECT_NE(diagnostic.where.line, 0U);
    outcome.proven = diagnostic.message.find("no case satisfies") != std::string::npos;
    EXPECT_TRUE(outcome.proven || diagnostic.message.find("found no case") != std::string::npos)
        << diagnostic.message;
  }
  return outcome;
}

struct Totals {
  std::uint64_t satisfiable = 0, missed = 0, empty = 0, unproven = 0, several = 0, one_shape = 0;
};

void check_domain(const RandomDomain& domain, std::uint64_t seed, Totals& totals) {
  SCOPED_TRACE(domain.text);
  const std::set<Shape> possible = shapes_of(domain, seed);
  const Outcome outcome = generate_and_check(domain, seed);
  if (!possible.empty()) {
    ++totals.satisfiable;
    if (outcome.empty) {
      ++totals.missed;
      std::cout << "missed:\n" << domain.text;
      EXPECT_FALSE(outcome.proven) << "declared empty";
    }
  } else if (outcome.empty) {
    ++totals.empty;
    if (!outcome.proven) {
      ++totals.unproven;
      std::cout << "unproven:\n" << domain.text;
    }
  }
  if (possible.size() < 2 || outcome.empty) return;
  ++totals.several;
  if (outcome.shapes.size() < 2) {
    ++totals.one_shape;
    std::cout << "one shape:\n" << domain.text;
  }
}

TEST(RandomDomains, AreSampledWithoutAnInvalidCase) {
  Totals totals;
  for (std::uint64_t seed = 0; seed < contracts(); ++seed) {
    check_domain(random_domain(seed, seed % 10 < 7), seed, totals);
  }
  std::cout << totals.satisfiable << " satisfiable domains, " << totals.missed << " not sampled; "
            << totals.empty << " found empty, " << totals.unproven << " of them without a proof; "
            << totals.several << " with several shapes, " << totals.one_shape
            << " sampled with one\n";
  EXPECT_LE(totals.missed * 100, totals.satisfiable);
  EXPECT_LE(totals.one_shape * 50, totals.several);
}

}  // namespace
}  // namespace warpcheck::campaign::generate
