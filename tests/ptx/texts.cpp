#include "tests/ptx/texts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::ptx {

Module parse_with_header(std::string_view text) {
  return parse(fmt::format(".version 8.0\n.target sm_80\n.address_size 64\n{}", text), "test.ptx");
}

Module parse_body(std::string_view body, std::string_view before) {
  return parse_with_header(
      fmt::format("{}\n.visible .entry k(.param .u64 a, .param .u32 n)\n{{\n.reg .b32 %r<10>;\n"
                  ".reg .b64 %rd<10>;\n.reg .f32 %f<10>;\n.reg .pred %p<10>;\n{}\n}}\n",
                  before, body));
}

std::vector<std::string> errors_of(std::string_view text) {
  std::vector<std::string> messages;
  try {
    static_cast<void>(parse_with_header(text));
  } catch (const InputError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      messages.push_back(fmt::format("{}:{}: {}", diagnostic.where.line, diagnostic.where.column,
                                     diagnostic.message));
    }
  }
  return messages;
}

std::string read(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::filesystem::path> files_in(std::string_view folder, std::string_view extension) {
  const std::filesystem::path tests = std::filesystem::path(WARPCHECK_SOURCE_DIR) / "tests/ptx";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(tests / folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  EXPECT_FALSE(files.empty()) << folder;
  return files;
}

}  // namespace warpcheck::ptx
