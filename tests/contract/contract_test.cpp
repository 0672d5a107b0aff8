#include "contract/contract.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpcheck::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kFull = R"toml([[variant]]
name      = "sgemm_tiled32"
kernel    = "ns::sgemm_tiled<32>"
operation = "gemm"
layout    = { a = "row", b = "col", c = "row" }
types     = { a = "f16", b = "bf16", c = "f32", accumulate = "f64" }
arguments = ["c", "a", "b", "m", "k", "n", "lda", "alpha", 1, "0.5", "workspace"]
block     = [32, "4 * 8"]
grid      = ["ceil_div(n, 32)", "ceil_div(m, 32)", 2]
shared    = "4 * k"
workspace = { bytes = "8 * m", zeroed = true }
requires  = ["k % 4 == 0", "lda % 4 == 0", "aligned(a, 16)"]
split_k   = 3
tensor_cores = true
deterministic = false
strict_barriers = true
architecture  = "sm_90a"
expect    = { classes = ["race", "wrong-result"], smallest = "m <= 2 and off_a == 1" }
)toml";

constexpr std::string_view kShort = R"(
[[variant]]
name = "short"
kernel = "f"
operation = "gemm"
arguments = ["a", "b", "c"]
block = [1]
grid = [1]
)";

Contract only(std::string_view toml) {
  const std::vector<Contract> contracts = parse_contracts(toml, {"x.toml", 1, 1});
  EXPECT_EQ(contracts.size(), 1U);
  return contracts.at(0);
}

std::int64_t value_of(const Expression& expression) {
  Bindings bindings;
  bindings.value = [](std::string_view name) -> std::optional<std::int64_t> {
    return name == "m" ? 65 : name == "n" ? 33 : 17;
  };
  return expression.evaluate(bindings).value();
}

TEST(Contract, EveryKeyIsRead) {
  const Contract contract = only(kFull);
  EXPECT_EQ(contract.name, "sgemm_tiled32");
  EXPECT_EQ(contract.launches[0].kernel, "ns::sgemm_tiled<32>");
  EXPECT_EQ(contract.operation, "gemm");
  EXPECT_EQ(contract.layout_a, Layout::row);
  EXPECT_EQ(contract.layout_b, Layout::column);
  EXPECT_EQ(contract.layout_c, Layout::row);
  EXPECT_EQ(contract.type_a, ScalarType::f16);
  EXPECT_EQ(contract.type_b, ScalarType::bf16);
  EXPECT_EQ(contract.type_c, ScalarType::f32);
  EXPECT_EQ(contract.accumulate, ScalarType::f64);
  EXPECT_EQ(value_of(contract.launches[0].block[0]), 32);
  EXPECT_EQ(value_of(contract.launches[0].block[1]), 32);
  EXPECT_EQ(value_of(contract.launches[0].grid[0]), 2);
  EXPECT_EQ(value_of(contract.launches[0].grid[1]), 3);
  EXPECT_EQ(value_of(contract.launches[0].grid[2]), 2);
  EXPECT_EQ(value_of(contract.launches[0].shared), 68);
  ASSERT_EQ(contract.workspaces.size(), 1U);
  EXPECT_EQ(contract.workspaces[0].name, "workspace");
  ASSERT_TRUE(contract.workspaces[0].bytes);
  EXPECT_EQ(contract.workspaces[0].bytes->text(), "8 * m");
  EXPECT_TRUE(contract.workspaces[0].zeroed);
  ASSERT_EQ(contract.requires_.size(), 3U);
  EXPECT_EQ(contract.requires_[2].text(), "aligned(a, 16)");
  EXPECT_EQ(contract.split_k, 3);
  EXPECT_TRUE(contract.tensor_cores);
  EXPECT_FALSE(contract.deterministic);
  EXPECT_TRUE(contract.strict_barriers);
  EXPECT_EQ(contract.architecture, "sm_90a");
  ASSERT_TRUE(contract.expect);
  EXPECT_THAT(contract.expect->classes, ElementsAre("race", "wrong-result"));
  EXPECT_EQ(contract.expect->smallest, "m <= 2 and off_a == 1");
}

