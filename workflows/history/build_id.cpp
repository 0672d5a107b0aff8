#include "workflows/history/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <cstring>

namespace warpcheck::workflows::history {
namespace {

std::size_t padded(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::string hexadecimal(const char* bytes, std::size_t count) {
  std::string digits;
  for (std::size_t i = 0; i < count; ++i) {
    digits += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return digits;
}

/// The first reported object is the program itself, so the iteration stops after it.
int read_notes(dl_phdr_info* program, std::size_t /*size*/, void* result) {
  for (std::size_t i = 0; i < program->dlpi_phnum; ++i) {
    const auto& segment = program->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const char*>(program->dlpi_addr + segment.p_vaddr);
    const char* const end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* const name = at + sizeof note;
      const char* const content = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID && std::memcmp(name, "GNU", 4) == 0) {
        *static_cast<std::string*>(result) = hexadecimal(content, note.n_descsz);
        return 1;
      }
      at = content + padded(note.n_descsz);
    }
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string digits;
  dl_iterate_phdr(read_notes, &digits);
  return digits.empty() ? WARPCHECK_VERSION : WARPCHECK_VERSION " " + digits;
}

}  // namespace warpcheck::workflows::history
