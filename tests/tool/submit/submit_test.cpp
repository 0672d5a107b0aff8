// Campaigns whose shards run as jobs.
#include <gmock/gmock.h>

#include <regex>
#include <string>
#include <vector>

#include "base/process/temporary_folder.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The events after the start, without their times.
std::string comparable(const std::string& json) {
  return std::regex_replace(without_start(json), std::regex(R"("seconds":[^,}]*)"),
                            R"("seconds":0)");
}

/// A campaign of one correct and one wrong kernel, and the report of a single process.
struct Submitted {
  Scratch scratch;
  std::string whole;

  Submitted() {
    scratch.write("right.cu", correct_kernel("right"));
    scratch.write("edge.cu", kernel_without_bounds_check("edge"));
    EXPECT_EQ(scratch
                  .run({"check", "right.cu", "edge.cu", "--cases", "64", "--device", "virtual",
                        "--json", "whole.jsonl"})
                  .status,
              1);
    whole = comparable(scratch.read("whole.jsonl"));
  }

  [[nodiscard]] Result submit(const std::string& mode, const std::string& shards,
                              const std::vector<std::string>& environment = {}) const {
    return scratch.run({"submit", mode, "--shards", shards, "-o", "a run", "--", "right.cu",
                        "edge.cu", "--cases", "64", "--device", "virtual"},
                       environment);
  }
};

TEST(Submit, UnfinishedShardIsNamedThenResumed) {
  const Submitted campaign;
  const Scratch& scratch = campaign.scratch;
  const Result written = campaign.submit("--plain", "3");
  EXPECT_EQ(written.status, 0) << written.error;
  EXPECT_THAT(written.out, HasSubstr("a run: 3 shards to run\n"));
  EXPECT_EQ(scratch.shell("bash 'a run/shard.sh' 1 && bash 'a run/shard.sh' 3").status, 0);
  EXPECT_THAT(scratch.run({"submit", "--resume", "-o", "a run"}).out,
              HasSubstr("a run: 1 shards to run\n"));
  const Result incomplete = scratch.shell("bash 'a run/merge.sh'");
  EXPECT_EQ(incomplete.status, 2);
  EXPECT_THAT(incomplete.error, HasSubstr("shard 2 is missing"));
  EXPECT_EQ(scratch.shell("bash 'a run/shards.txt'").status, 0);
  const Result merged = scratch.shell("bash 'a run/merge.sh'");
  EXPECT_EQ(merged.status, 1) << merged.error;
  EXPECT_EQ(comparable(scratch.read("a run/report.jsonl")), campaign.whole);
}

TEST(Submit, WrongUseIsAnErrorBeforeAnyFileIsWritten) {
  const Scratch scratch;
  const auto status_of = [&scratch](const std::vector<std::string>& check) {
    std::vector<std::string> words = {"submit", "-o", "run", "--"};
    words.insert(words.end(), check.begin(), check.end());
    return scratch.run(words).status;
  };
  EXPECT_EQ(status_of({"mine.cu", "--no-such-option"}), 2);
  EXPECT_EQ(status_of({"mine.cu", "--history=h.db"}), 2);
  EXPECT_EQ(status_of({"mine.cu", "--time", "3s"}), 2);
  EXPECT_EQ(scratch.shell("test ! -e run").status, 0);
  EXPECT_EQ(scratch.run({"submit", "--resume", "-o", "run"}).status, 2);
  EXPECT_EQ(status_of({"mine.cu"}), 0);
  const Result again = scratch.run({"submit", "-o", "run", "--", "mine.cu"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.error, HasSubstr("expected none without --resume"));
}

/// A Slurm cluster of this machine alone, which ends with this object.
class SlurmCluster {
 public:
  explicit SlurmCluster(const Scratch& scratch)
      : scratch_(scratch), start_(scratch.shell(script("start"))) {}
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  ~SlurmCluster() { static_cast<void>(scratch_.shell(script("stop"))); }

  [[nodiscard]] const Result& start() const { return start_; }
  [[nodiscard]] std::string environment() const {
    return "SLURM_CONF=" + folder_.path().string() + "/slurm.conf";
  }

 private:
  [[nodiscard]] std::string script(const std::string& action) const {
    return "'" WARPCHECK_SLURM_CLUSTER "' " + action + " " + folder_.path().string();
  }

  TemporaryFolder folder_;
  const Scratch& scratch_;
  Result start_;
};

TEST(Submit, KilledSlurmTasksResumeToTheWholeReport) {
  const Submitted campaign;
  const Scratch& scratch = campaign.scratch;
  if (scratch.shell("command -v slurmctld slurmd munged sbatch").status != 0) {
    GTEST_SKIP() << "slurm-wlm or munge is not installed";
  }
  const SlurmCluster cluster(scratch);
  ASSERT_EQ(cluster.start().status, 0) << cluster.start().error;
  const std::string slurm = "export " + cluster.environment() + "; ";
  const std::string wait =
      slurm + "timeout 100 bash -c 'while [ \"$(squeue -h)\" ]; do sleep 0.2; done'";
  const auto resume = [&] {
    return scratch.run({"submit", "--slurm", "--resume", "-o", "a run"}, {cluster.environment()});
  };
  const Result submitted = campaign.submit("--slurm", "16", {cluster.environment()});
  ASSERT_EQ(submitted.status, 0) << submitted.error;
  // The node has 4 processors, so the last tasks have not ended yet.
  std::smatch job;
  ASSERT_TRUE(std::regex_search(submitted.out, job, std::regex("shards: Slurm job ([0-9]+)")));
  const Result killed =
      scratch.shell(slurm + "scancel " + job.str(1) + "_15 " + job.str(1) + "_16");
  ASSERT_EQ(killed.status, 0) << killed.error;
  ASSERT_EQ(scratch.shell(wait).status, 0);
  EXPECT_THAT(scratch.read("a run/merge.log"),
              HasSubstr("in 16 shards, shard 15 to 16 is missing"));
  EXPECT_THAT(resume().out, StartsWith("a run: 2 shards to run\nshards: Slurm job "));
  ASSERT_EQ(scratch.shell(wait).status, 0);
  EXPECT_EQ(comparable(scratch.read("a run/report.jsonl")), campaign.whole);
}

}  // namespace
}  // namespace warpcheck::tool