TEST(Contract, ArgumentsKeepTheirOrderAndText) {
  const Contract contract = only(kFull);
  std::vector<ArgumentWord> words;
  std::vector<std::string> texts;
  for (const Argument& argument : contract.launches[0].arguments) {
    words.push_back(argument.word);
    texts.push_back(argument.text);
  }
  using enum ArgumentWord;
  EXPECT_THAT(words, ElementsAre(c, a, b, m, k, n, lda, alpha, literal, literal, workspace));
  EXPECT_THAT(texts,
              ElementsAre("c", "a", "b", "m", "k", "n", "lda", "alpha", "1", "0.5", "workspace"));
  EXPECT_TRUE(contract.takes(lda));
  EXPECT_FALSE(contract.takes(ldb));
}

TEST(Contract, EveryArgumentWordIsKnown) {
  const Contract contract = only(R"([[variant]]
name = "all"
kernel = "f"
operation = "gemm"
arguments = ["a", "b", "c", "d", "m", "n", "k", "lda", "ldb", "ldc", "ldd", "alpha", "beta", "batch",
             "stride_a", "stride_b", "stride_c", "stride_d", "ta", "tb", "bias", "workspace", "tensor_map"]
tensor_map = { of = "a", box = [4, 1, 1] }
block = [1]
grid = [1]
)");
  for (const Argument& argument : contract.launches[0].arguments) {
    EXPECT_NE(argument.word, ArgumentWord::literal) << argument.text;
    EXPECT_EQ(name(argument.word), argument.text);
    const bool one_of_a_to_d = argument.text.size() == 1 && argument.text < "e";
    EXPECT_EQ(is_buffer(argument.word),
              one_of_a_to_d || argument.text == "bias" || argument.text == "workspace")
        << argument.text;
  }
}

TEST(Contract, BoxesInDefaultsMayUseConstantsOfTheVariants) {
  const Contract contract = only(R"([defaults]
operation = "gemm"
arguments = ["tensor_map", "b", "c"]
tensor_map = { of = "a", box = ["LINE / 2", 8], swizzle = "2 * LINE" }
block = [1]
grid = [1]
[[variant]]
name = "maps"
kernel = "f"
types = { a = "f16", b = "f16", c = "f32", accumulate = "f32" }
constants = { LINE = 64 }
)");
  EXPECT_EQ(value_of(contract.tensor_maps.at(0).box[0]), 32);
  EXPECT_EQ(contract.tensor_maps.at(0).swizzle, 128U);
}

TEST(Contract, TensorMapsTakeTheirOperandWithItsStrides) {
  const Contract contract = only(R"([[variant]]
name = "maps"
kernel = "f"
operation = "gemm"
types = { a = "f16", b = "f16", c = "f32", accumulate = "f32" }
arguments = ["tensor_map.a", "tensor_map.c", "b"]
tensor_map = { a = { of = "a", box = [64, 128], swizzle = 128, fill = "nan" }, c = { of = "c", box = [8, 8] } }
block = [1]
grid = [2]
cluster = [2, 1]
)");
  ASSERT_EQ(contract.tensor_maps.size(), 2U);
  const TensorMapArgument& map = contract.tensor_map(contract.launches[0].arguments[0]);
  EXPECT_EQ(map.of, ArgumentWord::a);
  EXPECT_EQ(value_of(map.box[1]), 128);
  EXPECT_EQ(map.swizzle, 128U);
  EXPECT_TRUE(map.fills_with_nan);
  EXPECT_TRUE(contract.takes(ArgumentWord::a));
  EXPECT_TRUE(contract.takes(ArgumentWord::lda));
  EXPECT_TRUE(contract.takes(ArgumentWord::ldc));
  EXPECT_FALSE(contract.takes(ArgumentWord::ldb));
  std::vector<std::string> conditions;
  for (const Expression& condition : contract.requires_) conditions.push_back(condition.text());
  EXPECT_THAT(conditions, ElementsAre("aligned(a, 16)", "lda % 8 == 0", "k >= 1", "aligned(c, 16)",
                                      "ldc % 4 == 0"));
  ASSERT_TRUE(contract.launches[0].cluster);
  EXPECT_EQ(value_of((*contract.launches[0].cluster)[0]), 2);
}

