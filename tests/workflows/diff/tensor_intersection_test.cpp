// Contracts of operations of the language, compared with one another.
#include <gmock/gmock.h>

#include "campaign/case/schema.hpp"
#include "tests/campaign/operation_contract.hpp"
#include "workflows/diff/domain_intersection.hpp"

namespace warpcheck::workflows::diff {
namespace {

using campaign::testing::kRowSums;
using campaign::testing::operation_contract;
using contract::Contract;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string with(std::string text, const std::string& what, const std::string& instead) {
  return text.replace(text.find(what), what.size(), instead);
}

TEST(TensorIntersection, HasTheRequirementsOfBoth) {
  const Contract even = operation_contract(kRowSums, "requires = [\"rows % 2 == 0\"]\n");
  const Contract threes = operation_contract(kRowSums, "requires = [\"rows % 3 == 0\"]\n");
  const DomainIntersection joint(even, threes);
  EXPECT_EQ(joint.contract().requires_.size(), 2U);
  EXPECT_TRUE(joint.contains(campaign::parse_case("sums operation=row_sums rows=6")));
  EXPECT_FALSE(joint.contains(campaign::parse_case("sums operation=row_sums rows=4")));
  EXPECT_THAT(joint.remarks(), IsEmpty());
}

TEST(TensorIntersection, VariesOnlyStridesOfBothKernels) {
  const Contract strided = operation_contract(kRowSums);
  const Contract dense = operation_contract(with(kRowSums, "\"stride_x\", ", ""));
  const DomainIntersection joint(strided, dense);
  EXPECT_FALSE(campaign::case_schema(joint.contract()).operand("x")->takes_stride());
  EXPECT_FALSE(
      joint.contains(campaign::parse_case("sums operation=row_sums rows=2 columns=3 stride_x=5")));
}

TEST(TensorIntersection, InputsOfTwoTypesHaveValuesOfBoth) {
  const Contract wide = operation_contract(kRowSums);
  const Contract narrow = operation_contract(kRowSums, "types = { x = \"bf16\" }\n");
  const DomainIntersection joint(wide, narrow);
  EXPECT_EQ(joint.contract().tensors->types.at("x"), ScalarType::bf16);
  EXPECT_FALSE(joint.same_values());
  EXPECT_THAT(joint.remarks(), ElementsAre(HasSubstr("x is f32 in sums and bf16 in sums"),
                                           HasSubstr("replayed alone")));
}

TEST(TensorIntersection, AnotherDefinitionIsRefused) {
  const Contract one = operation_contract(kRowSums);
  const Contract other = operation_contract(with(kRowSums, "scale * sum", "scale * max"));
  try {
    const DomainIntersection joint(one, other);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("its operation row_sums has another definition"));
  }
}

}  // namespace
}  // namespace warpcheck::workflows::diff
