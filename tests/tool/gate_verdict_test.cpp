// Every kind of failed gate is failed in every report: no format hides why the exit status is not
// 0. With WARPCHECK_SHOW=1, the tests print a table of all kinds and formats.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tool/harness/consumers.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A gate that does not pass, and what its reports must mention.
struct RedGate {
  std::string name;
  std::string source;  // text of k/x.cu
  std::string policy;  // the part below targets and cases
  int status = 1;
  std::string verdict = "failed";
  std::string mentions = {};
  std::string before = {};  // source of k/x.cu in an earlier campaign; not empty: `check` runs
                            // instead of the gate, and fails on drift
};

void PrintTo(const RedGate& gate, std::ostream* out) { *out << gate.name; }

std::string correct() { return correct_kernel("x"); }

std::string with_dead_line() {
  return replaced(correct(), "  c[row",
                  "  if (m == 123456) {\n    for (int i = 0; i < n; ++i) {\n      c[i] += a[i];\n  "
                  "  }\n  }\n  c[row");
}

std::string texture_query() {
  return replaced(correct(), "  c[row",
                  "  unsigned is_texture;\n"
                  "  asm volatile(\"{.reg .pred p; istypep.texref p, %1; selp.u32 %0, 1, 0, p;}\" "
                  ": \"=r\"(is_texture) : \"l\"(0ull));\n"
                  "  if (is_texture == 12345) sum = 0.0f;\n  c[row");
}

std::string known_race(const std::string& until) {
  return "[[known_failure]]\nvariant = \"x\"\nclass = \"race\"\nreason = \"issue 12\"\nuntil = " +
         until + "\n";
}

std::vector<RedGate> red_gates() {
  return {
      {"Finding", kernel_without_bounds_check("x"), "", 1, "failed", "out-of-bounds"},
      {"Mistrusted", with_dead_line(), "", 1, "failed", "never executed"},
      {"Coverage", with_dead_line(), "minimum.lines = 100\n", 1, "failed", "never executed"},
      {"Sensitivity", replaced(correct(), "accumulate = \"f32\"", "accumulate = \"f16\""),
       "minimum.sensitivity = 100\n", 1, "failed", "sensitivity"},
      {"MutationScore", correct(), "mutants = 20\nmax_size = 1\nminimum.mutation_score = 100\n", 1,
       "failed", "mutation score"},
      {"StaleKnownFailure", correct(), known_race("2026-12-31"), 1, "failed", "remove the entry"},
      {"ExpiredKnownFailure", kernel_that_races("x"), known_race("2026-01-01"), 1, "failed",
       "last day"},
      {"NoContract", correct(), "require_contracts = true\n", 1, "failed", "k/plain.cu"},
      {"NoCase", replaced(correct(), "*/", "deterministic = false\n*/"),
       "properties = [\"same-bits-twice\"]\n", 1, "failed", "no case"},
      {"WrongSource", replaced(correct(), "float sum", "flaot sum"), "", 2, "error", "flaot"},
      {"WrongContract", replaced(correct(), "grid =", "gird ="), "", 2, "error", "gird"},
      {"EmptyDomain", replaced(correct(), "*/", "requires = [\"m == m + 1\"]\n*/"), "", 2, "error",
       "m == m + 1"},
      {"Drift", kernel_with_f16_products("x"), "", 1, "failed", "error over bound",
       kernel_with_f16_operands("x")},
      {"Unsupported", texture_query(), "", 3, "undecided", "istypep.texref"},
  };
}

class GateVerdict : public testing::TestWithParam<RedGate> {
 protected:
  /// A gate of k/x.cu, of a correct kernel beside it, and of a file without a contract.
  Result run(const RedGate& gate) {
    scratch_.write("k/x.cu", gate.source);
    scratch_.write("k/right.cu", correct_kernel("right"));
    scratch_.write("k/plain.cu", "__global__ void plain(float* c) { *c = 1; }\n");
    scratch_.write("warpcheck.toml", "targets = \"k\"\ncases = 12\n" + gate.policy);
    std::vector<std::string> words = {"gate", "--today", "2026-07-01"};
    if (!gate.before.empty()) {
      words = {"check", "k", "--cases", "40", "--device", "virtual", "--history", "h.db"};
      scratch_.write("k/x.cu", gate.before);
      EXPECT_EQ(scratch_.run(words).status, 0);
      scratch_.write("k/x.cu", gate.source);
      words.emplace_back("--fail-on-drift");
    }
    words.insert(words.end(), {"--junit", "r.xml", "--sarif", "r.sarif", "--gitlab", "r.gl",
                               "--json", "r.json", "--markdown", "r.md", "--html", "r.html"});
    return scratch_.run(words);
  }