TEST(Contract, MissingKeysTakeTheirDefaults) {
  const Contract contract = only(kShort);
  EXPECT_EQ(contract.layout_a, Layout::row);
  EXPECT_EQ(contract.type_a, ScalarType::f32);
  EXPECT_EQ(contract.accumulate, ScalarType::f32);
  EXPECT_EQ(value_of(contract.launches[0].block[1]), 1);
  EXPECT_EQ(value_of(contract.launches[0].grid[2]), 1);
  EXPECT_EQ(value_of(contract.launches[0].shared), 0);
  EXPECT_EQ(contract.launches.size(), 1U);
  EXPECT_THAT(contract.workspaces, IsEmpty());
  EXPECT_FALSE(contract.tensor_cores);
  EXPECT_THAT(contract.requires_, IsEmpty());
  EXPECT_EQ(contract.split_k, 1);
  EXPECT_TRUE(contract.deterministic);
  EXPECT_FALSE(contract.strict_barriers);
  EXPECT_EQ(contract.architecture, "");
  EXPECT_FALSE(contract.expect);
}

TEST(Contract, OneLayoutIsThatOfAllOperands) {
  const Contract contract = only(std::string(kShort) + "layout = \"col\"\n");
  EXPECT_EQ(contract.layout_a, Layout::column);
  EXPECT_EQ(contract.layout_b, Layout::column);
  EXPECT_EQ(contract.layout_c, Layout::column);
}

TEST(Contract, PlacesAreThoseOfTheFile) {
  const Contract contract = only(kFull);
  EXPECT_EQ(contract.where, (Location{"x.toml", 1, 1}));
  EXPECT_EQ(contract.launches[0].kernel_where, (Location{"x.toml", 3, 14}));     // the n of ns
  EXPECT_EQ(contract.launches[0].arguments_where, (Location{"x.toml", 7, 13}));  // the bracket
  EXPECT_EQ(contract.launches[0].arguments[1].where, (Location{"x.toml", 7, 19}));
}

constexpr std::string_view kSplit = R"([[variant]]
name      = "split"
operation = "gemm"
workspace = { partials = { bytes = "8 * m" }, tickets = { bytes = 4, zeroed = true } }
[[variant.launch]]
kernel    = "part<2>"
arguments = ["a", "b", "workspace.partials", "workspace.tickets", "k"]
block     = [32]
grid      = ["m", 2]
shared    = 64
[[variant.launch]]
kernel    = "sum"
arguments = ["workspace.partials", "c"]
block     = [64]
grid      = ["n"]
)";

TEST(Contract, LaunchesKeepTheirOrder) {
  const Contract contract = only(kSplit);
  ASSERT_EQ(contract.launches.size(), 2U);
  EXPECT_EQ(contract.launches[0].kernel, "part<2>");
  EXPECT_EQ(value_of(contract.launches[0].grid[0]), 65);
  EXPECT_EQ(value_of(contract.launches[0].grid[1]), 2);
  EXPECT_EQ(value_of(contract.launches[0].shared), 64);
  EXPECT_EQ(contract.launches[1].kernel, "sum");
  EXPECT_EQ(value_of(contract.launches[1].block[0]), 64);
  EXPECT_EQ(contract.launches[1].kernel_where, (Location{"x.toml", 12, 14}));
  EXPECT_TRUE(contract.takes(ArgumentWord::k));
  EXPECT_TRUE(contract.takes(ArgumentWord::c));
  EXPECT_FALSE(contract.takes(ArgumentWord::d));
}

TEST(Contract, WorkspacesCanHaveNames) {
  const Contract contract = only(kSplit);
  ASSERT_EQ(contract.workspaces.size(), 2U);
  EXPECT_EQ(contract.workspaces[0].name, "workspace.partials");
  EXPECT_EQ(contract.workspaces[0].bytes->text(), "8 * m");
  EXPECT_FALSE(contract.workspaces[0].zeroed);
  EXPECT_EQ(contract.workspaces[1].name, "workspace.tickets");
  EXPECT_TRUE(contract.workspaces[1].zeroed);
  const Argument& argument = contract.launches[0].arguments[3];
  EXPECT_EQ(argument.word, ArgumentWord::workspace);
  EXPECT_EQ(argument.text, "workspace.tickets");
}

TEST(Contract, WorkspaceHasADefaultDescription) {
  std::string text(kShort);
  text.replace(text.find("\"c\"]"), 4, "\"c\", \"workspace\"]");
  const Contract contract = only(text);
  ASSERT_EQ(contract.workspaces.size(), 1U);
  EXPECT_EQ(contract.workspaces[0].name, "workspace");
  EXPECT_FALSE(contract.workspaces[0].bytes);
}

