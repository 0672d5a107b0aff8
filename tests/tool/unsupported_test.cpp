// Runs each command on a kernel that the virtual device cannot execute, and on kernels that no GPU
// can load. The instruction queries a texture, which no matrix product needs.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/git.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kForm = "istypep.texref (PTX ISA 9.7.10)";

/// Correct, but queries a texture before the last term of sums with more than two terms.
std::string kernel_with_texture_query(const std::string& name) {
  return replaced(correct_kernel(name), "  c[row * n",
                  "  if (k > 2) {\n"
                  "    unsigned is_texture;\n"
                  "    asm volatile(\"{.reg .pred p; istypep.texref p, %1; selp.u32 %0, 1, 0, "
                  "p;}\" : \"=r\"(is_texture) : \"l\"(0ull));\n"
                  "    if (is_texture == 12345) sum = 0.0f;\n"
                  "  }\n"
                  "  c[row * n");
}

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Unsupported, CheckExitsWithThreeAndNamesFormAndLine) {
  const Scratch scratch;
  const std::string file = scratch.write("tex.cu", kernel_with_texture_query("tex"));
  const std::string right = scratch.write("right.cu", correct_kernel("right"));
  const std::vector<std::string> command = {"check", file,       right,    "--cases",
                                            "30",    "--device", "virtual"};
  const Result result =
      scratch.run(with(command, {"--json", "report.json", "--sarif", "r.sarif", "--junit", "r.xml",
                                 "--markdown", "r.md", "--html", "r.html"}));
  EXPECT_EQ(result.status, 3) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("tex: unsupported on the virtual device\n"), HasSubstr(kForm),
                    HasSubstr("  --> tex.cu:20\n"), HasSubstr("  replay     "),
                    HasSubstr("istypep.texref (PTX ISA 9.7.10) blocks 1 variant: tex\n"),
                    HasSubstr("1 passed, 0 failed, 0 mistrusted, 1 unsupported\n"),
                    Not(HasSubstr("illegal-instruction"))));
  std::istringstream lines(without_start(scratch.read("report.json")));
  std::vector<json> events;
  for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0]["event"], "unsupported");
  EXPECT_EQ(events[0]["line"], 20);
  EXPECT_EQ(events[1]["verdict"], "unsupported");
  EXPECT_EQ(events[2]["verdict"], "pass");
  const Result replayed = scratch.run(
      {"replay", "--device", "virtual", "--in", file, events[0]["case"].get<std::string>()});
  EXPECT_EQ(replayed.status, 3) << replayed.out << replayed.error;
  EXPECT_THAT(replayed.out, HasSubstr("tex: unsupported on the virtual device\n"));
  EXPECT_EQ(scratch.run({"replay", "--device", "virtual", "--in", file, "tex m=2 n=2 k=2"}).status,
            0);
}

TEST(Unsupported, FindingsDecideTheExitStatus) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "tex.cu", replaced(kernel_with_texture_query("tex"), "i < k;", "i < (k < 3 ? k - 1 : k);"));
  const Result result = scratch.run({"check", file, "--cases", "60", "--device", "virtual"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error[wrong-result]: "),
                                HasSubstr("tex: unsupported on the virtual device\n")));
}

TEST(Unsupported, ShardsAndResumedCampaignsKeepIt) {
  const Scratch scratch;
  const std::string file = scratch.write("tex.cu", kernel_with_texture_query("tex"));
  const std::vector<std::string> command = {"check", file, "--cases", "30", "--device", "virtual"};
  const Result whole = scratch.run(with(command, {"--json", "whole.json"}));
  EXPECT_EQ(whole.status, 3);
  EXPECT_EQ(scratch.run(with(command, {"--shard", "1/2", "--history", "1.db"})).status, 3);
  EXPECT_EQ(scratch.run(with(command, {"--shard", "2/2", "--history", "2.db"})).status, 3);
  const Result merged =
      scratch.run({"merge", "1.db", "2.db", "--output", "all.db", "--json", "merged.json"});
  EXPECT_EQ(merged.status, 3) << merged.out << merged.error;
  const auto first_event = [&](const std::string& name) {
    std::istringstream lines(without_start(scratch.read(name)));
    std::string line;
    std::getline(lines, line);
    return line;
  };
  EXPECT_EQ(first_event("merged.json"), first_event("whole.json"));
}