  /// The first match of a pattern's group in a report, as a cell of a table.
  [[nodiscard]] std::string cell(const std::string& file, const std::string& pattern) const {
    std::smatch found;
    const std::string text = scratch_.read(file);
    if (!std::regex_search(text, found, std::regex(pattern))) return "none";
    return std::regex_replace(found[1].str(), std::regex("[|]"), "/").substr(0, 100);
  }

  /// The text of the first result, or of the first notification if there is no result.
  [[nodiscard]] std::string first_sarif_text() const {
    const json run = json::parse(scratch_.read("r.sarif"))["runs"][0];
    const json& first = run["results"].empty()
                            ? run["invocations"][0]["toolExecutionNotifications"][0]
                            : run["results"][0];
    const auto text = first["message"]["text"].get<std::string>();
    return text.substr(0, std::min<std::size_t>(text.find('\n'), 100));
  }

  /// Prints a row of the table: the kind, the exit status, and the first words of each report.
  void show(const RedGate& gate, const Result& result) const {
    const std::size_t last = result.out.rfind('\n', result.out.size() - 2);
    const std::vector<std::string> cells = {
        gate.name,
        std::to_string(result.status),
        last == std::string::npos ? result.out
                                  : result.out.substr(last + 1, result.out.size() - last - 2),
        cell("r.xml", "<(?:failure|error) [^>]*message=\"([^\"]*)"),
        first_sarif_text(),
        cell("r.gl", "\"description\": \"([^\"]*)"),
        cell("r.json", "\"event\":\"summary\",\"verdict\":\"([^\"]*)"),
        cell("r.md", "## warpcheck: ([^\n]*)"),
        cell("r.html", "<h1>([^<]*)")};
    std::string row = "|";
    for (const std::string& one : cells) row += " " + one + " |";
    std::cout << row << "\n";
  }

  [[nodiscard]] std::vector<json> events() const {
    std::vector<json> all;
    std::istringstream lines(scratch_.read("r.json"));
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    return all;
  }

  /// The value of an attribute of the element testsuites.
  [[nodiscard]] int junit_sum(const std::string& attribute) const {
    std::smatch found;
    const std::string text = scratch_.read("r.xml");
    const std::regex pattern("<testsuites [^>]*" + attribute + "=\"([0-9]+)\"");
    return std::regex_search(text, found, pattern) ? std::stoi(found[1]) : -1;
  }

  /// The number of results that no suppression accepts, and of notifications that are errors or
  /// that name a mistrusted variant.
  [[nodiscard]] std::size_t sarif_problems() const {
    const json run = json::parse(scratch_.read("r.sarif"))["runs"][0];
    std::size_t problems = 0;
    for (const json& result : run["results"]) problems += result.contains("suppressions") ? 0 : 1;
    for (const json& note : run["invocations"][0].value("toolExecutionNotifications", json())) {
      const std::string text = note["message"]["text"];
      const bool mistrusted = text.find("mistrusted") != std::string::npos;
      problems += note["level"] == "error" || mistrusted ? 1 : 0;
    }
    return problems;
  }

  /// The number of issues that are neither notes nor known.
  [[nodiscard]] int gitlab_problems() const {
    int problems = 0;
    for (const json& issue : json::parse(scratch_.read("r.gl"))) {
      problems += issue.at("severity") == "info" ? 0 : 1;
    }
    return problems;
  }

  Scratch scratch_;
};

