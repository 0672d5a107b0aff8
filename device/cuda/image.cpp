#include "device/cuda/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

namespace warpcheck::device::cuda {
namespace {

constexpr std::size_t kAlignment = 256;  // the alignment that cuMemAlloc guarantees
constexpr std::size_t kLeastGuard = std::size_t{4} << 10;
constexpr std::size_t kMostGuard = std::size_t{1} << 20;

constexpr std::size_t round_up(std::size_t value) {
  return (value + kAlignment - 1) / kAlignment * kAlignment;
}

/// One page of the pattern, repeated over the image. Every half-word is 0xFFF0 | x with x in 1..15:
/// a NaN as f16 and bf16, and part of a NaN as aligned f32 or f64, so that a kernel that reads a
/// guard computes NaN. The half-words differ, so that copying one part of a guard to another is
/// detected.
constexpr std::array<std::byte, 4096> make_pattern() {
  std::array<std::byte, 4096> pattern{};
  for (std::size_t i = 0; i < pattern.size(); i += 2) {
    pattern[i] = static_cast<std::byte>(0xF0 | (1 + (i / 2 + i / 64) % 15));
    pattern[i + 1] = std::byte{0xFF};
  }
  return pattern;
}
constexpr std::array<std::byte, 4096> kPattern = make_pattern();

void fill_guard(std::span<std::byte> image, std::size_t begin, std::size_t end) {
  while (begin < end) {
    const std::size_t phase = begin % kPattern.size();
    const std::size_t count = std::min(end - begin, kPattern.size() - phase);
    std::memcpy(image.data() + begin, kPattern.data() + phase, count);
    begin += count;
  }
}

struct Damage {
  std::size_t first = 0;  // offset of the first changed byte in the image
  std::size_t last = 0;
  std::size_t bytes = 0;
};

void inspect_guard(std::span<const std::byte> image, std::size_t begin, std::size_t end,
                   Damage& damage) {
  while (begin < end) {
    const std::size_t phase = begin % kPattern.size();
    const std::size_t count = std::min(end - begin, kPattern.size() - phase);
    if (std::memcmp(image.data() + begin, kPattern.data() + phase, count) != 0) {
      for (std::size_t i = 0; i < count; ++i) {
        if (image[begin + i] == kPattern[phase + i]) continue;
        if (damage.bytes == 0) damage.first = begin + i;
        damage.last = begin + i;
        ++damage.bytes;
      }
    }
    begin += count;
  }
}

Finding finding(FindingClass kind, const Buffer& buffer, std::ptrdiff_t offset, std::size_t bytes,
                std::string message) {
  Finding result;
  result.kind = kind;
  result.message = std::move(message);
  result.memory = MemoryPlace{buffer.name, offset, bytes, true};
  return result;
}

}  // namespace

Layout place(std::span<const Buffer> buffers) {
  Layout layout;
  for (const Buffer& buffer : buffers) {
    const std::size_t extent = buffer.extent.bytes();
    if (buffer.bytes.size() != extent) {
      throw std::invalid_argument(fmt::format("buffer {} has {} bytes, but its extent has {}",
                                              buffer.name, buffer.bytes.size(), extent));
    }
    std::size_t distance = 0;  // the longest from one row, or slice, to the next
    for (const Extent::Level& level : buffer.extent.levels) {
      distance = std::max(distance, level.bytes);
    }
    const std::size_t guard = std::clamp(2 * distance, kLeastGuard, kMostGuard);
    Placement placement;
    placement.guard_begin = layout.bytes;
    placement.begin = round_up(layout.bytes + guard) + buffer.shift_bytes;
    placement.end = placement.begin + extent;
    placement.guard_end = round_up(placement.end + guard);
    layout.bytes = placement.guard_end;
    layout.buffers.push_back(placement);
  }
  return layout;
}

void fill(std::span<std::byte> image, const Layout& layout, std::span<const Buffer> buffers) {
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Placement& at = layout.buffers[i];
    fill_guard(image, at.guard_begin, at.begin);
    const auto& bytes = buffers[i].bytes;
    if (!bytes.empty()) std::memcpy(image.data() + at.begin, bytes.data(), bytes.size());
    fill_guard(image, at.end, at.guard_end);
  }
}

std::vector<Finding> verify(std::span<const std::byte> image, const Layout& layout,
                            std::span<const Buffer> buffers) {
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    const Placement& at = layout.buffers[i];
    Damage damage;
    inspect_guard(image, at.guard_begin, at.begin, damage);
    inspect_guard(image, at.end, at.guard_end, damage);
    if (damage.bytes != 0) {
      const auto base = static_cast<std::ptrdiff_t>(at.begin);
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(damage.first) - base;
      const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(damage.last) - base;
      findings.push_back(finding(
          FindingClass::guard_overwritten, buffer, first, damage.bytes,
          fmt::format("{} bytes around {} overwritten, first at byte {}, last at byte {}; {} has "
                      "{} bytes",
                      damage.bytes, buffer.name, first, last, buffer.name, buffer.bytes.size())));
    }
    if (buffer.access != Access::read_only) continue;
    const auto now = image.subspan(at.begin, buffer.bytes.size());
    if (now.empty() || std::memcmp(now.data(), buffer.bytes.data(), now.size()) == 0) continue;
    const auto changed = std::ranges::mismatch(now, buffer.bytes);
    const std::ptrdiff_t offset = changed.in1 - now.begin();
    findings.push_back(finding(
        FindingClass::input_modified, buffer, offset, 1,
        fmt::format("read-only {} was changed, first at byte {}: found 0x{:02x}, expected 0x{:02x}",
                    buffer.name, offset, std::to_integer<unsigned>(*changed.in1),
                    std::to_integer<unsigned>(*changed.in2))));
  }
  return findings;
}

std::vector<std::vector<std::byte>> contents(std::span<const std::byte> image,
                                             const Layout& layout) {
  std::vector<std::vector<std::byte>> buffers;
  for (const Placement& at : layout.buffers) {
    buffers.emplace_back(image.begin() + static_cast<std::ptrdiff_t>(at.begin),
                         image.begin() + static_cast<std::ptrdiff_t>(at.end));
  }
  return buffers;
}

}  // namespace warpcheck::device::cuda
