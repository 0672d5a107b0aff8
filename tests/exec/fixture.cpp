#include "tests/exec/fixture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "contract/compile/nvcc.hpp"

namespace warpcheck::tool {

namespace fs = std::filesystem;

std::string source_of(const std::string& program) {
  return fmt::format("{}/tests/exec/programs/{}.cu", WARPCHECK_SOURCE_DIR, program);
}

std::size_t line_of_finding(const std::string& program) {
  const std::string text = read_input(source_of(program));
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(text.find("// finding here"));
  return static_cast<std::size_t>(std::count(text.begin(), end, '\n')) + 1;
}

std::string in_one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) {
    text.replace(at, 3, " ");
  }
  return text;
}

void Exec::SetUp() {
  try {
    nvcc_ = contract::find_nvcc().string();
  } catch (const EnvironmentError& error) {
    GTEST_SKIP() << error.what();
  }
}

std::string Exec::command_of(const std::string& program, const std::string& options,
                             const std::string& architecture) const {
  // -arch=sm_90a would compile for compute_90, too.
  const std::string code =
      fmt::format("-gencode 'arch=compute_{0},code=[sm_{0},compute_{0}]'", architecture.substr(3));
  return fmt::format("'{}' {} -lineinfo -g -o program '{}' {}", nvcc_, code, source_of(program),
                     options);
}

/// A program depends on the command, on nvcc, and on the sources in the folder of the program and
/// in that of all programs.
fs::path Exec::compiled(const std::string& program, const std::string& command) const {
  std::set<fs::path> sources;
  for (const fs::path& folder :
       {fs::path(source_of(program)).parent_path(), fs::path(source_of("")).parent_path()}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) sources.insert(entry.path().lexically_normal());
    }
  }
  const auto age = fs::last_write_time(fs::canonical(nvcc_)).time_since_epoch().count();
  std::uint64_t state = fnv1a(fmt::format("{}\n{}\n", command, age));
  for (const fs::path& source : sources) {
    state = fnv1a(source.string() + '\n' + read_input(source.string()), state);
  }
  return fs::path(WARPCHECK_COMPILED_PROGRAMS) / fmt::format("{:016x}", state);
}

void Exec::compile(const std::string& program, const std::string& options,
                   const std::string& architecture) const {
  const std::string command = command_of(program, options, architecture);
  const fs::path kept = compiled(program, command);
  const fs::path own = scratch.folder() / "program";
  if (fs::exists(kept)) {
    fs::copy_file(kept, own, fs::copy_options::overwrite_existing);
    return;
  }
  const Result result = scratch.shell(command);
  ASSERT_EQ(result.status, 0) << result.out << result.error;
  // Tests run at the same time: another one may be about to write the same file.
  const fs::path partial = fmt::format("{}.{}", kept.string(), getpid());
  fs::create_directories(kept.parent_path());
  fs::copy_file(own, partial);
  fs::rename(partial, kept);
}

bool Exec::can_compile(const std::string& program, const std::string& options) const {
  return scratch.shell(command_of(program, options, "sm_80")).status == 0;
}

}  // namespace warpcheck::tool