TEST_P(GateVerdict, IsTheSameInEveryReport) {
  const RedGate& gate = GetParam();
  const Result result = run(gate);
  EXPECT_EQ(result.status, gate.status) << result.out << result.error;
  if (std::getenv("WARPCHECK_SHOW") != nullptr) show(gate, result);
  if (gate.before.empty()) {
    EXPECT_THAT(result.out,
                HasSubstr(gate.status == 3 ? "\ngate not decided: " : "\ngate failed: "));
  }
  EXPECT_THAT(result.out, Not(HasSubstr("gate passed")));
  EXPECT_THAT(result.out + result.error, HasSubstr(gate.mentions));

  EXPECT_THAT(scratch_.read("r.md"), HasSubstr("## warpcheck: not passed\n"));
  EXPECT_THAT(scratch_.read("r.md"), HasSubstr(gate.mentions));

  EXPECT_GT(junit_sum("failures") + junit_sum("errors"), 0);
  EXPECT_EQ(junit_sum("errors") > 0, gate.status != 1);
  EXPECT_THAT(scratch_.read("r.xml"), HasSubstr(gate.mentions));

  EXPECT_GT(sarif_problems(), 0U);
  EXPECT_THAT(scratch_.read("r.sarif"), HasSubstr(gate.mentions));

  EXPECT_GT(gitlab_problems(), 0);
  EXPECT_THAT(scratch_.read("r.gl"), HasSubstr(gate.mentions));

  const std::vector<json> all = events();
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all.back()["event"], "summary");
  EXPECT_EQ(all.back().at("verdict"), gate.verdict);
  const json& summary = all.back();
  EXPECT_GT(summary.at("failed").get<int>() + summary.at("errors").get<int>() +
                summary.at("mistrusted").get<int>() + summary.at("unsupported").get<int>(),
            0);
  const json& judged = all[all.size() - 2];
  EXPECT_EQ(judged["event"], "gate");
  EXPECT_EQ(judged.at("verdict"), gate.verdict);
  EXPECT_GT(judged.at("failed").get<int>() + judged.at("errors").get<int>(), 0);
  EXPECT_EQ(judged.at("failed"), judged.at("reasons").size());

  const std::string html = scratch_.read("r.html");
  EXPECT_THAT(html, Not(HasSubstr("class=\"verdict passed\"")));
  EXPECT_THAT(html, Not(HasSubstr("<h1>All ")));
  EXPECT_THAT(html, HasSubstr(gate.mentions));
}

TEST_P(GateVerdict, IsAcceptedByTheReadersOfTheReports) {
  (void)run(GetParam());
  Consumers consumers(scratch_);
  EXPECT_TRUE(consumers.accepts_junit("r.xml")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_sarif("r.sarif")) << consumers.errors();
  EXPECT_TRUE(consumers.accepts_events("r.json")) << consumers.errors();
}

INSTANTIATE_TEST_SUITE_P(Kinds, GateVerdict, testing::ValuesIn(red_gates()),
                         [](const auto& parameter) { return parameter.param.name; });

class GreenGate : public GateVerdict {};

TEST_P(GreenGate, HasNoFailureInAnyReport) {
  const Result result = run(GetParam());
  EXPECT_EQ(result.status, 0) << result.out << result.error;
  EXPECT_TRUE(result.out.ends_with("gate passed\n")) << result.out;
  EXPECT_THAT(scratch_.read("r.md"), HasSubstr("## warpcheck: passed"));
  EXPECT_EQ(junit_sum("failures"), 0);
  EXPECT_EQ(junit_sum("errors"), 0);
  EXPECT_EQ(sarif_problems(), 0U);
  EXPECT_EQ(gitlab_problems(), 0);
  const json summary = events().back();
  EXPECT_EQ(summary.at("verdict"), "passed");
  EXPECT_EQ(summary.at("failed"), 0);
  EXPECT_EQ(summary.at("errors"), 0);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GreenGate,
                         testing::Values(RedGate{"Correct", correct(), "minimum.lines = 100\n"},
                                         RedGate{"KnownFailure", kernel_that_races("x"),
                                                 known_race("2026-12-31")}),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_F(GateVerdict, EachDemandIsATestCase) {
  (void)run({"", correct(),
             "mutants = 2\nminimum = { sensitivity = 1, lines = 50, mutation_score = 1 }\n" +
                 known_race("2026-12-31")});
  const std::string xml = scratch_.read("r.xml");
  for (const char* name :
       {"x: sensitivity on virtual", "x: coverage on virtual", "x: mutation-score on virtual",
        "right: coverage on virtual", "known failure: x, race"}) {
    EXPECT_THAT(xml, HasSubstr("<testcase name=\"" + std::string(name) + "\""));
  }
}

}  // namespace
}  // namespace warpcheck::tool
