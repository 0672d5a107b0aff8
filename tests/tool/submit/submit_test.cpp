// Campaigns whose shards run as jobs.
#include <gmock/gmock.h>

#include <regex>
#include <string>
#include <vector>

#include "base/process/temporary_folder.hpp"
#include "tests/tool/harness/consumers.hpp"
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

TEST(Submit, ShardWithoutCasesIsFinished) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  ASSERT_EQ(scratch
                .run({"submit", "--shards", "4", "-o", "run", "--", "right.cu", "--cases", "3",
                      "--device", "virtual"})
                .status,
            0);
  const Result shards =
      scratch.shell("set -e; while read -r line; do eval \"$line\"; done <run/shards.txt");
  EXPECT_EQ(shards.status, 0) << shards.error;
  EXPECT_THAT(scratch.shell("cat run/shards/*.log").out, HasSubstr("no case was run"));
  EXPECT_THAT(scratch.run({"submit", "--resume", "-o", "run"}).out,
              HasSubstr("run: 0 shards to run\n"));
  const Result merged = scratch.shell("bash run/merge.sh");
  EXPECT_EQ(merged.status, 0) << merged.error;
}

TEST(Submit, CampaignWithoutCasesFailsInTheMerge) {
  const Scratch scratch;
  scratch.write("right.cu", correct_kernel("right"));
  ASSERT_EQ(scratch
                .run({"submit", "--shards", "2", "-o", "run", "--", "right.cu", "--property",
                      "alpha-zero-ignores-a-and-b", "--device", "virtual"})
                .status,
            0);
  EXPECT_EQ(scratch.shell("bash run/shards.txt").status, 0);
  EXPECT_EQ(scratch.shell("bash run/merge.sh").status, 2);
}

TEST(Submit, WrongUseIsAnErrorBeforeAnyFileIsWritten) {
  const Scratch scratch;
  scratch.write("mine.cu", correct_kernel("mine"));
  const auto status_of = [&scratch](const std::vector<std::string>& check) {
    std::vector<std::string> words = {"submit", "-o", "run", "--"};
    words.insert(words.end(), check.begin(), check.end());
    return scratch.run(words).status;
  };
  EXPECT_EQ(status_of({"mine.cu", "--no-such-option"}), 2);
  EXPECT_EQ(status_of({"mine.cu", "--history=h.db"}), 2);
  EXPECT_EQ(status_of({"mine.cu", "--time", "3s"}), 2);
  EXPECT_EQ(status_of({"other.cu"}), 2);
  EXPECT_EQ(status_of({"fuzz", "no_such_variant"}), 2);
  EXPECT_EQ(status_of({"replay", "mine.cu"}), 2);
  EXPECT_EQ(scratch.shell("test ! -e run").status, 0);
  EXPECT_THAT(scratch.run({"submit", "--resume", "-o", "run"}).error,
              HasSubstr("run: error: found no campaign in this folder"));
  EXPECT_EQ(scratch.run({"submit", "--resume", "-o", "run", "--", "mine.cu"}).status, 2);
  EXPECT_THAT(scratch.run({"submit", "--shards", "1", "-o", "run", "--", "mine.cu"}).error,
              HasSubstr("one shard is the command itself"));
  EXPECT_THAT(scratch.run({"submit", "-o", "run", "mine.cu", "--cases", "3"}).error,
              HasSubstr("after `--`"));
  const Result unwritable = scratch.run({"submit", "-o", "mine.cu/run", "--", "mine.cu"});
  EXPECT_EQ(unwritable.status, 3);
  EXPECT_THAT(unwritable.error, HasSubstr("the folder of the campaign cannot be made"));
  EXPECT_EQ(status_of({"mine.cu"}), 0);
  const Result again = scratch.run({"submit", "-o", "run", "--", "mine.cu"});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.error, HasSubstr("expected none without --resume"));
}

