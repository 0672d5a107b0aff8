#include "workflows/exec/run/program_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

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

void require_replaceable_runtime(std::string_view elf, const std::string& program,
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
  const std::vector<runtime::ElfSymbol> functions = file.functions();
  const bool has_symbols = std::any_of(
      functions.begin(), functions.end(),
      [](const runtime::ElfSymbol& one) { return one.name == "__cudaRegisterFatBinary"; });
  if (file.has_section(".nv_fatbin") && !has_symbols) {
    throw request_error(fmt::format(
        "{} contains the CUDA runtime without its symbols, which warpcheck needs to replace it: do "
        "not strip the program, or link it with `nvcc -cudart shared`, in CMake with "
        "CUDA_RUNTIME_LIBRARY=Shared",
        program));
  }
}

}  // namespace warpcheck::workflows::exec
