#include "runtime/fatbin/elf_file.hpp"

#include <algorithm>
#include <cstring>

namespace warpcheck::runtime {
namespace {

template <typename Value>
std::optional<Value> read(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || sizeof(Value) > bytes.size() - at) return std::nullopt;
  Value value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// The entries of a table.
template <typename Entry>
std::vector<Entry> entries(std::string_view table) {
  std::vector<Entry> all;
  for (std::uint64_t at = 0; const auto entry = read<Entry>(table, at); at += sizeof(Entry)) {
    all.push_back(*entry);
  }
  return all;
}

}  // namespace

ElfFile::ElfFile(std::string_view bytes) : bytes_(bytes) {
  header_ = read<Elf64_Ehdr>(bytes, 0);
  const bool is_elf = header_ && std::memcmp(header_->e_ident, ELFMAG, SELFMAG) == 0 &&
                      header_->e_ident[EI_CLASS] == ELFCLASS64;
  if (!is_elf) return;
  for (unsigned i = 0; i < header_->e_shnum; ++i) {
    const auto section = read<Elf64_Shdr>(bytes, header_->e_shoff + i * sizeof(Elf64_Shdr));
    if (section) sections_.push_back(*section);
  }
}

std::string_view ElfFile::name_of(const Elf64_Shdr& section) const {
  return text(header_->e_shstrndx, section.sh_name);
}

std::string_view ElfFile::content(const Elf64_Shdr& section) const {
  const bool absent = section.sh_type == SHT_NOBITS || (section.sh_flags & SHF_COMPRESSED) != 0;
  if (absent || section.sh_offset > bytes_.size()) return {};
  return bytes_.substr(section.sh_offset, section.sh_size);
}

std::string_view ElfFile::text(std::uint64_t section, std::uint64_t offset) const {
  if (section >= sections_.size()) return {};
  const std::string_view all = content(sections_[section]);
  if (offset >= all.size()) return {};
  return all.substr(offset, all.substr(offset).find('\0'));
}

std::string_view ElfFile::section(std::string_view name) const {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(),
                   [&](const Elf64_Shdr& section) { return name_of(section) == name; });
  return found == sections_.end() ? std::string_view() : content(*found);
}

std::vector<std::string_view> ElfFile::libraries() const {
  std::vector<std::string_view> names;
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type != SHT_DYNAMIC) continue;
    for (const auto& entry : entries<Elf64_Dyn>(content(section))) {
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) names.push_back(text(section.sh_link, entry.d_un.d_val));
    }
  }
  return names;
}

}  // namespace warpcheck::runtime
