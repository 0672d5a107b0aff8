// Litmus tests of the PTX memory model, on the virtual device and by the axioms of the model.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "device/virtual/session.hpp"
#include "report/finding/message.hpp"
#include "tests/device/virtual/isa/kernel.hpp"
#include "tests/device/virtual/litmus/axioms.hpp"
#include "tests/device/virtual/litmus/suite.hpp"

namespace warpcheck::litmus {
namespace {

constexpr std::uint64_t kSeeds = 16;  // schedules of a program

struct Observed {
  Outcome outcome{};
  bool races = false;
};

/// Runs a program once for each seed of the schedule.
std::vector<Observed> run_on_device(const Program& program, const Placement& placement,
                                    std::uint64_t seeds = kSeeds) {
  const auto session = device::make_virtual_session();
  const device::ModuleId module =
      session->load(isa::test::entry(ptx_of(program, placement),
                                     ".global .align 16 .b8 x[16];\n.global .align 16 .b8 y[16];\n"
                                     ".global .align 16 .b8 z[16];"),
                    "litmus.ptx");
  const std::uint64_t out = session->allocate({.bytes = 4 * kRegisters, .name = "out"}).value();
  device::SessionLaunch launch;
  launch.entry = "f";
  launch.grid = launch.block = {1, 1, 1};
  for (const Place& place : placement) {
    launch.grid.x = std::max(launch.grid.x, place.block + 1);
    launch.block.x = std::max(launch.block.x, 32 * (place.warp + 1));
  }
  if (program.in_clusters) {
    launch.cluster = Dim3{kClusterBlocks, 1, 1};
    launch.grid.x += launch.grid.x % kClusterBlocks;
  }
  launch.parameters = isa::test::bytes_of(std::vector{std::uint64_t{0}, out});
  const auto zero = isa::test::bytes_of(std::vector{0, 0, 0, 0});
  std::vector<Observed> observed;
  for (launch.schedule_seed = 0; launch.schedule_seed < seeds; ++launch.schedule_seed) {
    for (const char* const name : {"x", "y", "z"}) {
      static_cast<void>(session->write(session->variable(module, name)->address, zero));
    }
    const auto unset = isa::test::bytes_of(std::vector(kRegisters, kUnset));
    static_cast<void>(session->write(out, unset));
    launch.interleave = launch.schedule_seed % 4 != 0;
    const device::LaunchResult result = session->launch(module, launch);
    EXPECT_TRUE(result.completed && !result.unsupported) << program.name;
    Observed one;
    for (const auto* const findings : {&result.findings, &result.repeated}) {
      for (const Finding& finding : *findings) {
        if (finding.grade == Grade::different_barriers) continue;  // is not part of the model
        EXPECT_EQ(finding.kind, FindingClass::race)
            << program.name << ": " << report::message_text(finding);
        one.races = one.races || finding.grade != Grade::volatile_order;
      }
    }
    std::array<std::byte, sizeof one.outcome> bytes;
    static_cast<void>(session->read(out, bytes, nullptr));
    std::memcpy(one.outcome.data(), bytes.data(), bytes.size());
    observed.push_back(one);
  }
  return observed;
}

/// The facts about a program that the model gives and the device must show.
struct Expected {
  bool races = false;             // some interleaving races
  bool races_without_sc = false;  // some execution races if the order of fence.sc does not count
  std::map<Outcome, Executions> allowed;
};

Expected expected_of(const Program& program, const Placement& placement) {
  Expected expected;
  expected.allowed = allowed_executions(program, placement);
  for (const auto& [outcome, executions] : expected.allowed) {
    expected.races |= executions.any_interleaved_races;
    expected.races_without_sc |= executions.any_races_without_sc;
  }
  return expected;
}

/// Checks each run by the executions that explain it. Returns true if the model has a race.
bool check_on_device(const PlacedProgram& one, std::uint64_t seeds = kSeeds) {
  SCOPED_TRACE(one.program.name + " at " + text_of(one.placement));
  const Expected expected = expected_of(one.program, one.placement);
  bool reported = false;
  for (const Observed& run : run_on_device(one.program, one.placement, seeds)) {
    reported |= run.races;
    const auto found = expected.allowed.find(run.outcome);
    if (found == expected.allowed.end()) {
      ADD_FAILURE() << text_of(run.outcome) << " is forbidden";
      continue;
    }
    const Executions& executions = found->second;
    EXPECT_TRUE(executions.any_interleaved) << text_of(run.outcome);
    EXPECT_TRUE(!run.races || executions.any_races_without_sc)
        << "false alarm, " << text_of(run.outcome);
    EXPECT_TRUE(run.races || !executions.all_interleaved_race)
        << "missed, " << text_of(run.outcome);
  }
  EXPECT_TRUE(reported || !expected.races || seeds < kSeeds) << "no schedule shows the race";
  return expected.races;
}

TEST(Litmus, OutcomesAreAllowedAndRacesAreReported) {
  for (const PlacedProgram& one : all_programs()) static_cast<void>(check_on_device(one));
}

/// The number in an environment variable.
unsigned number_from(const char* variable, unsigned otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? static_cast<unsigned>(std::stoul(text)) : otherwise;
}

/// WARPCHECK_LITMUS_PROGRAMS and WARPCHECK_LITMUS_SEED change their number and the first seed.
TEST(Litmus, RandomProgramsAgreeWithTheModel) {
  constexpr std::uint64_t kFewSeeds = 6;
  const unsigned first = number_from("WARPCHECK_LITMUS_SEED", 1);
  const unsigned programs = number_from("WARPCHECK_LITMUS_PROGRAMS", 2000);
  unsigned racy = 0;
  for (unsigned seed = first; seed < first + programs; ++seed) {
    racy += check_on_device(random_program(seed), kFewSeeds) ? 1 : 0;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  std::cout << "seeds " << first << " to " << first + programs - 1 << ": " << racy
            << " programs with a race\n";
  EXPECT_GT(racy, programs / 4);
  EXPECT_LT(racy, programs - programs / 4);
}

struct Verdict {
  std::vector<std::string> threads;
  Placement placement;
  std::string outcome;
  bool allowed;
  bool races;  // the program, in some execution
};

const Placement kBlocks = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
const Placement kWarps = {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {0, 3, 0}};

void check(const Verdict& verdict) {
  const Program program = parse("test", verdict.threads);
  const Expected expected = expected_of(program, verdict.placement);
  const auto is_outcome = [&](const auto& one) { return text_of(one.first) == verdict.outcome; };
  const auto races = [](const auto& one) { return one.second.any_races; };
  const auto& all = expected.allowed;
  SCOPED_TRACE(testing::PrintToString(verdict.threads));
  EXPECT_EQ(std::any_of(all.begin(), all.end(), is_outcome), verdict.allowed) << verdict.outcome;
  EXPECT_EQ(std::any_of(all.begin(), all.end(), races), verdict.races);
}

/// Verdicts derived by hand from the PTX ISA, 8.7 to 8.10, and from figures 4 to 9 of the paper.
TEST(LitmusModel, OrdersMessagesAsThePtxIsaDoes) {
  // Message passing: a release that an acquire observes (8.8), with both scopes wide enough.
  const auto message = [](const char* publish, const char* observe) {
    return std::vector<std::string>{std::string("st x 1; ") + publish,
                                    std::string(observe) + "; ld r1 x if r0=1"};
  };
  check({message("st.release.gpu y 1", "ld.acquire.gpu r0 y"), kBlocks, "r0=1 r1=0", false, false});
  check({message("st.release.cta y 1", "ld.acquire.gpu r0 y"), kBlocks, "r0=1 r1=0", true, true});
  check({message("st.release.cta y 1", "ld.acquire.gpu r0 y"), kWarps, "r0=1 r1=0", false, false});
  check({message("st.relaxed.gpu y 1", "ld.acquire.gpu r0 y"), kBlocks, "r0=1 r1=0", true, true});
  check({message("fence.acq_rel.gpu; st.relaxed.gpu y 1", "ld.relaxed.gpu r0 y; fence.acq_rel.gpu"),
         kBlocks, "r0=1 r1=0", false, false});
  check({message("fence.acq_rel.gpu; st y 1", "ld r0 y; fence.acq_rel.gpu"), kBlocks, "r0=1 r1=0",
         true, true});
  // A reduction forms no acquire pattern (8.8); an atomic in between continues the release (8.9.2).
  const char* const kLast = "ld.acquire.gpu r0 y; ld r1 x if r0=2";
  check({{"st x 1; st.release.gpu y 1", "red.relaxed.gpu.add y 1", kLast},
         kBlocks,
         "r0=2 r1=0",
         false,
         false});
  check({{"st x 1; st.release.gpu y 1", "st.relaxed.gpu y 2", kLast},
         kBlocks,
         "r0=2 r1=0",
         true,
         true});
  // Causality is transitive (8.9.5).
  check({{"st x 1; st.release.gpu y 1", "ld.acquire.gpu r0 y; st.release.gpu z 1 if r0=1",
          "ld.acquire.gpu r1 z; ld r2 x if r1=1"},
         kBlocks,
         "r0=1 r1=1 r2=0",
         false,
         false});
  check({{"st x 1; bar", "bar; ld r0 x"}, kWarps, "r0=0", false, false});
}

TEST(LitmusModel, OrdersFencesAsThePtxIsaDoes) {
  const auto buffering = [](const std::string& fence) {
    return std::vector<std::string>{"st.relaxed.gpu x 1; " + fence + "; ld.relaxed.gpu r0 y",
                                    "st.relaxed.gpu y 1; " + fence + "; ld.relaxed.gpu r1 x"};
  };
  check({buffering("fence.acq_rel.gpu"), kBlocks, "r0=0 r1=0", true, false});
  check({buffering("fence.sc.gpu"), kBlocks, "r0=0 r1=0", false, false});
  check({buffering("fence.sc.cta"), kBlocks, "r0=0 r1=0", true, false});
  check({buffering("fence.sc.cta"), kWarps, "r0=0 r1=0", false, false});
  // Independent reads of independent writes.
  const auto readers = [](const std::string& load) {
    return std::vector<std::string>{"st.relaxed.gpu x 1", "st.relaxed.gpu y 1",
                                    load + " r0 x; fence.sc.gpu; ld.relaxed.gpu r1 y",
                                    load + " r2 y; fence.sc.gpu; ld.relaxed.gpu r3 x"};
  };
  check({readers("ld.relaxed.gpu"), kBlocks, "r0=1 r1=0 r2=1 r3=0", false, false});
  check({{"st.relaxed.gpu x 1", "st.relaxed.gpu y 1", "ld.acquire.gpu r0 x; ld.acquire.gpu r1 y",
          "ld.acquire.gpu r2 y; ld.acquire.gpu r3 x"},
         kBlocks,
         "r0=1 r1=0 r2=1 r3=0",
         true,
         false});
}

TEST(LitmusModel, OrdersOneLocationAsThePtxIsaDoes) {
  const char* const kReads = "ld.relaxed.gpu r0 x; ld.relaxed.gpu r1 x";
  check({{"st.relaxed.gpu x 1", kReads}, kBlocks, "r0=1 r1=0", false, false});
  check({{"st x 1", kReads}, kBlocks, "r0=1 r1=0", true, true});
  check({{"st.relaxed.gpu x 1; st.relaxed.gpu x 2", kReads}, kBlocks, "r0=2 r1=1", false, false});
  check({{"ld.relaxed.gpu r0 x; st.relaxed.gpu x 1"}, {{}}, "r0=1", false, false});
  // Atomicity (8.10.3) holds between atomics whose scopes include each other.
  const auto atomics = [](const std::string& scope) {
    return std::vector<std::string>{"atom.relaxed." + scope + ".add r0 x 1",
                                    "atom.relaxed." + scope + ".add r1 x 1"};
  };
  check({atomics("gpu"), kBlocks, "r0=0 r1=0", false, false});
  check({atomics("cta"), kBlocks, "r0=0 r1=0", true, true});
  check({atomics("cta"), kWarps, "r0=0 r1=0", false, false});
  // Load buffering, and no value out of thin air (8.10.4).
  check({{"ld.relaxed.gpu r0 y; st.relaxed.gpu x 1", "ld.relaxed.gpu r1 x; st.relaxed.gpu y 1"},
         kBlocks,
         "r0=1 r1=1",
         true,
         false});
  check({{"ld.relaxed.gpu r0 y; st.relaxed.gpu x r0", "ld.relaxed.gpu r1 x; st.relaxed.gpu y r1"},
         kBlocks,
         "r0=1 r1=1",
         false,
         false});
}

/// A race that only the order of fence.sc excludes is reported: docs/memory-model.md states so.
/// With that order the device would miss races of kernels whose __threadfence() run in a lucky
/// order.
TEST(Litmus, OrderOfFenceScAloneIsReportedAsARace) {
  const PlacedProgram one{
      "",
      parse("fence.sc", {"st x 1; fence.sc.gpu; ld.relaxed.gpu r0 y; st.relaxed.gpu z 1 if r0=0",
                         "st.relaxed.gpu y 1; fence.sc.gpu; ld.relaxed.gpu r1 z; ld r2 x if r1=1"}),
      {{0, 0, 0}, {1, 0, 0}}};
  const Expected expected = expected_of(one.program, one.placement);
  EXPECT_FALSE(expected.races);
  EXPECT_TRUE(expected.races_without_sc);
  const std::vector<Observed> runs = run_on_device(one.program, one.placement);
  EXPECT_TRUE(std::any_of(runs.begin(), runs.end(), [](const Observed& run) { return run.races; }));
}

constexpr const char* kPage = WARPCHECK_SOURCE_DIR "/docs/memory-model.md";
constexpr const char* kBegin = "<!-- litmus: generated -->\n";
constexpr const char* kEnd = "<!-- litmus: end -->\n";

std::string table() {
  struct Row {
    std::size_t programs = 0, racy = 0, interleaved = 0, weak = 0;
  };
  std::vector<std::pair<std::string, Row>> rows;
  for (const PlacedProgram& one : all_programs()) {
    if (rows.empty() || rows.back().first != one.family) rows.emplace_back(one.family, Row{});
    Row& row = rows.back().second;
    const Expected expected = expected_of(one.program, one.placement);
    ++row.programs;
    row.racy += expected.races ? 1 : 0;
    for (const auto& [outcome, executions] : expected.allowed) {
      ++(executions.any_interleaved ? row.interleaved : row.weak);
    }
  }
  std::string text =
      "| test | programs | with a race | outcomes of interleavings | weak outcomes |\n"
      "|---|---|---|---|---|\n";
  for (const auto& [family, row] : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", family, row.programs, row.racy,
                        row.interleaved, row.weak);
  }
  return text;
}

/// With WARPCHECK_WRITE_PAGES in the environment the test writes the page.
TEST(LitmusPage, ListsTheTests) {
  std::ifstream file(kPage);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = page.find(kBegin) + std::strlen(kBegin);
  const std::size_t end = page.find(kEnd);
  ASSERT_LE(begin, end);
  const std::string expected = table();
  if (std::getenv("WARPCHECK_WRITE_PAGES") != nullptr) {
    std::ofstream(kPage) << page.replace(begin, end - begin, expected);
  } else {
    EXPECT_EQ(page.substr(begin, end - begin), expected)
        << "WARPCHECK_WRITE_PAGES=1 test_litmus --gtest_filter=LitmusPage.* writes " << kPage;
  }
}

}  // namespace
}  // namespace warpcheck::litmus