TEST(Contract, OneTextCanHaveSeveralVariants) {
  const auto contracts =
      parse_contracts(std::string(kFull) + std::string(kShort), {"x.toml", 1, 1});
  ASSERT_EQ(contracts.size(), 2U);
  EXPECT_EQ(contracts[0].name, "sgemm_tiled32");
  EXPECT_EQ(contracts[1].name, "short");
}

constexpr std::string_view kDefaults = R"([defaults]
kernel       = "f"
operation    = "gemm"
layout       = "col"
types        = { a = "f16", b = "f16", c = "f32", accumulate = "f32" }
arguments    = ["a", "b", "c", "m"]
block        = [32, 8]
grid         = ["m"]
shared       = "4 * m"
requires     = ["m % 2 == 0"]
split_k      = 2
tensor_cores = true
deterministic = false
architecture = "sm_90a"
expect       = { classes = ["race"] }

[[variant]]
name = "plain"

[[variant]]
name = "own"
kernel = "g<1>"
layout = { a = "row", b = "col", c = "row" }
types = { a = "f64", b = "f64", c = "f64", accumulate = "f64" }
arguments = ["c", "n"]
block = [64]
grid = ["n", 3]
shared = 0
requires = []
split_k = 1
tensor_cores = false
deterministic = true
architecture = "sm_80"
expect = { classes = ["deadlock"] }
)";

TEST(ContractDefaults, ApplyToAVariantThatDoesNotSetThem) {
  const Contract plain = parse_contracts(kDefaults, {"x.toml", 1, 1}).at(0);
  EXPECT_EQ(plain.name, "plain");
  EXPECT_EQ(plain.operation, "gemm");
  EXPECT_EQ(plain.layout_a, Layout::column);
  EXPECT_EQ(plain.type_a, ScalarType::f16);
  ASSERT_EQ(plain.launches.size(), 1U);
  EXPECT_EQ(plain.launches[0].kernel, "f");
  EXPECT_EQ(plain.launches[0].arguments.size(), 4U);
  EXPECT_EQ(value_of(plain.launches[0].block[1]), 8);
  EXPECT_EQ(value_of(plain.launches[0].grid[0]), 65);
  EXPECT_EQ(value_of(plain.launches[0].shared), 4 * 65);
  ASSERT_EQ(plain.requires_.size(), 1U);
  EXPECT_EQ(plain.requires_[0].text(), "m % 2 == 0");
  EXPECT_EQ(plain.split_k, 2);
  EXPECT_TRUE(plain.tensor_cores);
  EXPECT_FALSE(plain.deterministic);
  EXPECT_EQ(plain.architecture, "sm_90a");
  EXPECT_THAT(plain.expect.value().classes, ElementsAre("race"));
}

TEST(ContractDefaults, AreReplacedByTheVariantsOwnValues) {
  const Contract own = parse_contracts(kDefaults, {"x.toml", 1, 1}).at(1);
  EXPECT_EQ(own.layout_a, Layout::row);
  EXPECT_EQ(own.layout_b, Layout::column);
  EXPECT_EQ(own.type_a, ScalarType::f64);
  ASSERT_EQ(own.launches.size(), 1U);
  EXPECT_EQ(own.launches[0].kernel, "g<1>");
  EXPECT_EQ(own.launches[0].arguments.size(), 2U);
  EXPECT_EQ(value_of(own.launches[0].block[0]), 64);
  EXPECT_EQ(value_of(own.launches[0].block[1]), 1);
  EXPECT_EQ(value_of(own.launches[0].grid[1]), 3);
  EXPECT_EQ(value_of(own.launches[0].shared), 0);
  EXPECT_THAT(own.requires_, IsEmpty());
  EXPECT_EQ(own.split_k, 1);
  EXPECT_FALSE(own.tensor_cores);
  EXPECT_TRUE(own.deterministic);
  EXPECT_EQ(own.architecture, "sm_80");
  EXPECT_THAT(own.expect.value().classes, ElementsAre("deadlock"));
}

TEST(ContractDefaults, MayFollowTheVariants) {
  const Contract contract = only(std::string(kShort) + "[defaults]\nlayout = 'col'\nblock = [7]\n");
  EXPECT_EQ(contract.layout_b, Layout::column);
  EXPECT_EQ(value_of(contract.launches[0].block[0]), 1);
}

