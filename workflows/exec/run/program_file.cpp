#include "workflows/exec/run/program_file.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::workflows::exec {
namespace {

namespace fs = std::filesystem;

/// A 64-bit ELF file. What lies outside of the file is empty.
class ElfFile {
 public:
  explicit ElfFile(std::string_view bytes) : bytes_(bytes) {
    header_ = read<Elf64_Ehdr>(0);
    const bool is_elf = header_ && std::memcmp(header_->e_ident, ELFMAG, SELFMAG) == 0 &&
                        header_->e_ident[EI_CLASS] == ELFCLASS64;
    if (!is_elf) return;
    for (unsigned i = 0; i < header_->e_shnum; ++i) {
      const auto section = read<Elf64_Shdr>(header_->e_shoff + i * sizeof(Elf64_Shdr));
      if (section) sections_.push_back(*section);
    }
  }

  [[nodiscard]] bool has_section(std::string_view name) const {
    for (const Elf64_Shdr& section : sections_) {
      if (text(header_->e_shstrndx, section.sh_name) == name) return true;
    }
    return false;
  }

  /// The names of the shared libraries that it needs.
  [[nodiscard]] std::vector<std::string> libraries() const {
    std::vector<std::string> names;
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type != SHT_DYNAMIC) continue;
      for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section.sh_size;
           at += sizeof(Elf64_Dyn)) {
        const auto entry = read<Elf64_Dyn>(section.sh_offset + at);
        if (!entry || entry->d_tag == DT_NULL) break;
        if (entry->d_tag == DT_NEEDED) names.emplace_back(text(section.sh_link, entry->d_un.d_val));
      }
    }
    return names;
  }

 private:
  template <typename Value>
  [[nodiscard]] std::optional<Value> read(std::uint64_t at) const {
    if (at > bytes_.size() || sizeof(Value) > bytes_.size() - at) return std::nullopt;
    Value value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  /// A text in a section of texts.
  [[nodiscard]] std::string_view text(std::uint64_t section, std::uint64_t offset) const {
    if (section >= sections_.size()) return {};
    const Elf64_Shdr& texts = sections_[section];
    if (texts.sh_offset > bytes_.size() || offset >= texts.sh_size) return {};
    const std::string_view all = bytes_.substr(texts.sh_offset, texts.sh_size);
    if (offset >= all.size()) return {};
    return all.substr(offset, all.substr(offset).find('\0'));
  }

  std::string_view bytes_;
  std::optional<Elf64_Ehdr> header_;
  std::vector<Elf64_Shdr> sections_;
};

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

void require_shared_runtime(std::string_view elf, const std::string& program,
                            const std::string& runtime) {
  const ElfFile file(elf);
  std::string found;
  for (const std::string& library : file.libraries()) {
    if (library == runtime) return;
    if (library.starts_with("libcudart.so")) found = library;
  }
  if (!found.empty()) {
    throw request_error(fmt::format(
        "{} needs {}, and this warpcheck replaces {}: build one of them with the other's CUDA "
        "Toolkit",
        program, found, runtime));
  }
  if (file.has_section(".nv_fatbin")) {
    throw request_error(fmt::format(
        "{} contains the CUDA runtime, which warpcheck cannot replace then: link it with `nvcc "
        "-cudart shared`, or with CUDA_RUNTIME_LIBRARY=Shared in CMake",
        program));
  }
}

}  // namespace warpcheck::workflows::exec
