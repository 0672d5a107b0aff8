// A session goes on after a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/device/virtual/session/fixture.hpp"

namespace warpcheck::device::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class SessionFindings : public SessionTest {};

TEST_F(SessionFindings, OtherLanesStoreWhereOneIsOutOfBounds) {
  const ModuleId module = load(entry("store", "st.global.u32 [%own], 7;"));
  const std::uint64_t a = allocate(12, "a");
  const LaunchResult result = launch(module, "store", 32, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings),
              ElementsAre("out-of-bounds: 4-byte store to byte 12 of a, which has 12 bytes"));
  EXPECT_EQ(result.findings.front().count, 29U);
  EXPECT_THAT(read(a, 3), ElementsAre(7, 7, 7));
}

TEST_F(SessionFindings, EveryDefectOfALaunchIsFound) {
  const ModuleId module = load(entry("three",
                                     "ld.global.u32 %r1, [%own+400];\n st.global.u32 [%own+1], 1;\n"
                                     "st.global.u32 [%own], %r1;\n st.global.u32 [%own+800], 2;"));
  const std::uint64_t a = allocate(4, "a");
  EXPECT_THAT(texts(launch(module, "three", 1, a).findings),
              ElementsAre(StartsWith("out-of-bounds: 4-byte load from byte 400"),
                          StartsWith("out-of-bounds: 4-byte store to byte 1"),
                          StartsWith("out-of-bounds: 4-byte store to byte 800")));
}

TEST_F(SessionFindings, RefusedLoadIsZeroAndNoFurtherFinding) {
  const ModuleId module = load(
      entry("load",
            "ld.global.u32 %r1, [%own+8]; setp.eq.u32 %q1, %r1, 0; @%q1 st.global.u32 [%own], 3;"));
  const std::uint64_t a = allocate(4, "a");
  EXPECT_THAT(launch(module, "load", 1, a).findings, SizeIs(1));
  EXPECT_THAT(read(a, 1), ElementsAre(3));
}

TEST_F(SessionFindings, ReadOnlyLoadOfWhatAnEarlierLaunchWroteIsNone) {
  const ModuleId module =
      load(entry("write", "st.global.u32 [%own], %me;") +
           entry("add", "ld.global.nc.u32 %r1, [%own]; st.global.u32 [%own+128], %r1;"));
  const std::uint64_t a = allocate(264, "a");
  EXPECT_THAT(texts(launch(module, "write", 32, a).findings), IsEmpty());
  EXPECT_THAT(texts(launch(module, "add", 32, a).findings), IsEmpty());
  EXPECT_THAT(texts(launch(module, "write", 32, a).findings), IsEmpty());
  // Two warps, of which the first stores what the second reads.
  EXPECT_THAT(texts(launch(module, "add", 33, a).findings),
              ElementsAre(HasSubstr("not coherent with writes of its kernel")));
}

// Either value will do where a library lets the lanes of one store write several to one place.
TEST_F(SessionFindings, LanesOfAStoreOfTritonThatDisagreeAreANote) {
  const auto grade_at = [&](const std::string& file, const std::string& location) {
    const ModuleId module = load(entry("store", location + "st.global.u32 [%p], %me;") +
                                 "\n.file 1 \"/home/user/kernel.py\"\n.file 2 \"" + file + "\"\n");
    const std::uint64_t a = allocate(4, "a");
    const LaunchResult result = launch(module, "store", 32, a);
    return result.findings.empty() ? Grade::same_value : result.findings.front().grade;
  };
  const std::string inlined = ".loc 1 5 1\n.loc 2 40 3, function_name info, inlined_at 1 5 1\n";
  const std::string triton = "/usr/lib/python3/site-packages/triton/language/standard.py";
  EXPECT_EQ(grade_at(triton, inlined), Grade::library_lanes);
  EXPECT_EQ(grade_at(triton, ".loc 2 40 3\n"), Grade::library_lanes);
  EXPECT_EQ(grade_at("/home/user/standard.py", inlined), Grade::failure);
  EXPECT_EQ(grade_at(triton, ".loc 1 5 1\n"), Grade::failure);
  EXPECT_TRUE(is_note(Grade::library_lanes, {}));
  EXPECT_FALSE(is_note(Grade::library_lanes, {.races = true}));
}