TEST(Unsupported, FuzzEndsAndExitsWithThree) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "tex.cu", replaced(kernel_with_texture_query("tex"), "if (k > 2)", "if (k >= 0)"));
  const Result result = scratch.run({"fuzz", file, "--time", "300", "--device", "virtual"});
  EXPECT_EQ(result.status, 3) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("tex: unsupported on the virtual device\n"),
                                HasSubstr("0 failed, 0 mistrusted, 1 unsupported\n")));
}

TEST(Unsupported, MutateDiffAndProfileExitWithThree) {
  const Scratch scratch;
  const std::string file = scratch.write("tex.cu", kernel_with_texture_query("tex"));
  const std::string right = scratch.write("right.cu", correct_kernel("right"));
  const Result mutated = scratch.run({"mutate", file, "--cases", "20", "--mutants", "3"});
  EXPECT_EQ(mutated.status, 3) << mutated.out << mutated.error;
  EXPECT_THAT(mutated.error, HasSubstr("tex.cu:20: tex cannot be mutated: unsupported on the "
                                       "virtual device: istypep.texref: "));
  const Result differs = scratch.run({"diff", right, file, "--cases", "20", "--device", "virtual"});
  EXPECT_EQ(differs.status, 3) << differs.out << differs.error;
  EXPECT_THAT(differs.out, AllOf(HasSubstr("unsupported"), HasSubstr(kForm)));
  const Result profiled = scratch.run({"profile", file, "--size", "8x8x8"});
  EXPECT_EQ(profiled.status, 3) << profiled.out << profiled.error;
  EXPECT_THAT(profiled.out, HasSubstr(kForm));
}

TEST(Unsupported, ExploreClaimsNoCondition) {
  const Scratch scratch;
  const std::string file = scratch.write("tex.cu", kernel_with_texture_query("tex"));
  const Result result = scratch.run({"explore", file});
  EXPECT_EQ(result.status, 3) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("tex: unsupported: "), HasSubstr(kForm), HasSubstr("tex.cu:20")));
}

TEST(Unsupported, GateIsNotDecided) {
  const Scratch scratch;
  scratch.write("tex.cu", kernel_with_texture_query("tex"));
  scratch.write("warpcheck.toml", "targets = [\"tex.cu\"]\ncases = 20\n[minimum]\nlines = 100\n");
  const Result result = scratch.run({"gate"});
  EXPECT_EQ(result.status, 3) << result.out << result.error;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("failed tex: unsupported on the virtual device: istypep.texref (PTX "
                              "ISA 9.7.10) at tex.cu:20\n"),
                    HasSubstr("gate not decided: 1 reason\n")));
}

TEST(Refused, StaticSharedMemoryAbove48KiBIsALaunchFailure) {
  const Scratch scratch;
  const std::string file =
      scratch.write("large.cu", replaced(correct_kernel("large"), "  float sum = 0.0f;\n",
                                         "  __shared__ float tile[12289];\n"
                                         "  tile[threadIdx.x + threadIdx.y * 8] = 0.0f;\n"
                                         "  float sum = tile[threadIdx.x + threadIdx.y * 8];\n"));
  const Result result = scratch.run({"check", file, "--cases", "5", "--device", "virtual"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error[launch-failure]: "),
                                HasSubstr("shared data (0xc004 bytes, 0xc000 max)"),
                                HasSubstr("  --> large.cu:12:17\n")));
}

TEST(Refused, InstructionThatTheTargetLacksIsALaunchFailure) {
  const Scratch scratch;
  const std::string kernel =
      replaced(correct_kernel("cluster"), "  float sum = 0.0f;\n",
               "  asm volatile(\"griddepcontrol.wait;\");\n  float sum = 0.0f;\n");
  const std::string file = scratch.write("cluster.cu", kernel);
  const Result result = scratch.run({"check", file, "--cases", "5", "--device", "virtual"});
  EXPECT_EQ(result.status, 1) << result.out << result.error;
  EXPECT_THAT(result.out, AllOf(HasSubstr("error[launch-failure]: "),
                                HasSubstr("requires .target sm_90 or higher"),
                                HasSubstr("  --> cluster.cu:16:3\n")));
  scratch.write("cluster.cu",
                replaced(kernel, "block = [8, 8]", "block = [8, 8]\narchitecture = \"sm_90\""));
  EXPECT_EQ(scratch.run({"check", file, "--cases", "5", "--device", "virtual"}).status, 0);
}

}  // namespace
}  // namespace warpcheck::tool
