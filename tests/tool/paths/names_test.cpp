// Names and texts of users in other encodings, or made to deceive a terminal, a shell or a report.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A terminal may execute such a character.
bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return c != '\t' && c != '\n' && (static_cast<unsigned char>(c) < 0x20 || c == '\x7f');
  });
}

void expect_harmless(const Result& result) {
  for (const std::string& text : {result.out, result.error}) {
    EXPECT_FALSE(has_control_character(text)) << text;
    EXPECT_NO_THROW((void)json(text).dump()) << "not UTF-8: " << text;
  }
}

struct NamedFile {
  std::string name;
  std::string shown;
  std::string uri;  // the end of the URI of its place
};

class Names : public testing::TestWithParam<NamedFile> {};

TEST_P(Names, AreTheSameInEveryReport) {
  const auto& [name, shown, uri] = GetParam();
  const Scratch scratch;
  scratch.write(name, kernel_that_drops_the_last_term("x"));
  const Result result = scratch.run({"check", name, "--device", "virtual", "--cases", "10",
                                     "--sarif", "x.sarif", "--junit", "x.xml", "--json", "x.json",
                                     "--html", "x.html", "--markdown", "x.md"});
  EXPECT_EQ(result.status, 1) << result.error;
  expect_harmless(result);
  EXPECT_THAT(result.out, HasSubstr("--> " + shown + ":18:"));
  EXPECT_THAT(result.out, HasSubstr(" |   c[row * n + column] = sum;\n")) << "the source is found";
  const json log = json::parse(scratch.read("x.sarif"));
  const std::string found =
      log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
  EXPECT_TRUE(found.ends_with(uri)) << found;
  for (const char* const report : {"x.sarif", "x.xml", "x.json", "x.html", "x.md"}) {
    EXPECT_FALSE(has_control_character(scratch.read(report))) << report;
    EXPECT_NO_THROW((void)json(scratch.read(report)).dump()) << report << " is not UTF-8";
  }
  EXPECT_EQ(event_errors(scratch, "x.json"), "");
}

/// The printed command runs in bash as it is.
TEST_P(Names, AreReplayedByThePrintedCommand) {
  const Scratch scratch;
  scratch.write(GetParam().name, kernel_that_drops_the_last_term("x"));
  const Result result =
      scratch.run({"check", GetParam().name, "--device", "virtual", "--cases", "10"});
  const std::size_t begin = result.out.find("  replay     warpcheck");
  ASSERT_NE(begin, std::string::npos) << result.out;
  std::string line = result.out.substr(begin + 22);
  line = line.substr(0, line.find('\n'));
  scratch.write("replay.sh", "export XDG_CACHE_HOME=\"$PWD/cache\"\n'" WARPCHECK_TOOL "'" + line);
  EXPECT_EQ(scratch.shell("bash replay.sh").status, 1) << line;
}

INSTANTIATE_TEST_SUITE_P(
    Files, Names,
    testing::Values(NamedFile{"Zo\xc3\xab.cu", "Zo\xc3\xab.cu", "/Zo%C3%AB.cu"},
                    NamedFile{"lat\xe9.cu", "lat\\xe9.cu", "/lat%E9.cu"},
                    NamedFile{"e\x1b[31m.cu", "e\\x1b[31m.cu", "/e%1B%5B31m.cu"},
                    NamedFile{"c\xc2\x9b"
                              "2J.cu",
                              "c\\u009b2J.cu", "/c%C2%9B2J.cu"},
                    NamedFile{"a\"b'c.cu", "a\"b'c.cu", "/a%22b'c.cu"},
                    NamedFile{"b\\s.cu", "b\\s.cu", "/b%5Cs.cu"},
                    NamedFile{"$(touch pwned).cu", "$(touch pwned).cu", "/$(touch%20pwned).cu"},
                    NamedFile{"a b#%41.cu", "a b#%41.cu", "/a%20b%23%2541.cu"}),
    [](const auto& test) { return "File" + std::to_string(test.index); });

TEST(HostileNames, LineFeedIsRefusedWithTheReason) {
  const Scratch scratch;
  scratch.write("a\n::error::b.cu", correct_kernel("x"));
  const Result result = scratch.run({"check", "a\n::error::b.cu", "--device", "virtual"});
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.error, AllOf(StartsWith("a\\n::error::b.cu: error: "), HasSubstr("rename")));
  EXPECT_THAT(result.error, Not(HasSubstr("\n::error::")));
}

