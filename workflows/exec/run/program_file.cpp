#include "workflows/exec/run/program_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

#include "base/diagnostic.hpp"
#include "runtime/fatbin/elf_file.hpp"

namespace warpcheck::workflows::exec {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

}  // namespace

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    if (is_program(name)) return name;
    throw request_error(fmt::format("{} is not a program that can be run", name));
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(file)) return file;
  }
  throw request_error(
      fmt::format("there is no program {} on PATH; write ./{} for one in this folder", name, name));
}

void require_same_toolkit(std::string_view elf, const std::string& program,
                          const std::string& runtime) {
  const runtime::ElfFile file(elf);
  std::string found;
  for (const std::string_view library : file.libraries()) {
    if (library == runtime) return;
    if (library.starts_with("libcudart.so")) found = library;
  }
  if (!found.empty()) {
    throw request_error(fmt::format(
        "{} needs {}, and this warpcheck replaces {}: build one of them with the other's CUDA "
        "Toolkit",
        program, found, runtime));
  }
}

}  // namespace warpcheck::workflows::exec
