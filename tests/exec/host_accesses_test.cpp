// Accesses of the host to memory of work for which it does not wait.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.hpp"
#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class HostAccesses : public Exec {
 protected:
  void SetUp() override {
    Exec::SetUp();
    if (!IsSkipped()) compile("races/host_accesses");
  }

  /// The line of the source that ends with the comment.
  [[nodiscard]] static std::string place_of(const std::string& comment) {
    const std::string text = read_input(source_of("races/host_accesses"));
    const auto end = text.begin() + static_cast<long>(text.find("// " + comment));
    return fmt::format("{}:{}", source_of("races/host_accesses"),
                       std::count(text.begin(), end, '\n') + 1);
  }
};

struct EarlyAccess {
  const char* mode;
  const char* finding;  // one line
};

const EarlyAccess kEarlyAccesses[] = {
    {"race-copy",
     "error[race]: the host reads byte 20 of allocation 2, which cudaMemcpyAsync in stream 1 "
     "writes: the host does not wait for it"},
    {"race-reuse",
     "error[race]: the host writes byte 24 of allocation 2, which cudaMemcpyAsync in stream 1 "
     "reads: the host does not wait for it"},
    {"race-managed",
     "error[race]: the host reads byte 0 of allocation 3, which launch 1 of twice(int*) in the "
     "default stream writes: the host does not wait for it"},
    {"race-variable",
     "error[race]: the host reads byte 8 of counters, which launch 1 of count() in the default "
     "stream writes: the host does not wait for it"},
    {"race-event",
     "error[race]: the host writes byte 4 of allocation 3, which launch 1 of twice(int*) in stream "
     "1 writes: the host does not wait for it"},
    {"race-library", "of allocation 2, which cudaMemcpyAsync in stream 1 writes"},
};

TEST_F(HostAccesses, WithoutWaitingAreRaces) {
  for (const EarlyAccess& one : kEarlyAccesses) {
    const Result result = scratch.run({"exec", "./program", one.mode});
    EXPECT_EQ(result.status, 1) << one.mode;
    EXPECT_EQ(result.out, "done 1\n") << one.mode;
    EXPECT_THAT(in_one_line(result.error),
                AllOf(HasSubstr(one.finding), HasSubstr("--> " + place_of(one.mode)),
                      HasSubstr(": 1 finding\n")))
        << one.mode;
  }
}

TEST_F(HostAccesses, AfterWaitingAreSilent) {
  const Result result = scratch.run({"exec", "--leak-check", "./program", "right"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "done 1\n");
  EXPECT_THAT(result.error, HasSubstr(": 0 findings\n"));
}

TEST_F(HostAccesses, CrashOfTheProgramRemainsOne) {
  const Result result = scratch.run({"exec", "./program", "crash"});
  EXPECT_EQ(result.status, 139);
  EXPECT_THAT(result.error, HasSubstr("ended by signal 11 (Segmentation fault)"));
}

}  // namespace
}  // namespace warpcheck::tool
