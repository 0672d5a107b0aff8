#include "base/build_id.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

namespace warpcheck {
namespace {

constexpr std::size_t kNoteAlignment = 4;

std::size_t aligned(std::size_t bytes) {
  return (bytes + kNoteAlignment - 1) / kNoteAlignment * kNoteAlignment;
}

/// The build ID among the notes of a segment.
std::string build_id_in(std::string_view notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    const std::size_t name_bytes = aligned(note.n_namesz);
    const std::size_t bytes = name_bytes + aligned(note.n_descsz);
    if (bytes > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID &&
        notes.substr(0, note.n_namesz) == std::string_view("GNU", 4)) {
      std::string digits;
      for (const char byte : notes.substr(name_bytes, note.n_descsz)) {
        digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
      }
      return digits;
    }
    notes.remove_prefix(bytes);
  }
  return {};
}

/// The first object is the program. Returns 1, which ends the iteration.
int read_program(dl_phdr_info* program, std::size_t /*bytes*/, void* result) {
  for (const ElfW(Phdr) & segment : std::span(program->dlpi_phdr, program->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    // The loader states the address of a segment as a number.
    const auto* const notes = reinterpret_cast<const char*>(program->dlpi_addr + segment.p_vaddr);
    std::string id = build_id_in({notes, segment.p_memsz});
    if (!id.empty()) *static_cast<std::string*>(result) = std::move(id);
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string id;
  dl_iterate_phdr(read_program, &id);
  return id;
}

}  // namespace warpcheck
