// Small inputs on which users saw a false verdict, each with the right one in its comments:
//
//   // run: check FILE --cases 300   arguments of warpcheck; default: exec ./program for a file
//   with
//                                    main(), otherwise check FILE --device virtual
//   // build: -arch=sm_90            options of nvcc for a file with main(); default: -arch=sm_80
//   // exits: 1                      the exit status, 0 by default
//   // prints: error[race]           a text of standard output or standard error; repeatable
//   // prints not: warning           a text of neither; repeatable
//   ... // finding here              a finding must name each line with this comment
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "contract/compile/nvcc.hpp"
#include "tests/tool/harness/tool.hpp"

namespace warpcheck::tool {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(WARPCHECK_SOURCE_DIR) / "tests/reported";

struct Expectation {
  std::string run;
  std::string build = "-arch=sm_80";
  bool is_program = false;
  int status = 0;
  std::vector<std::string> prints;
  std::vector<std::string> prints_not;
};

/// The rest of a line after a comment that begins with `key`, or an empty text.
std::string value_after(const std::string& line, const std::string& key) {
  const std::string comment = "// " + key + ": ";
  return line.rfind(comment, 0) == 0 ? line.substr(comment.size()) : "";
}

Expectation read_expectation(const fs::path& file) {
  Expectation expected;
  std::istringstream text(read_input(file.string()));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (line.find(" main(") != std::string::npos) expected.is_program = true;
    if (line.find("// finding here") != std::string::npos) {
      expected.prints.push_back(fmt::format("{}:{}", file.filename().string(), number));
    }
    if (const std::string run = value_after(line, "run"); !run.empty()) expected.run = run;
    if (const std::string build = value_after(line, "build"); !build.empty()) {
      expected.build = build;
    }
    if (const std::string status = value_after(line, "exits"); !status.empty()) {
      expected.status = std::stoi(status);
    }
    if (const std::string part = value_after(line, "prints"); !part.empty()) {
      expected.prints.push_back(part);
    }
    if (const std::string part = value_after(line, "prints not"); !part.empty()) {
      expected.prints_not.push_back(part);
    }
  }
  if (expected.run.empty()) {
    expected.run = expected.is_program ? "exec ./program" : "check FILE --device virtual";
  }
  return expected;
}

std::vector<std::string> arguments_of(const Expectation& expected, const std::string& file) {
  std::vector<std::string> arguments;
  std::istringstream words(expected.run);
  for (std::string word; words >> word;) arguments.push_back(word == "FILE" ? file : word);
  return arguments;
}

/// The inputs, by folder and name without the extension.
std::vector<std::string> inputs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.path().extension() == ".cu") {
      names.push_back(fs::relative(entry.path(), kFolder).replace_extension().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Reported : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      nvcc_ = contract::find_nvcc().string();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  std::string nvcc_;
  Scratch scratch_;
};

TEST_P(Reported, HasItsVerdict) {
  const fs::path file = kFolder / (GetParam() + ".cu");
  const Expectation expected = read_expectation(file);
  const std::string name = file.filename().string();
  fs::copy_file(file, scratch_.folder() / name, fs::copy_options::overwrite_existing);
  if (expected.is_program) {
    const Result built = scratch_.shell(fmt::format(
        "'{}' -cudart shared -lineinfo -g {} -o program {}", nvcc_, expected.build, name));
    ASSERT_EQ(built.status, 0) << built.out << built.error;
  }
  const Result result = scratch_.run(arguments_of(expected, name));
  const std::string printed = result.out + result.error;
  EXPECT_EQ(result.status, expected.status) << printed;
  for (const std::string& part : expected.prints) {
    EXPECT_NE(printed.find(part), std::string::npos) << part << "\n" << printed;
  }
  for (const std::string& part : expected.prints_not) {
    EXPECT_EQ(printed.find(part), std::string::npos) << part << "\n" << printed;
  }
}

INSTANTIATE_TEST_SUITE_P(, Reported, testing::ValuesIn(inputs()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace warpcheck::tool
