#include "device/virtual/machine/memory/sparse_bytes.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/diagnostic.hpp"

namespace warpcheck::machine {
namespace {

// Larger sizes get a separate mapping: its pages need no memset, and no limit on overcommitted
// memory refuses it.
constexpr std::size_t kMapped = std::size_t{1} << 20;

constexpr std::byte kZero{};

/// Maps zeros at `place`, or anywhere if it is null. Null if the system refuses.
std::byte* map(std::byte* place, std::size_t size) {
  const int fixed = place != nullptr ? MAP_FIXED_NOREPLACE : 0;
  void* const first = mmap(place, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  return first == MAP_FAILED ? nullptr : static_cast<std::byte*>(first);
}

/// A file in memory whose bytes are 0xff. A private mapping of it copies a page when it is written.
class OnesFile {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 24;

  OnesFile() : file_(memfd_create("ones", MFD_CLOEXEC)) {
    if (file_ < 0 || ftruncate(file_, kBytes) != 0) refuse();
    void* const bytes = mmap(nullptr, kBytes, PROT_WRITE, MAP_SHARED, file_, 0);
    if (bytes == MAP_FAILED) refuse();
    std::memset(bytes, 0xff, kBytes);
    munmap(bytes, kBytes);
  }

  /// Replaces the mapping of the `size` bytes at `first`.
  void map_at(std::byte* first, std::size_t size) const {
    for (std::size_t at = 0; at < size; at += kBytes) {
      void* const mapped = mmap(first + at, std::min(kBytes, size - at), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file_, 0);
      if (mapped == MAP_FAILED) refuse();
    }
  }

 private:
  [[noreturn]] static void refuse() {
    throw EnvironmentError("the system has no memory for the variables of the module");
  }

  int file_;
};

}  // namespace

SparseBytes::SparseBytes(std::size_t size) : size_(size) {
  if (size == 0) return;
  const bool mapped = size >= kMapped;
  std::byte* const first =
      mapped ? map(nullptr, size)
             : static_cast<std::byte*>(std::calloc(size, 1));  // NOLINT: zeros without a memset
  if (first == nullptr) throw std::bad_alloc();
  first_ = {first, Release{size, mapped}};
}

SparseBytes SparseBytes::zeros_at(std::uint64_t address, std::size_t size) {
  SparseBytes bytes;
  bytes.size_ = size;
  if (size == 0) return bytes;
  auto* const place = reinterpret_cast<std::byte*>(address);
  std::byte* const first = map(place, size);
  if (first == nullptr) throw std::bad_alloc();
  bytes.first_ = {first, Release{size, true}};
  if (first != place) throw std::bad_alloc();  // kernels before 4.17 choose another address
  return bytes;
}

SparseBytes SparseBytes::ones(std::size_t size) {
  SparseBytes bytes(size);
  if (size < kMapped) {
    if (size != 0) std::memset(bytes.data(), 0xff, size);
  } else {
    static const OnesFile file;
    file.map_at(bytes.data(), size);
  }
  return bytes;
}

SparseBytes SparseBytes::from_file(int file, std::size_t offset, std::size_t size) {
  void* const first = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file,
                           static_cast<off_t>(offset));
  if (first == MAP_FAILED) throw EnvironmentError("the system cannot map memory of a process");
  SparseBytes bytes;
  bytes.size_ = size;
  bytes.first_ = {static_cast<std::byte*>(first), Release{size, true}};
  return bytes;
}

void SparseBytes::share(std::span<std::byte* const> places, std::size_t size) {
  const int file = memfd_create("shared", MFD_CLOEXEC);
  bool done = file >= 0 && ftruncate(file, static_cast<off_t>(size)) == 0;
  for (std::size_t at = 0; at < size && done; at += kMapped) {
    const std::size_t count = std::min(kMapped, size - at);
    const std::byte* const from = places.front() + at;
    const bool zeros = std::all_of(from, from + count, [](std::byte one) { return one == kZero; });
    done =
        zeros || pwrite(file, from, count, static_cast<off_t>(at)) == static_cast<ssize_t>(count);
  }
  for (std::byte* const place : places) {
    done =
        done && mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == place;
  }
  if (file >= 0) close(file);
  if (!done) throw EnvironmentError("the system has no memory for bytes at two addresses");
}

void SparseBytes::unshare(std::byte* place, std::size_t size) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  if (mmap(place, size, PROT_READ | PROT_WRITE, flags, -1, 0) != place) {
    throw EnvironmentError("the system has no memory for a mapping");
  }
}

void SparseBytes::Release::operator()(std::byte* first) const {
  if (mapped) {
    munmap(first, size);
  } else {
    std::free(first);  // NOLINT(cppcoreguidelines-no-malloc)
  }
}

}  // namespace warpcheck::machine
