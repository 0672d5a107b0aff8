// Reader of 64-bit ELF files: programs and shared libraries.
#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpcheck::runtime {

/// Refers to the bytes. A part that lies outside of them is empty, and so is each part of a file
/// that is no ELF file.
class ElfFile {
 public:
  explicit ElfFile(std::string_view bytes);

  /// The content of a section that is not compressed.
  [[nodiscard]] std::string_view section(std::string_view name) const;
  /// The names of the shared libraries that it needs.
  [[nodiscard]] std::vector<std::string_view> libraries() const;

 private:
  [[nodiscard]] std::string_view name_of(const Elf64_Shdr& section) const;
  [[nodiscard]] std::string_view content(const Elf64_Shdr& section) const;
  /// A text in a section of texts.
  [[nodiscard]] std::string_view text(std::uint64_t section, std::uint64_t offset) const;

  std::string_view bytes_;
  std::optional<Elf64_Ehdr> header_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace warpcheck::runtime