// Triton gives several threads copies of an element, of which one is stored.
TEST_F(SessionFindings, ReadOfACopyThatItsThreadDropsIsANote) {
  const auto grades = [&](const std::string& body, bool states_threads = true) {
    std::string text = entry("change",
                             "and.b32 %r1, %me, 63;\nmad.wide.u32 %own, %r1, 4, %p;\n"
                             "setp.lt.u32 %q1, %me, 64;\n" +
                                 body);
    if (states_threads) text.insert(text.find("{"), ".reqntid 128, 1, 1\n");
    const std::uint64_t a = allocate(Words(65, 1), "a");
    std::set<Grade> found;
    for (const Finding& finding : launch(load(text), "change", 128, a).findings) {
      found.insert(finding.grade);
    }
    return found;
  };
  const std::string twice =
      "ld.global.u32 %r2, [%own];\nadd.u32 %r2, %r2, %r2;\n@%q1 st.global.u32 [%own], %r2;";
  EXPECT_THAT(grades(twice), ElementsAre(Grade::unused_read));
  EXPECT_THAT(grades(twice, false), ElementsAre(Grade::failure));
  EXPECT_THAT(grades("ld.global.u32 %r2, [%own];\nst.global.u32 [%own], %r2;"),
              Contains(Grade::failure));
  // The threads that store read elements of other threads, which drop copies of them, too.
  EXPECT_THAT(grades("ld.global.u32 %r2, [%own+4];\n@%q1 st.global.u32 [%own], %r2;"),
              Contains(Grade::failure));
  EXPECT_TRUE(is_note(Grade::unused_read, {}));
  EXPECT_FALSE(is_note(Grade::unused_read, {.races = true}));
}

TEST_F(SessionFindings, UndefinedBranchIsFoundAndExecuted) {
  const ModuleId module =
      load(entry("branch",
                 "ld.global.u32 %r1, [%own+4]; setp.eq.u32 %q1, %r1, 5; @%q1 bra end;"
                 "st.global.u32 [%own], 1; end:"));
  const std::uint64_t a = allocate(8, "a");
  const LaunchResult result = launch(module, "branch", 1, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings),
              ElementsAre("uninitialized-read: the predicate of the branch is undefined"));
  EXPECT_EQ(undefined(a, 4), 0U);
}

TEST_F(SessionFindings, UndefinedGuardIsFoundAndExecuted) {
  const ModuleId module = load(
      entry("guard",
            "ld.global.u32 %r1, [%own]; setp.ne.u32 %q1, %r1, 5; @%q1 st.global.u32 [%own], 1;"));
  const std::uint64_t a = allocate(8, "a");
  const LaunchResult result = launch(module, "guard", 1, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings), ElementsAre(HasSubstr("undefined")));
}

TEST_F(SessionFindings, UndefinedAddressIsOneFinding) {
  const ModuleId module = load(entry("address",
                                     "ld.global.u64 %d1, [%p];\n st.global.u32 [%d1], 1;\n"
                                     "st.global.u32 [%p+8], 2;"));
  const std::uint64_t a = allocate(16, "a");
  const LaunchResult result = launch(module, "address", 1, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings), ElementsAre("uninitialized-read: the address is undefined"));
  EXPECT_THAT(read(a + 8, 1), ElementsAre(2));
}

TEST_F(SessionFindings, AtomicOutOfBoundsIsDropped) {
  const ModuleId module = load(entry("atomic",
                                     "atom.global.add.u32 %r1, [%own], 1;\n"
                                     "st.shared.u32 [4096], %r1;\n red.global.add.u32 [%p], 1;"));
  const std::uint64_t a = allocate(Words{5}, "a");
  const LaunchResult result = launch(module, "atomic", 2, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings),
              ElementsAre(StartsWith("out-of-bounds"), StartsWith("out-of-bounds")));
  EXPECT_THAT(read(a, 1), ElementsAre(8));
}

TEST_F(SessionFindings, AsynchronousCopyFromBeyondABufferCopiesZeros) {
  const ModuleId module =
      load(".shared .align 16 .b8 tile[64];\n" +
           entry("copy",
                 "mov.u32 %r1, tile;\n mad.lo.u32 %r1, %me, 4, %r1;\n"
                 "cp.async.ca.shared.global [%r1], [%own], 4;\n cp.async.wait_all;\n"
                 "ld.shared.u32 %r2, [%r1];\n add.u32 %r2, %r2, 1;\n ld.global.u64 %d1, [%p];\n"
                 "mad.wide.u32 %d1, %me, 4, %d1;\n st.global.u32 [%d1], %r2;"));
  const std::uint64_t out = allocate(16, "out");
  const std::uint64_t a = allocate(8, "a");
  EXPECT_FALSE(session->write(a, std::as_bytes(std::span(&out, 1))));
  const LaunchResult result = launch(module, "copy", 4, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings), ElementsAre("out-of-bounds: asynchronous copy of 4 bytes "
                                                  "from byte 8 of a, which has 8 bytes"));
  EXPECT_EQ(result.findings.front().count, 2U);
  EXPECT_EQ(read(out + 8, 1), Words{1});
}

