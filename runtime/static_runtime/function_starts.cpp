#include "runtime/static_runtime/function_starts.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace warpcheck::runtime {
namespace {

/// The section .eh_frame_hdr (Linux Standard Base, Core, 10.6.2). The linkers write these
/// encodings.
struct Header {
  std::uint8_t version;
  std::array<std::uint8_t, 3> encodings;
  std::int32_t frames;
  std::uint32_t count;
};
constexpr std::uint8_t kVersion = 1;
constexpr std::array<std::uint8_t, 3> kEncodings = {
    0x1b,  // DW_EH_PE_pcrel | DW_EH_PE_sdata4
    0x03,  // DW_EH_PE_udata4
    0x3b,  // DW_EH_PE_datarel | DW_EH_PE_sdata4
};

/// Relative to the header.
struct Entry {
  std::int32_t function;
  std::int32_t frame;
};

std::vector<std::uint64_t> starts_in(std::uint64_t section, std::uint64_t bytes) {
  Header header{};
  if (bytes < sizeof header) return {};
  std::memcpy(&header, reinterpret_cast<const void*>(section), sizeof header);
  if (header.version != kVersion || header.encodings != kEncodings) return {};
  if (header.count > (bytes - sizeof header) / sizeof(Entry)) return {};
  const auto* const entries = reinterpret_cast<const Entry*>(section + sizeof header);
  std::vector<std::uint64_t> starts;
  starts.reserve(header.count);
  for (std::uint32_t i = 0; i < header.count; ++i) {
    starts.push_back(section + static_cast<std::uint64_t>(std::int64_t{entries[i].function}));
  }
  return std::is_sorted(starts.begin(), starts.end()) ? starts : std::vector<std::uint64_t>();
}

}  // namespace

std::vector<std::uint64_t> function_starts(const dl_phdr_info& object) {
  const auto* const end = object.dlpi_phdr + object.dlpi_phnum;
  const auto* const segment = std::find_if(
      object.dlpi_phdr, end, [](const auto& one) { return one.p_type == PT_GNU_EH_FRAME; });
  if (segment == end) return {};
  return starts_in(object.dlpi_addr + segment->p_vaddr, segment->p_memsz);
}

}  // namespace warpcheck::runtime
