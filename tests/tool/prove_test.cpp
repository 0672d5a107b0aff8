// Runs `warpcheck prove`, `check --prove` and gates that require proofs.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kNoSolver = "has no solver";

/// The kernel with a grid of two dimensions, which needs no division.
std::string in_two_dimensions(std::string kernel) {
  kernel = replaced(kernel, "\"ceil_div(n, 8) * ceil_div(m, 8)\"",
                    "\"ceil_div(n, 8)\", \"ceil_div(m, 8)\"");
  kernel = replaced(kernel, "blockIdx.x % ((n + 7) / 8) * blockDim.x", "blockIdx.x * blockDim.x");
  return replaced(kernel, "blockIdx.x / ((n + 7) / 8) * blockDim.y", "blockIdx.y * blockDim.y");
}

class Prove : public testing::Test {
 protected:
  /// Skips the test if the build has no solver.
  void SetUp() override {
    const Result result = run({"prove", file_, "--only", "barriers"});
    if (result.error.find(kNoSolver) != std::string::npos) GTEST_SKIP() << result.error;
  }

  [[nodiscard]] Result run(std::vector<std::string> arguments) const {
    return scratch_.run(arguments);
  }

  /// The proof of the file, from the JSON Lines.
  [[nodiscard]] json proof(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"prove", file_, "--json", "proof.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = run(arguments);
    std::istringstream lines(scratch_.read("proof.json"));
    for (std::string line; std::getline(lines, line);) {
      if (json event = json::parse(line); event.at("event") == "proof") return event;
    }
    ADD_FAILURE() << result.out << result.error;
    return {};
  }

  Scratch scratch_;
  std::string file_ = scratch_.write("right.cu", in_two_dimensions(correct_kernel("right")));
  std::string wrong_ =
      scratch_.write("wrong.cu", in_two_dimensions(kernel_without_bounds_check("wrong")));
};

TEST_F(Prove, SecondProofIsReadFromTheCache) {
  const json first = proof();
  EXPECT_EQ(first.at("cached"), false);
  json second = proof();
  EXPECT_EQ(second.at("cached"), true);
  second["cached"] = false;
  EXPECT_EQ(second, first);
  EXPECT_THAT(run({"prove", file_}).out, HasSubstr(" cached\n"));
}

TEST_F(Prove, ProofIsNotReadFromTheCacheWithNoCache) {
  (void)proof();
  EXPECT_EQ(proof({"--no-cache"}).at("cached"), false);
}

TEST_F(Prove, ChangedContractMissesTheCache) {
  const json first = proof({"--only", "alignment"});
  const std::string kernel = in_two_dimensions(correct_kernel("right"));
  scratch_.write("right.cu", replaced(kernel, "\"row\"", "\"col\""));
  const json second = proof({"--only", "alignment"});
  EXPECT_EQ(second.at("ptx"), first.at("ptx"));
  EXPECT_EQ(second.at("cached"), false);
}

TEST_F(Prove, ChangedPtxMissesTheCache) {
  const json first = proof();
  scratch_.write("right.cu",
                 in_two_dimensions(correct_kernel("right")) + "\n__global__ void other() {}\n");
  const json second = proof();
  EXPECT_NE(second.at("ptx"), first.at("ptx"));
  EXPECT_EQ(second.at("cached"), false);
}

TEST_F(Prove, OtherPropertiesMissTheCache) {
  (void)proof();
  EXPECT_EQ(proof({"--only", "bounds"}).at("cached"), false);
}

TEST_F(Prove, DamagedEntryIsProvedAgain) {
  const json first = proof();
  ASSERT_EQ(proof().at("cached"), true);
  EXPECT_EQ(scratch_.shell("for f in $(find . -name '*.proof'); do echo x >> $f; done").status, 0);
  EXPECT_EQ(proof().at("cached"), false);
}

TEST_F(Prove, RefutedPropertyIsInEachReport) {
  const Result result =
      run({"prove", file_, wrong_, "--only", "bounds", "--json", "r.json", "--junit", "r.xml",
           "--sarif", "r.sarif", "--markdown", "r.md", "--html", "r.html", "--gitlab", "r.gitlab"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("bounds        refuted"), HasSubstr("out-of-bounds: "),
                    HasSubstr("replay --device virtual --in wrong.cu 'wrong m="),
                    HasSubstr("2 properties of 2 variants: 1 proved, 1 refuted, 0 unknown")));
  EXPECT_THAT(scratch_.read("r.json"),
              AllOf(HasSubstr(R"("event":"finding","variant":"wrong")"),
                    HasSubstr(R"("proofs":{"proved":1,"refuted":1,"unknown":0})")));
  EXPECT_THAT(scratch_.read("r.xml"),
              AllOf(HasSubstr("right: proof of bounds"), HasSubstr("wrong: proof of bounds"),
                    HasSubstr("<failure type=\"out-of-bounds\"")));
  EXPECT_THAT(scratch_.read("r.sarif"), HasSubstr("\"ruleId\": \"out-of-bounds\""));
  EXPECT_THAT(scratch_.read("r.gitlab"), HasSubstr("\"check_name\": \"out-of-bounds\""));
  EXPECT_THAT(scratch_.read("r.md"), HasSubstr("| wrong | 0 of 1, not bounds |"));
  EXPECT_THAT(scratch_.read("r.html"), HasSubstr("1 proved, 1 refuted, 0 unknown"));
}