TEST(Submit, FuzzingShardsShareTheirCorpora) {
  const Scratch scratch;
  scratch.write("edge.cu", kernel_without_bounds_check("edge"));
  const auto run = [&](const std::string& folder, const std::vector<std::string>& further) {
    std::vector<std::string> words = {"submit", "--shards", "3",       "-o", folder,     "--",
                                      "fuzz",   "edge.cu",  "--cases", "40", "--device", "virtual"};
    words.insert(words.end(), further.begin(), further.end());
    ASSERT_EQ(scratch.run(words).status, 0);
    const Result early = scratch.shell("bash " + folder + "/merge.sh");
    EXPECT_EQ(early.status, 2);
    EXPECT_THAT(early.error, HasSubstr("shard 1 was not finished"));
    EXPECT_EQ(
        scratch.shell("bash " + folder + "/shards.txt; grep -x 1 " + folder + "/shards/*.status")
            .status,
        0);
    const Result merged = scratch.shell("bash " + folder + "/merge.sh");
    EXPECT_EQ(merged.status, 1) << merged.error;
    EXPECT_THAT(scratch.read(folder + "/report.jsonl"), HasSubstr("\"class\":\"out-of-bounds\""));
  };
  const auto cases = [&](const std::string& corpora) {
    return scratch.shell("find " + corpora + " -path '*corpus/*.case' -printf '%f\n' | sort -u")
        .out;
  };
  run("one", {});
  // Each shard searches with another seed.
  EXPECT_NE(cases("one/shards/1.corpus"), cases("one/shards/2.corpus"));
  run("two", {"--seed=7", "--corpus", "one/corpus"});
  EXPECT_EQ(scratch
                .shell("for i in 1 2 3; do diff -r one/corpus two/shards/$i.corpus | grep '^Only "
                       "in one'; done")
                .out,
            "");
  EXPECT_EQ(scratch.run({"submit", "-o", "x", "--", "fuzz", "edge.cu", "--minimize"}).status, 2);
}

/// Runs the command of the Job's pod with this index as Kubernetes does. Exits as the pod does.
constexpr const char* kRunPod = R"(
import json, os, subprocess, sys
container, = json.load(open(sys.argv[1]))["spec"]["template"]["spec"]["containers"]
environment = {one["name"]: one["value"] for one in container["env"]}
sys.exit(subprocess.run(container["command"], cwd=container["workingDir"],
                        env={**os.environ, **environment, "JOB_COMPLETION_INDEX": sys.argv[2]}).returncode)
)";

TEST(Submit, KubernetesJobsRunTheUnfinishedShardsAndMerge) {
  const Submitted campaign;
  const Scratch& scratch = campaign.scratch;
  scratch.write("pod.py", kRunPod);
  ASSERT_EQ(scratch.shell("mkdir bin && ln -s '" WARPCHECK_TOOL "' bin/warpcheck").status, 0);
  const std::string volume = "--volume=data:" + scratch.shell("printf %s \"$PWD\"").out;
  ASSERT_EQ(campaign.submit("--plain", "3").status, 0);
  EXPECT_EQ(scratch.shell("bash 'a run/shard.sh' 2").status, 0);
  const Result resumed =
      scratch.run({"submit", "--kubernetes", "--image", "i", volume, "--resume", "-o", "a run"});
  ASSERT_EQ(resumed.status, 0) << resumed.error;
  EXPECT_THAT(resumed.out, HasSubstr("a run: 2 shards to run\nshards: kubectl create -f "));
  const auto pod = [&](const std::string& job, int index) {
    return scratch.shell("PATH=$PWD/bin:$PATH python3 pod.py 'a run/kubernetes-" + job + ".json' " +
                         std::to_string(index));
  };
  EXPECT_EQ(pod("shards", 0).status, 0);
  EXPECT_EQ(pod("shards", 1).status, 0);
  EXPECT_EQ(pod("merge", 0).status, 1);
  EXPECT_EQ(comparable(scratch.read("a run/report.jsonl")), campaign.whole);
}

TEST(Submit, FailedSbatchNamesWhatToDo) {
  const Scratch scratch;
  scratch.write("bin/sbatch",
                "#!/bin/sh\necho 'sbatch: error: invalid partition specified: gpu' >&2\nexit 1\n");
  ASSERT_EQ(scratch.shell("chmod +x bin/sbatch").status, 0);
  const std::string path = "PATH=" + scratch.shell("printf %s \"$PWD/bin:$PATH\"").out;
  const Result failed =
      scratch.run({"submit", "--slurm", "-o", "a run", "--", "sgemm_naive"}, {path});
  EXPECT_EQ(failed.status, 3);
  EXPECT_THAT(failed.error, testing::AllOf(HasSubstr("invalid partition specified: gpu"),
                                           HasSubstr("`submit --slurm --resume -o 'a run'`"),
                                           HasSubstr("SBATCH_PARTITION")));
}

