#include "runtime/fatbin/fatbin.hpp"

#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "base/diagnostic.hpp"

namespace warpcheck::runtime {
namespace {

constexpr std::uint32_t kContainerMagic = 0xba55ed50;
constexpr std::uint64_t kCompressedLz4 = 0x2000;
constexpr std::uint64_t kCompressedZstd = 0x8000;
constexpr std::uint64_t kMostPtxBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostLz4Ratio = 256;  // no LZ4 block expands more

struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // size of the entries that follow the header
};
static_assert(sizeof(ContainerHeader) == 16);

/// The first bytes of each entry; its header may be longer.
struct EntryHeader {
  std::uint16_t kind;  // 1: PTX; 2: machine code
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t padded_bytes;  // size of the payload that follows the header
  std::uint32_t compressed_bytes;
  std::uint32_t options_offset;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t architecture;
  std::uint32_t name_offset;
  std::uint32_t name_bytes;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t uncompressed_bytes;
};
static_assert(sizeof(EntryHeader) == 64);

enum class ImageKind : std::uint8_t { ptx, machine_code, other };

/// One entry of a fat binary. Refers to the bytes of the container.
struct FatImage {
  ImageKind kind = ImageKind::other;
  unsigned architecture = 0;  // 80: compute_80 or sm_80
  std::uint64_t flags = 0;
  std::span<const std::byte> payload;   // compressed as `flags` states
  std::uint64_t uncompressed_size = 0;  // bytes; 0: the payload is not compressed
};

template <typename Header>
Header read_header(std::span<const std::byte> bytes) {
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  return header;
}

InputError damaged(std::string_view reason) {
  return request_error(fmt::format("the program's fat binary is damaged: {}", reason));
}

ImageKind kind_of(const EntryHeader& header) {
  if (header.kind == 1) return ImageKind::ptx;
  return header.kind == 2 ? ImageKind::machine_code : ImageKind::other;
}

std::span<const std::byte> payload_of(const EntryHeader& header, std::span<const std::byte> entry) {
  const auto payload = entry.subspan(header.header_bytes, header.padded_bytes);
  if (header.compressed_bytes == 0) return payload;
  if (header.compressed_bytes > payload.size()) {
    throw damaged(fmt::format("an entry of {} bytes states {} compressed bytes", payload.size(),
                              header.compressed_bytes));
  }
  return payload.first(header.compressed_bytes);
}

/// True if a payload of this size can expand to the stated size, which is allocated in advance.
bool is_plausible(const FatImage& image) {
  if (image.uncompressed_size > kMostPtxBytes) return false;
  if ((image.flags & kCompressedZstd) == 0) {
    return image.uncompressed_size <= kMostLz4Ratio * image.payload.size();
  }
  const auto size = ZSTD_getFrameContentSize(image.payload.data(), image.payload.size());
  return size == image.uncompressed_size || size == ZSTD_CONTENTSIZE_UNKNOWN;
}

std::string decompressed(const FatImage& image) {
  if (!is_plausible(image)) {
    throw damaged(fmt::format("an entry of {} bytes states {} bytes of PTX", image.payload.size(),
                              image.uncompressed_size));
  }
  std::string text(image.uncompressed_size, '\0');
  if ((image.flags & kCompressedZstd) != 0) {
    const std::size_t size =
        ZSTD_decompress(text.data(), text.size(), image.payload.data(), image.payload.size());
    if (ZSTD_isError(size) != 0 || size != text.size()) throw damaged("zstd rejects its PTX");
    return text;
  }
  const int size =
      LZ4_decompress_safe(reinterpret_cast<const char*>(image.payload.data()), text.data(),
                          static_cast<int>(image.payload.size()), static_cast<int>(text.size()));
  if (size < 0 || static_cast<std::size_t>(size) != text.size()) {
    throw damaged("LZ4 rejects its PTX");
  }
  return text;
}

/// True if PTX for `one` suits a device better than PTX for `other`.
bool is_better(unsigned one, unsigned other, unsigned architecture) {
  const bool one_fits = one <= architecture;
  if (one_fits != (other <= architecture)) return one_fits;
  return one_fits ? one > other : one < other;
}

/// Returns the architecture of the newest machine code that a device executes: of the same major
/// version, and not newer than the device (CUDA C++ Programming Guide, binary compatibility).
/// Returns the largest number if there is none.
unsigned newest_code(const std::vector<FatImage>& images, unsigned architecture) {
  unsigned newest = 0;
  for (const FatImage& image : images) {
    const bool fits =
        image.architecture / 10 == architecture / 10 && image.architecture <= architecture;
    if (image.kind == ImageKind::machine_code && fits) {
      newest = std::max(newest, image.architecture);
    }
  }
  return newest == 0 ? std::numeric_limits<unsigned>::max() : newest;
}

InputError without_ptx(const std::vector<FatImage>& images) {
  std::set<unsigned> architectures;
  for (const FatImage& image : images) {
    if (image.kind == ImageKind::machine_code) architectures.insert(image.architecture);
  }
  if (architectures.empty()) return request_error("the program's fat binary has no PTX");
  std::string found;
  for (const unsigned architecture : architectures) {
    found += fmt::format("{}sm_{}", found.empty() ? "" : ", ", architecture);
  }
  return request_error(
      fmt::format("the program contains machine code for {0} but no PTX, which warpcheck executes: "
                  "add -gencode arch=compute_{1},code=compute_{1} to the options of nvcc",
                  found, *architectures.begin()));
}

/// The entries of a container. Throws InputError if the bytes are not a complete container.
std::vector<FatImage> read_images(std::span<const std::byte> container) {
  const std::optional<std::uint64_t> size = container_size(container);
  if (!size) throw damaged("it does not begin with the header of a container");
  if (*size > container.size()) {
    throw damaged(fmt::format("it states {} bytes, and has {}", *size, container.size()));
  }
  std::span<const std::byte> rest = container.first(*size);
  rest = rest.subspan(read_header<ContainerHeader>(container).header_bytes);
  std::vector<FatImage> images;
  while (!rest.empty()) {
    if (rest.size() < sizeof(EntryHeader)) throw damaged("the header of an entry is incomplete");
    const auto header = read_header<EntryHeader>(rest);
    if (header.header_bytes < sizeof(EntryHeader) || header.header_bytes > rest.size() ||
        header.padded_bytes > rest.size() - header.header_bytes) {
      throw damaged("an entry is longer than the container");
    }
    images.push_back({kind_of(header), header.architecture, header.flags, payload_of(header, rest),
                      header.uncompressed_bytes});
    rest = rest.subspan(header.header_bytes + header.padded_bytes);
  }
  return images;
}

/// The text of an image of kind `ptx`. Throws InputError if it cannot be decompressed.
std::string ptx_text(const FatImage& image) {
  std::string text;
  if ((image.flags & (kCompressedLz4 | kCompressedZstd)) != 0) {
    text = decompressed(image);
  } else {
    text.assign(reinterpret_cast<const char*>(image.payload.data()), image.payload.size());
  }
  text.resize(std::strlen(text.c_str()));  // the text ends before the padding
  return text;
}

}  // namespace

std::optional<std::uint64_t> container_size(std::span<const std::byte> header) {
  if (header.size() < sizeof(ContainerHeader)) return std::nullopt;
  const auto container = read_header<ContainerHeader>(header);
  if (container.magic != kContainerMagic) return std::nullopt;
  if (container.header_bytes < sizeof(ContainerHeader)) return std::nullopt;
  if (container.bytes > SIZE_MAX - container.header_bytes) return std::nullopt;
  return container.header_bytes + container.bytes;
}

EmbeddedPtx best_ptx(std::span<const std::byte> container, unsigned architecture) {
  const std::vector<FatImage> images = read_images(container);
  const FatImage* best = nullptr;
  for (const FatImage& image : images) {
    if (image.kind != ImageKind::ptx) continue;
    if (best == nullptr || is_better(image.architecture, best->architecture, architecture)) {
      best = &image;
    }
  }
  if (best == nullptr) throw without_ptx(images);
  return {ptx_text(*best), std::min(best->architecture, newest_code(images, architecture))};
}

}  // namespace warpcheck::runtime
