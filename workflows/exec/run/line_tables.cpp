#include "workflows/exec/run/line_tables.hpp"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace warpcheck::workflows::exec {
namespace {

// DWARF 5, table 7.27 and section 7.5.6.
constexpr std::uint64_t kPath = 1;
constexpr std::uint64_t kDirectoryIndex = 2;
constexpr std::uint64_t kFormData2 = 0x05;
constexpr std::uint64_t kFormData4 = 0x06;
constexpr std::uint64_t kFormData8 = 0x07;
constexpr std::uint64_t kFormString = 0x08;
constexpr std::uint64_t kFormData1 = 0x0b;
constexpr std::uint64_t kFormStrp = 0x0e;
constexpr std::uint64_t kFormUdata = 0x0f;
constexpr std::uint64_t kFormData16 = 0x1e;
constexpr std::uint64_t kFormLineStrp = 0x1f;

std::string_view text_at(std::string_view section, std::uint64_t offset) {
  if (offset >= section.size()) return {};
  return section.substr(offset, section.substr(offset).find('\0'));
}

/// Reads a section from its start on. Beyond its end, everything is 0, and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return bytes_.empty(); }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size()) ok_ = false;
    const std::string_view taken = bytes_.substr(0, ok_ ? count : 0);
    bytes_.remove_prefix(taken.size());
    return taken;
  }
  template <typename Value>
  Value take() {
    Value value{};
    const std::string_view taken = take(sizeof value);
    if (taken.size() == sizeof value) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }
  std::uint64_t take_uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && ok_; shift += 7) {
      const auto byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  std::string_view take_text() {
    const std::string_view text = bytes_.substr(0, bytes_.find('\0'));
    take(text.size() + 1);
    return text;
  }
  void fail() { ok_ = false; }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

struct Entry {
  std::string_view path;
  std::uint64_t directory = 0;
};

class UnitHeader {
 public:
  UnitHeader(const runtime::ElfFile& object, Reader unit) : object_(object), unit_(unit) {
    constexpr unsigned kVersion = 5;
    if (unit_.take<std::uint16_t>() != kVersion) return;
    unit_.take(2 + 4 + 5);  // sizes, the header's length, and the parameters of the line program
    const auto opcodes = unit_.take<std::uint8_t>();
    unit_.take(opcodes == 0 ? 0U : opcodes - 1U);
    directories_ = take_entries();
    files_ = take_entries();
  }

  [[nodiscard]] std::string path(std::size_t file) const {
    if (!unit_.ok() || file >= files_.size()) return {};
    const Entry& entry = files_[file];
    if (entry.path.starts_with('/') || entry.directory >= directories_.size()) {
      return std::string(entry.path);
    }
    std::string folder(directories_[entry.directory].path);
    if (!folder.starts_with('/') && !directories_.empty()) {
      folder = std::string(directories_.front().path) + '/' + folder;
    }
    return folder + '/' + std::string(entry.path);
  }

 private:
  std::vector<Entry> take_entries() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format(unit_.take<std::uint8_t>());
    for (auto& [content, form] : format) {
      content = unit_.take_uleb();
      form = unit_.take_uleb();
    }
    std::vector<Entry> entries;
    const std::uint64_t count = unit_.take_uleb();
    for (std::uint64_t i = 0; i < count && unit_.ok(); ++i) {
      Entry& entry = entries.emplace_back();
      for (const auto& [content, form] : format) take_value(content, form, entry);
    }
    return entries;
  }

  void take_value(std::uint64_t content, std::uint64_t form, Entry& entry) {
    std::string_view text;
    std::uint64_t number = 0;
    switch (form) {
      case kFormString:
        text = unit_.take_text();
        break;
      case kFormLineStrp:
        text = text_at(object_.section(".debug_line_str"), unit_.take<std::uint32_t>());
        break;
      case kFormStrp:
        text = text_at(object_.section(".debug_str"), unit_.take<std::uint32_t>());
        break;
      case kFormUdata:
        number = unit_.take_uleb();
        break;
      case kFormData1:
        number = unit_.take<std::uint8_t>();
        break;
      case kFormData2:
        number = unit_.take<std::uint16_t>();
        break;
      case kFormData4:
        number = unit_.take<std::uint32_t>();
        break;
      case kFormData8:
        number = unit_.take<std::uint64_t>();
        break;
      case kFormData16:
        unit_.take(16);
        break;
      default:
        unit_.fail();
    }
    if (content == kPath) entry.path = text;
    if (content == kDirectoryIndex) entry.directory = number;
  }

  const runtime::ElfFile& object_;
  Reader unit_;
  std::vector<Entry> directories_;
  std::vector<Entry> files_;
};

}  // namespace

std::optional<std::string> first_file_of_unit(const runtime::ElfFile& object,
                                              std::string_view primary) {
  constexpr std::uint32_t kLongFormat = 0xffffffff;  // marker of a unit in the 64-bit DWARF format
  Reader section(object.section(".debug_line"));
  while (!section.at_end() && section.ok()) {
    const auto bytes = section.take<std::uint32_t>();
    if (bytes == kLongFormat) return std::nullopt;
    const UnitHeader unit(object, Reader(section.take(bytes)));
    if (unit.path(0) == primary) return unit.path(1);
  }
  return std::nullopt;
}

}  // namespace warpcheck::workflows::exec
