// Programs that crash, do not end, or use several processes and threads.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class ExecProcess : public Exec {
 protected:
  void SetUp() override {
    Exec::SetUp();
    if (!IsSkipped()) compile("behaviour");
  }

  /// Runs ./program with its words.
  [[nodiscard]] Result run(std::vector<std::string> words,
                           std::vector<std::string> options = {}) const {
    options.insert(options.begin(), "exec");
    options.emplace_back("./program");
    options.insert(options.end(), words.begin(), words.end());
    return scratch.run(options);
  }
};

TEST_F(ExecProcess, StatusIsThatOfTheProgram) {
  const Result crash = run({"crash"});
  EXPECT_EQ(crash.status, 139);
  EXPECT_THAT(crash.error, AllOf(HasSubstr("ended by signal 11 (Segmentation fault)\n"),
                                 HasSubstr("exec: 1 run of kernels, 9 warp instructions")));
  EXPECT_EQ(run({"abort"}).status, 134);
  EXPECT_EQ(run({"exit"}).status, 9);
}

TEST_F(ExecProcess, FailedAssertionAndTrapHaveTheirLine) {
  const Result assertion = run({"assert"});
  EXPECT_EQ(assertion.out, "assert: cudaErrorAssert\n");
  EXPECT_EQ(assertion.status, 1);
  // Sentences are wrapped: where depends on the path of the source.
  const std::string in_one_line = std::regex_replace(assertion.error, std::regex("[ \n]+"), " ");
  EXPECT_THAT(in_one_line, AllOf(HasSubstr("assertion `data[threadIdx.x] != 3` failed"),
                                 HasSubstr("{ assert(data[threadIdx.x] != 3); }")));
  const Result trap = run({"trap"});
  EXPECT_EQ(trap.out, "trap: cudaErrorLaunchFailure\n");
  EXPECT_THAT(trap.error, HasSubstr("error[launch-failure]: the kernel executed trap\n"));
}

TEST_F(Exec, ProgramSeesTheMultiprocessorsOfTheOption) {
  compile("contexts/persistent");
  const Result most = scratch.run({"exec", "--sms", "64", "./program"});
  EXPECT_EQ(most.out, "64 64 correct\n");
  EXPECT_EQ(most.status, 0) << most.error;
  const Result too_many = scratch.run({"exec", "--sms", "65", "./program"});
  EXPECT_EQ(too_many.out, "65 65 wrong\n");
  EXPECT_THAT(too_many.error, HasSubstr("error[out-of-bounds]: 4-byte store to byte 256 of"));
  EXPECT_EQ(scratch.run({"exec", "./program"}).out, "132 132 wrong\n");
}

TEST_F(Exec, ErrorExitcodeIsTheStatusOfFindingsOnly) {
  compile("contexts/persistent");
  const auto status = [&](const char* multiprocessors, std::vector<std::string> options) {
    options.insert(options.begin(), {"exec", "--sms", multiprocessors});
    options.emplace_back("./program");
    return scratch.run(options).status;
  };
  EXPECT_EQ(status("65", {}), 1);
  EXPECT_EQ(status("65", {"--error-exitcode", "42"}), 42);
  EXPECT_EQ(status("65", {"--error-exitcode", "0"}), 0);
  EXPECT_EQ(status("64", {"--error-exitcode", "42"}), 0);
  EXPECT_EQ(status("65", {"--error-exitcode", "42", "--kernel", "none"}),
            3);  // status of the program
}

class ExecFaults : public Exec {
 protected:
  void SetUp() override {
    Exec::SetUp();
    if (!IsSkipped()) compile("errors/faults");
  }
};

