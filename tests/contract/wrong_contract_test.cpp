// Parses every data/contracts/*.toml, and compares the errors with its *.expected. After an
// intended change of a message, WARPCHECK_UPDATE_EXPECTED=1 rewrites these files; review the diff.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/files.hpp"
#include "contract/contract.hpp"

namespace warpcheck::contract {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

std::string contract_error(std::string_view toml, const std::string& file) {
  try {
    (void)parse_contracts(toml, {file, 1, 1});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> wrong_contracts() {
  std::vector<std::string> names;
  for (const auto& entry :
       fs::directory_iterator(WARPCHECK_SOURCE_DIR "/tests/contract/data/contracts")) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class WrongContract : public testing::TestWithParam<std::string> {};

TEST_P(WrongContract, HasLocatedErrors) {
  const fs::path stem =
      fs::path(WARPCHECK_SOURCE_DIR "/tests/contract/data/contracts") / GetParam();
  const fs::path expected_file = fs::path(stem) += ".expected";
  const fs::path input_file = fs::path(stem) += ".toml";
  const std::string found = contract_error(read_input(input_file), input_file.filename().string());
  if (std::getenv("WARPCHECK_UPDATE_EXPECTED") != nullptr) write_file(expected_file, found);
  EXPECT_EQ(found, read_input(expected_file));
}

INSTANTIATE_TEST_SUITE_P(Data, WrongContract, testing::ValuesIn(wrong_contracts()),
                         [](const auto& parameter) { return parameter.param; });

TEST(WrongContractText, EmptyTextHasNoVariant) {
  EXPECT_EQ(contract_error("", "x.toml"), "x.toml:1:1: error: no [[variant]] table\n");
}

TEST(WrongContractText, BinaryTextIsNotTomlAndIsNotPrinted) {
  const std::string found =
      contract_error(std::string("\x7f\x45LF\x02\x01\0\0\xff\xfe", 10), "x.toml");
  EXPECT_THAT(found, HasSubstr("x.toml:1:8: error: not TOML: "));
  EXPECT_EQ(found.find('\x7f'), std::string::npos);
  EXPECT_EQ(found.find('\xff'), std::string::npos);
}

/// Every prefix of a contract is a contract or a located error.
TEST(WrongContractText, EveryPrefixIsAContractOrAnError) {
  const std::string text =
      "[[variant]]\nname = \"x\"\nkernel = \"f<1>\"\noperation = \"gemm\"\n"
      "arguments = [\"a\", \"b\", \"c\"]\nblock = [32, \"\"\"\n4\"\"\"]\ngrid = [\"ceil_div(m, "
      "2)\"]\n"
      "layout = { a = 'row', b = 'col', c = 'row' }\nrequires = ['''m == n''']\n";
  EXPECT_EQ(contract_error(text, "x.toml"), "no error");
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string found = contract_error(std::string_view(text).substr(0, size), "x.toml");
    const bool answered = found == "no error" || found.starts_with("x.toml:");
    ASSERT_TRUE(answered) << size << ": " << found;
  }
}

}  // namespace
}  // namespace warpcheck::contract
