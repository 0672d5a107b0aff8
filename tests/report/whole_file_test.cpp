#include "report/whole_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/diagnostic.hpp"

namespace warpcheck::report {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class WholeFileIn : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ =
      fs::temp_directory_path() / ("warpcheck_whole_file_" + std::to_string(getpid()));
  fs::path path_ = folder_ / "report.xml";
};

TEST_F(WholeFileIn, ExistsOnlyAfterItIsWritten) {
  WholeFile file(path_);
  EXPECT_FALSE(fs::exists(path_));
  file.write("<whole/>");
  EXPECT_EQ(contents(path_), "<whole/>");
  EXPECT_FALSE(fs::exists(path_.string() + ".partial"));
}

TEST_F(WholeFileIn, LeavesNothingAfterAnInterruptedRun) {
  { const WholeFile file(path_); }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(WholeFileIn, RemovesTheFileOfAnEarlierRun) {
  std::ofstream(path_) << "all passed";
  { const WholeFile file(path_); }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(WholeFileIn, WritesDirectlyToADevice) {
  WholeFile file("/dev/null");
  file.write("gone");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(WholeFileIn, FolderOrMissingFolderIsAnError) {
  EXPECT_THROW(WholeFile{folder_.string()}, InputError);
  EXPECT_THROW(WholeFile{(folder_ / "no" / "such").string()}, InputError);
}

TEST(WholeFile, FullDiskIsAnError) {
  WholeFile file("/dev/full");
  EXPECT_THROW(file.write("no room"), EnvironmentError);
}

}  // namespace
}  // namespace warpcheck::report