TEST(HostileNames, NoNameIsExecutedByAShell) {
  const Scratch scratch;
  const std::string broken = replaced(correct_kernel("x"), "float sum", "flaot sum");
  for (const std::string name :
       {"$(touch pwned).cu", "`touch pwned`.cu", "a\";touch pwned;\".cu"}) {
    scratch.write(name, broken);
    const Result result = scratch.run({"check", name, "--device", "virtual"});
    EXPECT_EQ(result.status, 2);
    EXPECT_THAT(result.error, HasSubstr("flaot")) << name;
    EXPECT_FALSE(fs::exists(scratch.folder() / "pwned")) << name;
  }
}

TEST(HostileNames, WordsOfTheCommandLineAreEscaped) {
  const Scratch scratch;
  const std::string bad = "a\x1b[31m\xe9";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {bad},
           {"check", bad},
           {"check", bad + ".cu"},
           {"check", "--" + bad},
           {"check", "sgemm_naive", "--cases", bad},
           {"check", "sgemm_naive", "--property", bad, "--device", "virtual"},
           {"check", "sgemm_naive", "--json", "no/" + bad + "/x"},
           {"replay", "sgemm_naive " + bad + "=1"},
           {"replay", bad + " m=1"},
           {"gate", bad},
           {"merge", bad, "-o", "all"},
           {"diff", bad, bad},
           {"profile", bad},
           {"mutate", bad},
           {"explore", bad},
           {"init", bad},
           {"fuzz", bad}}) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 2) << words.front() << result.error;
    EXPECT_NE(result.error, "");
    expect_harmless(result);
  }
}

TEST(HostileNames, KeysAndValuesOfFilesAreEscaped) {
  const Scratch scratch;
  const std::string good = correct_kernel("x");
  const std::string bad = "z\\u001b[31m";
  for (const std::string& text :
       {replaced(good, "grid =", "\"" + bad + "\" = 1\ngrid ="),
        replaced(good, "\"multiply\"", "\"" + bad + "\""),
        replaced(good, "name = \"x\"", "name = \"" + bad + "\""),
        replaced(good, "\"k\"]", "\"" + bad + "\"]"), replaced(good, "\"gemm\"", "\"" + bad + "\""),
        replaced(good, "grid =", "requires = [\"" + bad + "\"]\ngrid ="),
        replaced(good, "float sum", "float \x1b[31m sum")}) {
    const Result result =
        scratch.run({"check", scratch.write("x.cu", text), "--device", "virtual"});
    EXPECT_EQ(result.status, 2) << text;
    expect_harmless(result);
  }
  scratch.write("x.cu", good);
  const std::string policy =
      scratch.write("warpcheck.toml", "targets = [\"x.cu\"]\n\"" + bad + "\" = 1\n");
  const Result gate = scratch.run({"gate", policy});
  EXPECT_EQ(gate.status, 2);
  expect_harmless(gate);
}

TEST(Encodings, ByteOrderMarkIsAcceptedEverywhere) {
  const Scratch scratch;
  const std::string mark = "\xef\xbb\xbf";
  const std::string kernel = correct_kernel("x");
  const std::size_t end = kernel.find("*/") + 3;
  scratch.write("embedded.cu", mark + replaced(kernel, "name = \"x\"", "name = \"y\""));
  scratch.write("sidecar.cu", mark + kernel.substr(end));
  scratch.write("sidecar.toml", mark + kernel.substr(13, end - 13 - 3));
  scratch.write("warpcheck.toml", mark + "targets = [\".\"]\ndevices = [\"virtual\"]\ncases = 5\n");
  const Result gate = scratch.run({"gate"});
  EXPECT_EQ(gate.status, 0) << gate.out << gate.error;
  EXPECT_THAT(gate.out, HasSubstr("2 variants, 10 cases"));
  scratch.write("cases.txt", mark + "x m=1 n=1 k=1\n");
  EXPECT_EQ(
      scratch.run({"replay", "cases.txt", "--in", "sidecar.cu", "--device", "virtual"}).status, 0);
}

TEST(Encodings, Utf16IsRefusedWithTheReason) {
  const Scratch scratch;
  const auto wide = [](const std::string& text) {
    std::string result = "\xff\xfe";
    for (const char c : text) result += {c, '\0'};
    return result;
  };
  scratch.write("x.cu", wide(correct_kernel("x")));
  scratch.write("y.cu", correct_kernel("y"));
  scratch.write("y.toml", wide("[[variant]]\n"));
  scratch.write("policy.toml", wide("targets = [\"y.cu\"]\n"));
  scratch.write("cases.txt", wide("y m=1\n"));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "x.cu"},
                                             {"check", "y.cu"},
                                             {"gate", "policy.toml"},
                                             {"replay", "cases.txt"},
                                             {"init", "x.cu"}}) {
    const Result result = scratch.run(words);
    EXPECT_EQ(result.status, 2) << words.back();
    EXPECT_THAT(result.error, HasSubstr("error: found a text in UTF-16, little endian"));
  }
}

}  // namespace
}  // namespace warpcheck::tool
