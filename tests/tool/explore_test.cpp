// Runs `warpcheck explore` on the corpus, on built-in variants and on kernels of its own.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "contract/contract.hpp"
#include "contract/kernel_source.hpp"
#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;
using contract::Expression;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using Json = nlohmann::json;

const fs::path kCorpus = WARPCHECK_SOURCE_DIR "/tests/corpus";

/// With WARPCHECK_CORPUS=all, all of the corpus and all built-in variants.
bool runs_all() { return std::getenv("WARPCHECK_CORPUS") != nullptr; }

std::vector<std::string> corpus() {
  if (!runs_all()) {
    return {"memory/c05_float4_on_b.cu", "shapes/c01_square_width.cu", "tiles/c09_odd_tiles.cu"};
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kCorpus)) {
    if (entry.path().extension() != ".cu") continue;
    files.push_back(fs::relative(entry.path(), kCorpus).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

using Values = std::map<std::string, std::int64_t, std::less<>>;

/// The values of a random product. Multiples of tiles, equal extents and tight strides are as
/// likely as others, so that conjunctions of several conditions hold in some.
Values random_values(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) { return static_cast<std::int64_t>(random() % end); };
  const auto size = [&] {
    const std::int64_t steps[] = {64, 64, 32, 16, 16, 8, 4, 2, 1};
    const std::int64_t step = steps[below(9)];
    return std::max<std::int64_t>(step * (1 + below(2048 / static_cast<std::uint64_t>(step))), 1);
  };
  Values values;
  values["m"] = size();
  values["n"] = below(2) == 0 ? values["m"] : size();
  values["k"] = below(2) == 0 ? values["n"] : below(2) == 0 ? below(300) : size();
  const std::int64_t padding = below(2) * 4 * below(5) + below(3) / 2;
  values["lda"] = std::max<std::int64_t>(values["k"], 1) + padding;
  values["ldb"] = values["n"] + padding;
  values["ldc"] = values["n"] + (below(2) == 0 ? padding : below(9));
  for (const char* const buffer : {"a", "b", "c"}) {
    values[std::string("address ") + buffer] = below(2) == 0 ? 0 : 2 * below(16);
  }
  values["alpha"] = below(2) == 0 ? 1 : below(3);
  values["beta"] = below(2) == 0 ? 0 : below(3);
  return values;
}

bool all_hold(const std::vector<Expression>& expressions, const Values& values) {
  const auto get = [&](std::string_view name) -> std::optional<std::int64_t> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const contract::Bindings names{
      get, [&](std::string_view buffer) { return get("address " + std::string(buffer)); }};
  return std::all_of(expressions.begin(), expressions.end(), [&](const Expression& expression) {
    return expression.evaluate(names).value_or(0) != 0;
  });
}

/// Returns the values on which the two domains differ; empty if they are equal.
std::string difference(const std::vector<Expression>& one, const std::vector<Expression>& other) {
  constexpr int kSamples = 20'000;
  std::mt19937_64 random(1);
  int inside = 0;
  for (int i = 0; i < kSamples; ++i) {
    const Values values = random_values(random);
    inside += all_hold(one, values) ? 1 : 0;
    if (all_hold(one, values) != all_hold(other, values)) return testing::PrintToString(values);
  }
  return inside < 20 ? "the samples are hardly ever inside" : "";
}

std::vector<Expression> expressions_of(const Json& texts) {
  std::vector<Expression> expressions;
  for (const Json& text : texts) {
    expressions.push_back(Expression::parse(text.get<std::string>(), {"explore", 1, 1}));
  }
  return expressions;
}

struct Explored {
  Result result;
  Json event;
  double seconds = 0.0;
};

Explored explore(const Scratch& scratch, const std::string& target) {
  const auto start = std::chrono::steady_clock::now();
  Explored explored;
  explored.result = scratch.run({"explore", target, "--seed", "1", "--json", "events"});
  explored.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string text = without_start(scratch.read("events"));
  if (!text.empty()) explored.event = Json::parse(text.substr(0, text.find('\n')));
  return explored;
}

TEST(Explore, FindsTheConditionsOfTheCorpus) {
  const Scratch scratch;
  for (const std::string& file : corpus()) {
    const auto source = contract::read_kernel_source(kCorpus / file);
    const Explored explored = explore(scratch, source.file);
    EXPECT_EQ(explored.result.status, 0) << explored.result.out << explored.result.error;
    EXPECT_EQ(explored.event["correct"], "exactly") << explored.result.out;
    EXPECT_EQ(difference(source.contracts[0].requires_, expressions_of(explored.event["requires"])),
              "")
        << explored.result.out;
    EXPECT_THAT(explored.event["remaining"], IsEmpty()) << explored.result.out;
    EXPECT_EQ(event_errors(scratch, "events"), "");
    if (runs_all()) printf("%-36s %5.1f s\n", file.c_str(), explored.seconds);
  }
}

TEST(Explore, FindsNoConditionForBuiltInVariants) {
  const Scratch scratch;
  const Result result = scratch.run(
      {"explore", runs_all() ? "*" : "sgemm_tiled8", "--seed", "1", "--json", "events"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_THAT(result.out, HasSubstr("sgemm_tiled8: correct for all cases, no condition\n"));
  std::istringstream lines(without_start(scratch.read("events")));
  for (std::string line; std::getline(lines, line);) {
    const Json event = Json::parse(line);
    // sgemm_padded has no edge tests; its contract states that.
    EXPECT_EQ(event["correct"], event["variant"] == "sgemm_padded" ? "exactly" : "always") << line;
    EXPECT_TRUE(event["declared"]["too_weak"].is_null()) << line;
    EXPECT_THAT(event["declared"]["needless"], IsEmpty()) << line;
  }
}

TEST(Explore, FailsIfTheContractAdmitsAFailingCase) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.cu", kernel_without_bounds_check("mine"));
  const Result result = scratch.run({"explore", file});
  EXPECT_EQ(result.status, 1) << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("mine: correct if and only if m % 8 == 0 and n % 8 == 0\n"),
                    HasSubstr("; this case of its domain fails:\n    out-of-bounds at mine.cu:")));
}

TEST(Explore, WritesTheConditionToTheContract) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.cu", kernel_without_bounds_check("mine"));
  EXPECT_EQ(scratch.run({"check", file, "--device", "virtual", "--cases", "20"}).status, 1);
  const Result written = scratch.run({"explore", file, "--write"});
  EXPECT_EQ(written.status, 0) << written.out << written.error;
  EXPECT_THAT(written.out, HasSubstr("wrote `requires` of mine to "));
  EXPECT_THAT(scratch.read(file), HasSubstr("= [\"m % 8 == 0\", \"n % 8 == 0\"]\n"));
  EXPECT_EQ(scratch.run({"check", file, "--device", "virtual", "--cases", "20"}).status, 0);
  const Result again = scratch.run({"explore", file});
  EXPECT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("`requires` states the same domain\n"));
}

TEST(Explore, ReportsANeedlesslyStrictContract) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "mine.cu",
      replaced(correct_kernel("mine"), "operation", "requires = [\"k % 4 == 0\"]\noperation"));
  const Result result = scratch.run({"explore", file});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.out, HasSubstr("`requires` is needlessly strict: k % 4 == 0"));
}

TEST(Explore, DoesNotWriteToBuiltInVariants) {
  const Result result = Scratch().run({"explore", "sgemm_tiled8", "--write"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, HasSubstr("sgemm_tiled8 is built in"));
}

}  // namespace
}  // namespace warpcheck::tool
