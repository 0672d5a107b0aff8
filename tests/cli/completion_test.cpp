#include "cli/help/completion.hpp"

#include <gmock/gmock.h>

#include "cli/options/program.hpp"

namespace warpcheck::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class Completion : public testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> after(const std::vector<std::string>& words) const {
    const KnownNames known = {
        [] {
          return std::vector<Candidate>{{"sgemm_naive", ""}, {"sgemm_tiled", ""}};
        },
        [] {
          return std::vector<Candidate>{{"same-bits-twice", "the same bits"}};
        }};
    std::vector<std::string> texts;
    for (const Candidate& candidate : complete(*program_, words, known)) {
      texts.push_back(candidate.text);
    }
    return texts;
  }

  Command chosen_;
  std::unique_ptr<CommandApp> program_ = make_program(chosen_);
};

TEST_F(Completion, FirstWordIsACommand) {
  EXPECT_THAT(after({"ch"}), ElementsAre("check"));
  EXPECT_THAT(after({""}), Contains("bisect"));
  EXPECT_THAT(after({""}), Not(Contains("complete")));
  EXPECT_THAT(after({"--v"}), ElementsAre("--version"));
}

TEST_F(Completion, OptionsOfTheCommandThatAreNotGivenYet) {
  EXPECT_THAT(after({"check", "--se"}), ElementsAre("--seed"));
  EXPECT_THAT(after({"check", "--seed", "1", "--se"}), IsEmpty());
  EXPECT_THAT(after({"check", "-v", "--verb"}), IsEmpty());
  EXPECT_THAT(after({"list", "--se"}), IsEmpty());
  EXPECT_THAT(after({"fuzz", "--mini"}), ElementsAre("--minimize")) << "retired spellings";
  EXPECT_THAT(after({"check", "--property", "same-bits-twice", "--prop"}),
              ElementsAre("--property"));
}

TEST_F(Completion, ValuesFollowFromTheTextInTheHelp) {
  EXPECT_THAT(after({"check", "--device", ""}), ElementsAre("auto", "virtual", "cuda"));
  EXPECT_THAT(after({"check", "--device", "v"}), ElementsAre("virtual"));
  EXPECT_THAT(after({"check", "--device", "=", "v"}), ElementsAre("virtual"));
  EXPECT_THAT(after({"check", "--mma-arch", "sm_8"}), ElementsAre("sm_80", "sm_89"));
  EXPECT_THAT(after({"check", "--property", ""}), ElementsAre("same-bits-twice"));
  EXPECT_THAT(after({"check", "--json", "x"}), ElementsAre(":files"));
  EXPECT_THAT(after({"check", "--regressions", ""}), ElementsAre(":folders"));
  EXPECT_THAT(after({"check", "--seed", ""}), IsEmpty());
  EXPECT_THAT(after({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
}

TEST_F(Completion, TargetsAreVariantsAndFiles) {
  EXPECT_THAT(after({"check", "sgemm_n"}), ElementsAre("sgemm_naive", ":files"));
  EXPECT_THAT(after({"check", "a.cu", "sgemm_t"}), ElementsAre("sgemm_tiled", ":files"));
  EXPECT_THAT(after({"check", "--device", "cuda", "--", "sgemm_t"}),
              ElementsAre("sgemm_tiled", ":files"));
  EXPECT_THAT(after({"replay", ""}), ElementsAre(":files"));
}

TEST_F(Completion, NothingFollowsTheLastArgumentOrAnUnknownCommand) {
  EXPECT_THAT(after({"profile", "sgemm_naive", ""}), IsEmpty());
  EXPECT_THAT(after({"frobnicate", ""}), IsEmpty());
}

TEST_F(Completion, CandidatesHaveTheDescriptionsOfTheHelp) {
  const std::vector<Candidate> found = complete(*program_, {"ch"}, {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().description, "check variants with generated cases");
}

}  // namespace
}  // namespace warpcheck::cli