TEST_F(Prove, UnknownPropertyIsANoteOfSarif) {
  const std::vector<std::string> unsupported = {"prove", "hgemm_wgmma_f16", "--only", "races"};
  std::vector<std::string> arguments = unsupported;
  arguments.insert(arguments.end(), {"--sarif", "u.sarif", "--junit", "u.xml"});
  const Result result = run(arguments);
  EXPECT_EQ(result.status, 3) << result.out << result.error;
  const json log = json::parse(scratch_.read("u.sarif"));
  const json& found = log.at("runs").at(0).at("results");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].at("ruleId"), "not-proved");
  EXPECT_EQ(found[0].at("level"), "note");
  EXPECT_THAT(scratch_.read("u.xml"), HasSubstr("<skipped message=\"unknown: "));
}

TEST_F(Prove, QuietPrintsWhatIsNotProved) {
  const Result result = run({"prove", file_, wrong_, "--only", "bounds", "--quiet"});
  EXPECT_THAT(result.out, AllOf(HasSubstr("wrong: PTX"), Not(HasSubstr("right: PTX"))));
}

TEST_F(Prove, OrderOfOutputDoesNotDependOnThreads) {
  const std::vector<std::string> arguments = {"prove",  wrong_,   file_,       "--only",
                                              "bounds", "--jobs", "2",         "--quiet",
                                              "--json", "o.json", "--no-cache"};
  (void)run(arguments);
  const std::string events = scratch_.read("o.json");
  EXPECT_LT(events.find(R"("proof","variant":"wrong")"),
            events.find(R"("proof","variant":"right")"));
}

TEST_F(Prove, OverflowNamesTheSmallestSizes) {
  const std::string kernel = replaced(in_two_dimensions(correct_kernel("narrow")),
                                      "c[row * n + column]", "c[(int)(row * n) + column]");
  const Result result = run({"prove", "--only", "overflow", scratch_.write("narrow.cu", kernel)});
  EXPECT_THAT(result.out, ContainsRegex("may leave the range of a signed 32-bit integer|refuted"));
}

TEST_F(Prove, CheckPrintsTheNumberOfProvedProperties) {
  const Result result = run({"check", "--prove", file_, wrong_, "--cases", "10", "--device",
                             "virtual", "--json", "c.json", "--markdown", "c.md"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(ContainsRegex("right +pass .*  proved [0-9]+ of [0-9]+"),
                                ContainsRegex("wrong +out-of-bounds .*, not bounds"),
                                HasSubstr("a case that refutes bounds")));
  EXPECT_THAT(scratch_.read("c.json"), HasSubstr(R"("bounds":"refuted")"));
  EXPECT_THAT(scratch_.read("c.md"), HasSubstr("| findings | proved | time |"));
}

TEST_F(Prove, CheckHasNoColumnWithoutTheOption) {
  const Result result = run({"check", file_, "--cases", "5", "--device", "virtual"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, Not(HasSubstr("proved")));
}

TEST_F(Prove, GateFailsIfARequiredPropertyIsUnknown) {
  scratch_.write("w.toml", "targets = [\"hgemm_wgmma_f16\"]\ncases = 3\nprove = [\"races\"]\n");
  const Result result = run({"gate", "w.toml", "--sarif", "g.sarif"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out,
              ContainsRegex("failed hgemm_wgmma_f16: races unknown: .*products of wgmma"));
  EXPECT_THAT(scratch_.read("g.sarif"), AllOf(HasSubstr("\"ruleId\": \"unmet-requirement\""),
                                              Not(HasSubstr("\"ruleId\": \"not-proved\""))));
}

TEST_F(Prove, GatePassesIfTheRequiredPropertiesAreProved) {
  scratch_.write("w.toml", "targets = [\"right.cu\"]\ncases = 3\nprove = [\"bounds\"]\n");
  const Result result = run({"gate", "w.toml"});
  EXPECT_EQ(result.status, 0) << result.out << result.error;
}

TEST_F(Prove, GateFailsWithTheFindingOfARefutedProperty) {
  scratch_.write("w.toml", "targets = [\"wrong.cu\"]\ncases = 1\nprove = [\"bounds\"]\n");
  const Result result = run({"gate", "w.toml"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("failed wrong: out-of-bounds"),
                                HasSubstr("failed wrong: bounds refuted: wrong.cu:")));
}

}  // namespace
}  // namespace warpcheck::tool