TEST(Submit, KubernetesManifestsMatchTheSchema) {
  const Scratch scratch;
  scratch.write("mine.cu", correct_kernel("mine"));
  const std::string here = scratch.shell("printf %s \"$PWD\"").out;
  const auto submit = [&](const std::string& volume) {
    return scratch.run({"submit", "--kubernetes", "--image", "registry/warpcheck:1", "--volume",
                        volume, "--shards", "3", "-o", "run", "--", "mine.cu"});
  };
  EXPECT_EQ(submit("data").status, 2);
  EXPECT_EQ(submit("data:relative").status, 2);
  EXPECT_THAT(submit("data:/elsewhere").error, HasSubstr("expected a folder beneath /elsewhere"));
  EXPECT_EQ(scratch.shell("test ! -e run").status, 0);
  ASSERT_EQ(submit("data:" + here + "/").status, 0);
  EXPECT_THAT(scratch.read("run/kubernetes-shards.json"),
              testing::AllOf(HasSubstr("\"completionMode\": \"Indexed\""),
                             HasSubstr("\"completions\": 3"), HasSubstr("shards=(1 2 3)")));
  Consumers consumers(scratch);
  EXPECT_TRUE(consumers.accepts_kubernetes_job("run/kubernetes-shards.json") &&
              consumers.accepts_kubernetes_job("run/kubernetes-merge.json"))
      << consumers.errors();
  const std::string edit =
      "sed s/backoffLimitPerIndex/backoffPerIndex/ run/kubernetes-shards.json >wrong.json";
  ASSERT_EQ(scratch.shell(edit).status, 0);
  if (!consumers.missing().empty()) GTEST_SKIP() << consumers.missing();
  EXPECT_FALSE(consumers.accepts_kubernetes_job("wrong.json"));
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

/// A program in place of warpcheck that stops in the middle of shard 2, once its history has begun.
constexpr const char* kStopsInShard2 = R"(#!/bin/bash
[[ "$*" == *"--shard 2/"* && ! -e resumed ]] || exec ')" WARPCHECK_TOOL R"(' "$@"
')" WARPCHECK_TOOL R"(' "$@" &
until [ -s "$3" ]; do sleep 0.01; done
kill -STOP $!
touch stopped
wait
)";

TEST(Submit, KilledSlurmTasksResumeToTheWholeReport) {
  const Submitted campaign;
  const Scratch& scratch = campaign.scratch;
  scratch.write("stops", kStopsInShard2);
  ASSERT_EQ(scratch.shell("chmod +x stops").status, 0);
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
  const std::string program =
      "WARPCHECK_PROGRAM=" + scratch.shell("printf %s \"$PWD\"").out + "/stops";
  const Result submitted = campaign.submit("--slurm", "16", {cluster.environment(), program});
  ASSERT_EQ(submitted.status, 0) << submitted.error;
  // Task 2 runs. The node has 4 processors, so the last task is pending.
  std::smatch job;
  ASSERT_TRUE(std::regex_search(submitted.out, job, std::regex("shards: Slurm job ([0-9]+)")));
  const Result killed = scratch.shell(slurm + "scancel " + job.str(1) +
                                      "_16; until [ -e stopped ]; do sleep 0.1; done; scancel " +
                                      job.str(1) + "_2; touch resumed");
  ASSERT_EQ(killed.status, 0) << killed.error;
  ASSERT_EQ(scratch.shell(wait).status, 0);
  // Task 2 has begun its history; whether its campaign is in there depends on the moment.
  EXPECT_THAT(scratch.read("a run/merge.log"), testing::ContainsRegex("shard (2, )?16 is missing"));
  EXPECT_THAT(resume().out, StartsWith("a run: 2 shards to run\nshards: Slurm job "));
  ASSERT_EQ(scratch.shell(wait).status, 0);
  EXPECT_EQ(comparable(scratch.read("a run/report.jsonl")), campaign.whole);
}

}  // namespace
}  // namespace warpcheck::tool
