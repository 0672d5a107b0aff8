// Narrowing by constraints removes no case of the domain.
#include <gtest/gtest.h>

#include <algorithm>

#include "campaign/case/operand_layout.hpp"
#include "campaign/generate/constraints/constraint_system.hpp"
#include "campaign/generate/constraints/domain_constraints.hpp"
#include "campaign/generate/sampling/rng.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "tests/campaign/generate/random_domain.hpp"

namespace warpcheck::campaign::generate {
namespace {

/// Returns the values of a case, with its effective strides.
Values effective_values(const contract::Contract& contract, const CaseSchema& schema,
                        Case problem) {
  for (const OperandLayout& operand : operand_layouts(contract, problem)) {
    for (const OperandLayout::Stride& stride : operand.strides) {
      if (stride.field.is_taken) stride.field.set(problem, operand.effective(stride));
    }
  }
  Values values;
  for (const CaseField& field : schema.fields) values.push_back(field.get(problem));
  return values;
}

/// Returns a set that contains the value: an interval, a congruence or both.
IntegerSet set_around(std::int64_t value, Rng& rng) {
  const std::int64_t low = value - rng.between(0, 1) * rng.between(0, 50);
  const std::int64_t high = value + rng.between(0, 1) * rng.between(0, 50);
  const std::int64_t step = rng.one_in(3) ? rng.between(2, 6) : 1;
  return IntegerSet::make(low, high, step, value);
}

TEST(Constraints, NarrowingKeepsTheWitness) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const testing::RandomDomain domain = testing::random_domain(seed, true);
    const contract::Contract& contract = domain.variant.contract;
    SCOPED_TRACE(domain.text);
    const CaseSchema schema = case_schema(contract);
    const auto constraints = domain_constraints(contract, schema, kMostOperandBytes);
    std::vector<const Constraint*> pointers;
    for (const Constraint& constraint : constraints) pointers.push_back(&constraint);
    const auto witness = effective_values(contract, schema, *domain.witness);
    Rng rng(seed);
    for (int i = 0; i < 20; ++i) {
      Domains initial = initial_domains(schema);
      for (std::size_t v = 0; v < initial.size(); ++v) {
        if (!initial[v].is_single()) {
          initial[v] = intersection(initial[v], set_around(witness[v], rng));
        }
      }
      const ConstraintSystem system(pointers, initial);
      ASSERT_FALSE(system.is_contradictory()) << to_line(*domain.witness);
      for (std::size_t v = 0; v < witness.size(); ++v) {
        ASSERT_TRUE(system.domains()[v].contains(witness[v]))
            << schema.fields[v].name << ": " << to_line(*domain.witness);
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::campaign::generate
