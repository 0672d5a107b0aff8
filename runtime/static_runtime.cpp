#include "runtime/static_runtime.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/cuda_api.hpp"
#include "runtime/fatbin/elf_file.hpp"

namespace warpcheck::runtime {
namespace {

/// A file that is mapped while this exists.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      void* const first = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (first != MAP_FAILED) first_ = static_cast<const char*>(first);
    }
    if (file >= 0) close(file);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (first_ != nullptr) munmap(const_cast<char*>(first_), size_);
  }

  [[nodiscard]] std::string_view bytes() const {
    return first_ == nullptr ? std::string_view() : std::string_view(first_, size_);
  }

 private:
  const char* first_ = nullptr;
  std::size_t size_ = 0;
};

/// jmp *0(%rip), and the address.
constexpr unsigned char kJump[] = {0xff, 0x25, 0, 0, 0, 0};
constexpr std::size_t kJumpBytes = sizeof kJump + sizeof(std::uint64_t);
constexpr std::uint64_t kAlignment = 16;  // alignment of functions; the bytes up to it are unused

bool replace(std::uint64_t address, const void* target) {
  constexpr std::uint64_t kPageBytes = 4096;
  const std::uint64_t first = address / kPageBytes * kPageBytes;
  auto* const pages = reinterpret_cast<void*>(first);
  const std::size_t bytes = address + kJumpBytes - first;
  if (mprotect(pages, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  auto* const code = reinterpret_cast<unsigned char*>(address);
  std::memcpy(code, kJump, sizeof kJump);
  std::memcpy(code + sizeof kJump, &target, sizeof target);
  return mprotect(pages, bytes, PROT_READ | PROT_EXEC) == 0;
}

/// True if the object contains the runtime of the version that this library replaces: the short
/// function that cudaRuntimeGetVersion() calls returns the constant.
bool has_runtime(const std::vector<ElfSymbol>& functions, std::uint64_t base) {
  constexpr std::uint64_t kShort = 128;
  constexpr std::uint32_t kVersion = CUDART_VERSION;
  const std::string_view version(reinterpret_cast<const char*>(&kVersion), sizeof kVersion);
  return std::any_of(functions.begin(), functions.end(), [&](const ElfSymbol& one) {
    if (!one.name.starts_with("libcudart_static_") || one.bytes > kShort) return false;
    const std::string_view code(reinterpret_cast<const char*>(base + one.value), one.bytes);
    return code.find(version) != std::string_view::npos;
  });
}

/// The functions of libraries that register their fat binaries.
std::vector<void (*)()>& registrations() {
  static auto* const all = new std::vector<void (*)()>();
  return *all;
}

void replace_runtime(const char* path, std::uint64_t base, void* library) {
  const MappedFile file(path);
  const std::vector<ElfSymbol> functions = ElfFile(file.bytes()).functions();
  if (!has_runtime(functions, base)) return;
  for (const ElfSymbol& function : functions) {
    if (function.name.find("__sti____cudaRegisterAll") != std::string_view::npos) {
      registrations().push_back(reinterpret_cast<void (*)()>(base + function.value));
    }
    if (!function.name.starts_with("cuda") && !function.name.starts_with("__cuda")) continue;
    const std::uint64_t room = (function.bytes + kAlignment - 1) / kAlignment * kAlignment;
    const void* const own = dlsym(library, std::string(function.name).c_str());
    if (own == nullptr || room < kJumpBytes || function.value % kAlignment != 0) continue;
    if (!replace(base + function.value, own)) return;
  }
}

struct Objects {
  void* library = nullptr;  // this one
  std::uint64_t own_base = 0;
};

int visit(dl_phdr_info* info, std::size_t, void* data) {
  const auto& objects = *static_cast<const Objects*>(data);
  if (info->dlpi_addr == objects.own_base) return 0;
  const bool is_program = *info->dlpi_name == '\0';
  replace_runtime(is_program ? "/proc/self/exe" : info->dlpi_name, info->dlpi_addr,
                  objects.library);
  return 0;
}

__attribute__((constructor)) void replace_static_runtimes() {
  Dl_info own{};
  dladdr(reinterpret_cast<void*>(&replace_static_runtimes), &own);
  Objects objects{dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD),
                  reinterpret_cast<std::uint64_t>(own.dli_fbase)};
  if (objects.library != nullptr) dl_iterate_phdr(&visit, &objects);
}

}  // namespace

bool register_again() {
  const std::vector<void (*)()> all = std::exchange(registrations(), {});
  for (void (*const one)() : all) one();
  return !all.empty();
}

}  // namespace warpcheck::runtime
