#include "workflows/repository/revision_names.hpp"

#include <gtest/gtest.h>

namespace warpcheck::workflows::repository {
namespace {

TEST(RevisionNames, FilesInTheWorktreeHaveTheRevision) {
  EXPECT_EQ(named_by_revision("/tmp/w/tree/a/b.cu", "/tmp/w/tree", "v1"), "v1:a/b.cu");
}

TEST(RevisionNames, OtherFilesAreUnchanged) {
  EXPECT_EQ(named_by_revision("/home/b.cu", "/tmp/w/tree", "v1"), "/home/b.cu");
  EXPECT_EQ(named_by_revision("/tmp/w/tree2/b.cu", "/tmp/w/tree", "v1"), "/tmp/w/tree2/b.cu");
  EXPECT_EQ(named_by_revision("/home/b.cu", "", "v1"), "/home/b.cu");
}

TEST(RevisionNames, ErrorsNameTheRevisionInPlaceAndMessage) {
  const InputError error(Diagnostic{{"/w/tree/b.cu", 3, 1}, "see /w/tree/a.h and /w/tree/c.h", {}});
  const Diagnostic named = named_by_revision(error, "/w/tree", "HEAD").diagnostics().front();
  EXPECT_EQ(named.where.file, "HEAD:b.cu");
  EXPECT_EQ(named.message, "see HEAD:a.h and HEAD:c.h");
}

TEST(RevisionNames, FindingsNameTheRevisionAtEveryPlace) {
  campaign::FindingReport report;
  report.finding.source.file = "/w/tree/b.cu";
  report.finding.source.calls.push_back({"/w/tree/tile.cuh", 7});
  report.excerpt.file = "/w/tree/b.cu";
  name_by_revision(report, "/w/tree", "HEAD");
  EXPECT_EQ(report.finding.source.file, "HEAD:b.cu");
  EXPECT_EQ(report.finding.source.calls.front().file, "HEAD:tile.cuh");
  EXPECT_EQ(report.excerpt.file, "HEAD:b.cu");
}

}  // namespace
}  // namespace warpcheck::workflows::repository
