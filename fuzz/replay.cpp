// Runs a fuzz target without libFuzzer, on files and on all files in folders, in the order of their
// names.
//
//   replay_TARGET FILE|FOLDER...
//
// Exit status: 0 all inputs passed; 2 there was no input, so nothing was checked. Aborts at the
// first input that fails, after printing its name.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.hpp"

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Reads a file into an array of exactly its size, so that AddressSanitizer detects an access past
/// its end.
std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) warpcheck::fuzz::fail("cannot read " + file.string());
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(stream), {}};
  bytes.shrink_to_fit();
  return bytes;
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t inputs = 0;
  for (int i = 1; i < count; ++i) {
    for (const fs::path& file : files_of(arguments[i])) {
      std::fprintf(stderr, "%s\n", file.c_str());
      const std::vector<std::uint8_t> bytes = bytes_of(file);
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++inputs;
    }
  }
  if (inputs == 0) {
    std::fprintf(stderr, "replay: no input: expected files, or folders that contain files\n");
    return 2;
  }
  std::printf("%zu inputs passed\n", inputs);
  return 0;
}
