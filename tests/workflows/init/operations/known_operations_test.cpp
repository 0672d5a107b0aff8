#include "workflows/init/operations/known_operations.hpp"

#include <gmock/gmock.h>

#include <set>

#include "base/diagnostic.hpp"
#include "contract/contract.hpp"
#include "workflows/init/draft/draft.hpp"
#include "workflows/init/operations/operation_search.hpp"

namespace warpcheck::workflows::init {
namespace {

NamedParameter buffer(const std::string& name, bool constant) {
  return {name, {ParameterType::Kind::buffer, constant, ScalarType::f32, "float*"}};
}

NamedParameter number(const std::string& name, ParameterType::Kind kind) {
  return {name, {kind, false, std::nullopt, ""}};
}

/// A kernel with the parameters that the operation needs.
OperationKernel kernel_of(const KnownOperation& known, std::size_t extents) {
  OperationKernel kernel;
  kernel.base.name = kernel.base.kernel = "mine";
  const std::size_t inputs = known.inputs.size() - (known.updates ? 1 : 0);
  for (std::size_t i = 0; i < inputs; ++i) {
    kernel.parameters.push_back(buffer("x" + std::to_string(i), true));
    const bool is_index = known.define.find("[$" + std::to_string(i) + "[") != std::string::npos;
    if (is_index) kernel.parameters.back().type.element = ScalarType::s32;
  }
  kernel.parameters.push_back(buffer("y", false));
  for (std::size_t i = 0; i < known.scalars; ++i) {
    kernel.parameters.push_back(number("s" + std::to_string(i), ParameterType::Kind::floating));
  }
  for (std::size_t i = 0; i < extents; ++i) {
    kernel.parameters.push_back(number("n" + std::to_string(i), ParameterType::Kind::integer));
  }
  return kernel;
}

class KnownOperations : public testing::TestWithParam<std::size_t> {};

/// Each definition, with the parameters of a kernel, is that of a valid contract.
TEST_P(KnownOperations, AreValid) {
  std::set<std::string> seen;
  for (const KnownOperation& known : known_operations(GetParam())) {
    const std::vector<Draft> drafts = drafts_of(kernel_of(known, GetParam()), known);
    ASSERT_FALSE(drafts.empty()) << known.define;
    const std::string text = to_toml(drafts.front());
    EXPECT_TRUE(seen.insert(text).second) << "twice:\n" << text;
    EXPECT_EQ(text.find('$'), std::string::npos) << text;
    try {
      const auto contracts = contract::parse_contracts(text, {"known.toml", 1, 1});
      EXPECT_TRUE(contracts.front().tensors != nullptr) << text;
    } catch (const InputError& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
  }
  EXPECT_GT(seen.size(), GetParam() == 3 ? 0U : 50U);
}

INSTANTIATE_TEST_SUITE_P(Extents, KnownOperations, testing::Values(1, 2, 3));

TEST(KnownOperations, HaveOneToThreeExtents) {
  EXPECT_TRUE(known_operations(0).empty());
  EXPECT_TRUE(known_operations(4).empty());
}

TEST(KnownOperations, DefinitionsThatPassTheSameCasesAreAllNamed) {
  const KnownOperation relu{{"0"}, "0", false, 0, "$y[i] = max($0[i], 0)"};
  Draft draft = drafts_of(kernel_of(relu, 1), relu).front();
  EXPECT_THAT(to_toml(draft), testing::Not(testing::HasSubstr("TODO")));
  draft.operation->other_definitions = {"a[i] = x0[i]\ny[i] = a[i]"};
  EXPECT_THAT(to_toml(draft),
              testing::StartsWith(
                  "# TODO: choose the definition that is meant: these pass the same cases.\n"
                  "#   y[i] = max(x0[i], 0)\n#   a[i] = x0[i]\n#     y[i] = a[i]\n[[operation]]"));
  EXPECT_THAT(to_toml(draft, false), testing::StartsWith("[[operation]]"));
}

TEST(KnownOperations, GuessedKeysAreThoseOfTheContract) {
  const KnownOperation copy{{"0"}, "0", false, 0, "$y[i] = $0[i]"};
  Draft draft = drafts_of(kernel_of(copy, 1), copy).front();
  draft.notes = {{"define", "guessed: passes the cases"},
                 {"layout", "guessed"},  // which only products have
                 {"grid", "from the launch in line 3"},
                 {"block", "guessed from the constants of the kernel"}};
  EXPECT_THAT(draft.guessed_keys(), testing::ElementsAre("define", "block"));
}

/// Operations of tensors with the same dimensions are tried only if the first one fits.
TEST(KnownOperations, WithTheSameDimensionsFollowOneAnother) {
  for (const std::size_t extents : {1, 2}) {
    std::set<std::string> ended;
    std::string last;
    for (const KnownOperation& known : known_operations(extents)) {
      std::string dimensions = known.output + (known.updates ? "u" : "");
      for (const Dimensions& one : known.inputs) dimensions += "," + one;
      dimensions += ";" + std::to_string(known.scalars);
      if (dimensions == last) continue;
      EXPECT_TRUE(ended.insert(dimensions).second) << dimensions;
      last = dimensions;
    }
  }
}

}  // namespace
}  // namespace warpcheck::workflows::init