TEST(ContractDefaults, ApplyToEachLaunch) {
  std::string text(kSplit);
  const std::string own = "block     = [32]\n";
  text.erase(text.find(own), own.size());
  const Contract contract = only(text + "[defaults]\nblock = [16]\nshared = 8\n");
  ASSERT_EQ(contract.launches.size(), 2U);
  EXPECT_EQ(value_of(contract.launches[0].block[0]), 16);
  EXPECT_EQ(value_of(contract.launches[0].shared), 64);
  EXPECT_EQ(value_of(contract.launches[1].block[0]), 64);
  EXPECT_EQ(value_of(contract.launches[1].shared), 8);
}

TEST(ContractDefaults, HoldAWorkspace) {
  std::string text(kShort);
  text.replace(text.find("\"c\"]"), 4, "\"c\", \"workspace\"]");
  const Contract contract = only("[defaults]\nworkspace = { bytes = 64, zeroed = true }\n" + text);
  ASSERT_EQ(contract.workspaces.size(), 1U);
  EXPECT_EQ(value_of(contract.workspaces[0].bytes.value()), 64);
  EXPECT_TRUE(contract.workspaces[0].zeroed);
}

TEST(ContractDefaults, KeepTheirPlaces) {
  const Contract plain = parse_contracts(kDefaults, {"x.toml", 1, 1}).at(0);
  EXPECT_EQ(plain.where, (Location{"x.toml", 17, 1}));
  EXPECT_EQ(plain.launches[0].kernel_where, (Location{"x.toml", 2, 17}));
  EXPECT_EQ(plain.launches[0].arguments_where, (Location{"x.toml", 6, 16}));
}

TEST(ContractDefaults, MayBeAllButTheName) {
  std::string text = "[defaults]" + std::string(kShort.substr(kShort.find("]]") + 2));
  const std::string name = "name = \"short\"\n";
  text.erase(text.find(name), name.size());
  EXPECT_EQ(only(text + "[[variant]]\n" + name).name, "short");
}

TEST(ContractDefaults, AreReadFromAnEmbeddedContract) {
  const std::string source = "/* warpcheck\n" + std::string(kDefaults) + "*/\n";
  const EmbeddedContract embedded = embedded_contract(source, "x.cu").value();
  const auto contracts = parse_contracts(embedded.toml, embedded.where);
  ASSERT_EQ(contracts.size(), 2U);
  EXPECT_EQ(contracts[0].launches[0].kernel_where, (Location{"x.cu", 3, 17}));
}

TEST(Contract, WindowsLineEndingsAreRead) {
  std::string text;
  for (const char c : kShort) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(only(text).name, "short");
}

TEST(Contract, ThreadsCanBeAnExpression) {
  std::string text(kShort);
  text.replace(text.find("[1]"), 3, "[\"min(m, 256)\", 4]");
  EXPECT_EQ(value_of(only(text).launches[0].block[0]), 65);
}

TEST(Contract, ZeroFactorsAreIgnoredUnlessStated) {
  constexpr std::string_view kFactors = R"(
[[variant]]
name = "factors"
kernel = "f"
operation = "gemm"
arguments = ["a", "b", "c", "alpha", "beta"]
block = [1]
grid = [1]
)";
  EXPECT_FALSE(only(kFactors).reads_ab_at_alpha_zero);
  EXPECT_FALSE(only(kFactors).reads_c_at_beta_zero);
  const Contract beta = only(std::string(kFactors) + "beta_zero = \"reads\"\n");
  EXPECT_TRUE(beta.reads_c_at_beta_zero);
  EXPECT_FALSE(beta.reads_ab_at_alpha_zero);
  EXPECT_TRUE(only(std::string(kFactors) + "alpha_zero = \"reads\"\n").reads_ab_at_alpha_zero);
  EXPECT_FALSE(only(std::string(kFactors) + "beta_zero = \"ignores\"\n").reads_c_at_beta_zero);
}

TEST(Contract, AZeroFactorWithoutItsArgumentIsAnError) {
  try {
    (void)parse_contracts(std::string(kShort) + "beta_zero = \"reads\"\n", {"x.toml", 1, 1});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(error.diagnostics()[0].where.line, 9U);
    EXPECT_EQ(error.diagnostics()[0].message,
              "no argument of the kernel is 'beta', so 'beta_zero' has no effect");
  }
}

}  // namespace
}  // namespace warpcheck::contract