TEST_F(ExecFaults, TrapIsAnErrorUntilTheReset) {
  const Result result = scratch.run({"exec", "./program", "trap"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(
      result.out,
      "launch: cudaErrorLaunchFailure\nwait: cudaErrorLaunchFailure\nlast: cudaErrorLaunchFailure\n"
      "again: cudaErrorLaunchFailure\nnext launch: cudaErrorLaunchFailure\n"
      "copy: cudaErrorLaunchFailure\nreset: cudaSuccess\nafter reset: cudaSuccess\n"
      "value: 7\n");
  EXPECT_THAT(result.error, AllOf(HasSubstr("the kernel executed trap"), HasSubstr("byte 128 of")));
}

TEST_F(ExecFaults, ProgramGoesOnAfterAnInvalidAccess) {
  const Result result = scratch.run({"exec", "./program", "beyond"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out,
            "launch: cudaSuccess\nwait: cudaSuccess\nlast: cudaSuccess\nagain: cudaSuccess\n"
            "next launch: cudaSuccess\ncopy: cudaSuccess\nreset: cudaSuccess\n"
            "after reset: cudaSuccess\nvalue: 7\n");
}

TEST_F(ExecFaults, StickyErrorsAreThoseOfAGpu) {
  const auto with = [&](const char* what) {
    return scratch.run({"exec", "--sticky-errors", "./program", what});
  };
  EXPECT_THAT(with("beyond").out, AllOf(HasSubstr("launch: cudaErrorIllegalAddress\n"
                                                  "wait: cudaErrorIllegalAddress\n"),
                                        HasSubstr("copy: cudaErrorIllegalAddress\n"
                                                  "reset: cudaSuccess\n"
                                                  "after reset: cudaSuccess\n")));
  EXPECT_THAT(with("misaligned").out, HasSubstr("again: cudaErrorMisalignedAddress\n"));
  // The fault of the second launch is found in a program without one before.
  EXPECT_THAT(with("none").out, AllOf(HasSubstr("again: cudaSuccess\n"),
                                      HasSubstr("copy: cudaErrorIllegalAddress\n")));
}

TEST_F(Exec, CopiesOfPaddingAreNoFindings) {
  compile("errors/padding");
  const Result right = scratch.run({"exec", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  struct Wrong {
    const char* defect;
    const char* comment;  // comment that marks the line
  };
  for (const Wrong& wrong : {Wrong{"member", "copies"}, Wrong{"byte", "uses"},
                             Wrong{"computed", "computes"}, Wrong{"last", "unrolled"}}) {
    const Result result = scratch.run({"exec", "./program", wrong.defect});
    EXPECT_EQ(result.status, 1) << wrong.defect;
    EXPECT_THAT(result.error, HasSubstr("error[uninitialized-read]: an undefined value is stored"))
        << wrong.defect;
    const std::string marked = std::string("// ") + wrong.comment + "\n";
    EXPECT_THAT(result.error, ContainsRegex(">  *[0-9]+ \\| [^\n]*" + marked)) << wrong.defect;
  }
}

TEST_F(ExecProcess, EndlessKernelNamesTheLimit) {
  const Result result = run({"endless"}, {"--limit", "instructions=1M"});
  EXPECT_EQ(result.status, 3);
  EXPECT_THAT(result.error,
              AllOf(HasSubstr("unsupported: a long launch: it was not executed to its end: thread"),
                    HasSubstr("after 1048576 warp instructions, its budget; `--limit "
                              "instructions=N` raises it")));
}

TEST_F(ExecProcess, TimeLimitEndsTheProgramAndItsChildren) {
  const Result result = scratch.run({"exec", "--time", "0.5", "sh", "-c",
                                     "trap '' TERM; ./program wait & echo $! > child; wait"});
  EXPECT_EQ(result.status, 3);
  EXPECT_LT(result.seconds, 10.0);
  EXPECT_THAT(result.error, HasSubstr("did not end within 0.5 s, the limit of `--time`"));
  EXPECT_NE(scratch.shell("kill -0 $(cat child)").status, 0);
}

TEST_F(ExecProcess, InterruptionEndsTheProgramAndPrintsTheSummary) {
  const Result result = scratch.run_and_interrupt(
      {"exec", "sh", "-c", "echo $$ > child; exec ./program wait > output"},
      [this] { return scratch.shell("grep -q waiting output").status == 0; }, SIGTERM);
  EXPECT_EQ(result.status, 130);
  EXPECT_THAT(result.error, AllOf(HasSubstr("interrupted"), HasSubstr("run of kernels")));
  EXPECT_NE(scratch.shell("kill -0 $(cat child)").status, 0);
}

TEST_F(ExecProcess, LeaksOfOnePlaceAreOneFinding) {
  const Result result = run({"leaks"}, {"--leak-check"});
  EXPECT_THAT(result.error, HasSubstr("16000 bytes of device memory in 1000 allocations are not "));
  EXPECT_THAT(result.error, HasSubstr(": 2 findings\n"));
}

TEST_F(ExecProcess, ManyLaunchesTakeNoMemoryEach) {
  const Result few = run({"launches", "100"});
  const Result many = run({"launches", "20000"});
  EXPECT_EQ(many.status, 0);
  EXPECT_THAT(many.error, HasSubstr("exec: 20001 runs of kernels"));
  EXPECT_LE(many.megabytes, few.megabytes + 8);
}

TEST_F(ExecProcess, ProgramThatBecomesAnotherIsChecked) {
  const Result result = run({"exec"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "beyond: cudaSuccess\n");
  EXPECT_THAT(result.error, HasSubstr("error[out-of-bounds]: "));
}

TEST_F(ExecProcess, RuntimeAfterForkIsMisuse) {
  const Result result = run({"fork"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "child: cudaErrorInitializationError\nfork: cudaSuccess\n");
  EXPECT_THAT(result.error,
              HasSubstr("error[api-misuse]: a child process of fork() uses the CUDA "));
  EXPECT_THAT(result.error, HasSubstr(": 1 finding"));
}

TEST_F(ExecProcess, ThreadsLaunchConcurrently) {
  const Result result = run({"threads"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_THAT(result.error, HasSubstr("exec: 201 runs of kernels"));
}

TEST_F(ExecProcess, OutputOfALaunchIsLimited) {
  const Result result = run({"print"}, {"--limit", "printed=1K", "--limit", "instructions=10K"});
  EXPECT_LT(result.out.size(), 2048U);
  EXPECT_THAT(result.out, HasSubstr("1024 bytes of a launch are kept"));
}

}  // namespace
}  // namespace warpcheck::tool