TEST_F(SessionFindings, AsynchronousCopyToBeyondSharedMemoryIsLost) {
  const ModuleId module =
      load(entry("copy",
                 "mov.u32 %r1, 65536;\n cp.async.ca.shared.global [%r1], [%p], 4;\n"
                 "cp.async.wait_all;\n st.global.u32 [%p+4], 1;"));
  const std::uint64_t a = allocate(Words{5, 6}, "a");
  const LaunchResult result = launch(module, "copy", 1, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings), ElementsAre(StartsWith("out-of-bounds: 4-byte store")));
  EXPECT_THAT(read(a, 2), ElementsAre(5, 1));
}

TEST_F(SessionFindings, MatrixRowBeyondSharedMemoryIsOneFinding) {
  const ModuleId module = load(entry("load",
                                     "mov.u32 %r1, 65536;\n"
                                     "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];\n"
                                     "st.global.u32 [%own], %r2;"));
  const std::uint64_t a = allocate(128, "a");
  const LaunchResult result = launch(module, "load", 32, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings), ElementsAre(StartsWith("out-of-bounds: 16-byte load")));
  EXPECT_THAT(read(a, 1), ElementsAre(0));
}

TEST_F(SessionFindings, SecondFreeOfABlockIsFoundAndTheLaunchGoesOn) {
  const std::string release = "{ .param .b64 b; st.param.b64 [b], %d1; call.uni free, (b); }\n";
  const ModuleId module = load(
      ".extern .func (.param .b64 r) malloc(.param .b64 size);\n"
      ".extern .func free(.param .b64 block);\n" +
      entry("twice",
            "{ .param .b64 s; .param .b64 r; st.param.b64 [s], 4; call.uni (r), malloc, (s);"
            " ld.param.b64 %d1, [r]; }\n" +
                release + release + "st.global.u32 [%p], 1;"));
  const std::uint64_t a = allocate(4, "a");
  const LaunchResult result = launch(module, "twice", 1, a);
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(texts(result.findings),
              ElementsAre("use-after-free: free of heap block 1, which was freed before"));
  EXPECT_THAT(read(a, 1), ElementsAre(1));
}

TEST_F(SessionFindings, RacesThatOneBarrierOrdersAreOneFinding) {
  const ModuleId module =
      load(".shared .align 4 .b8 a[256];\n.shared .align 4 .b8 b[256];\n" +
           entry("swap",
                 "mul.lo.u32 %r1, %me, 4;\n mov.u32 %r2, a;\n add.u32 %r2, %r2, %r1;\n"
                 "mov.u32 %r3, b;\n add.u32 %r3, %r3, %r1;\n xor.b32 %r4, %r2, 128;\n"
                 "xor.b32 %r5, %r3, 128;\n st.shared.u32 [%r2], 1;\n st.shared.u32 [%r3], 2;\n"
                 "ld.shared.u32 %r6, [%r4];\n ld.shared.u32 %r7, [%r5];"));
  const LaunchResult first = launch(module, "swap", 64, std::uint64_t{0});
  ASSERT_THAT(first.findings, SizeIs(1));
  EXPECT_EQ(first.findings.front().same_cause.size(), 1U);
  EXPECT_THAT(launch(module, "swap", 64, std::uint64_t{0}).findings, IsEmpty());
}

TEST_F(SessionFindings, FindingIsReportedOncePerModule) {
  const std::string text = entry("store", "st.global.u32 [%own], 7;");
  const ModuleId one = load(text);
  const ModuleId other = load(text);
  const std::uint64_t a = allocate(4, "a");
  EXPECT_THAT(launch(one, "store", 2, a).findings, SizeIs(1));
  EXPECT_THAT(launch(one, "store", 2, a).findings, IsEmpty());
  EXPECT_THAT(launch(other, "store", 2, a).findings, SizeIs(1));
}

TEST_F(SessionFindings, TrapEndsTheLaunchButNotTheSession) {
  const ModuleId module = load(entry("fail", "trap;") + entry("store", "st.global.u32 [%own], 7;"));
  const std::uint64_t a = allocate(4, "a");
  const LaunchResult failed = launch(module, "fail", 1, a);
  EXPECT_FALSE(failed.completed);
  EXPECT_THAT(failed.findings, SizeIs(1));
  EXPECT_TRUE(launch(module, "store", 1, a).completed);
  EXPECT_THAT(read(a, 1), ElementsAre(7));
}

TEST_F(SessionFindings, RequestedStopEndsTheLaunch) {
  const ModuleId module = load(entry("spin", "again: bra again;"));
  SessionLaunch what;
  what.entry = "spin";
  what.parameters = parameters(std::uint64_t{0});
  what.stop.deadline = std::chrono::steady_clock::now();
  const LaunchResult result = session->launch(module, what);
  EXPECT_TRUE(result.stopped);
  EXPECT_FALSE(result.completed);
}

}  // namespace
}  // namespace warpcheck::device::test
