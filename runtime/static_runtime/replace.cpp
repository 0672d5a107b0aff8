// A program or a library may contain the CUDA runtime (nvcc -cudart static, its default). The code
// of each of its functions is replaced by a jump to the function of the library that `exec`
// preloads: when the program starts, and when the dynamic loader has mapped a further library,
// before its constructors register their fat binaries.
#include <dlfcn.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "runtime/static_runtime/function_starts.hpp"
#include "runtime/static_runtime/layouts.hpp"
#include "runtime/static_runtime/toolkit.hpp"

namespace warpcheck::runtime {
namespace {

/// jmp *0(%rip), and the address.
constexpr std::array<unsigned char, 6> kJump = {0xff, 0x25, 0, 0, 0, 0};
constexpr std::size_t kJumpBytes = kJump.size() + sizeof(std::uint64_t);

void write_jump(std::uint64_t address, const void* target) {
  auto* const code = reinterpret_cast<unsigned char*>(address);
  std::memcpy(code, kJump.data(), kJump.size());
  std::memcpy(code + kJump.size(), &target, sizeof target);
}

/// Calls write() while the code can be written. Not called if the system refuses that.
template <typename Write>
void change_code(std::uint64_t begin, std::uint64_t end, Write write) {
  constexpr std::uint64_t kPageBytes = 4096;
  const std::uint64_t first = begin / kPageBytes * kPageBytes;
  auto* const pages = reinterpret_cast<void*>(first);
  if (mprotect(pages, end - first, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return;
  write();
  mprotect(pages, end - first, PROT_READ | PROT_EXEC);
}

/// The bytes up to the next function.
std::uint64_t room_at(const std::vector<std::uint64_t>& starts, std::uint64_t address) {
  const auto next = std::upper_bound(starts.begin(), starts.end(), address);
  return next == starts.end() ? 0 : *next - address;
}

/// The function of the library that `exec` preloads after this one; null: it has none. The program
/// may export a function of the same name.
const void* own_function(const char* name) { return dlsym(RTLD_NEXT, name); }

void replace_runtime(const dl_phdr_info& object) {
  if (is_toolkit_library(object.dlpi_name)) return;
  const std::vector<std::uint64_t> starts = function_starts(object);
  const std::vector<RuntimeFunction> functions = find_static_runtime(starts);
  if (functions.empty()) return;
  change_code(functions.front().address, functions.back().address + kJumpBytes, [&] {
    for (const RuntimeFunction& function : functions) {
      const void* const own = own_function(function.name);
      if (own == nullptr || room_at(starts, function.address) < kJumpBytes) continue;
      write_jump(function.address, own);
    }
  });
}

std::vector<dl_phdr_info> loaded_objects() {
  std::vector<dl_phdr_info> objects;
  dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* all) {
        static_cast<std::vector<dl_phdr_info>*>(all)->push_back(*object);
        return 0;
      },
      &objects);
  return objects;
}

/// Replaces the runtimes of the objects that were loaded since the last call. The loader calls this
/// while it is locked.
void replace_runtimes() {
  static auto* const known = new std::set<std::uint64_t>();  // addresses of objects
  std::set<std::uint64_t> present;
  for (const dl_phdr_info& object : loaded_objects()) {
    present.insert(object.dlpi_addr);
    if (!known->contains(object.dlpi_addr)) replace_runtime(object);
  }
  *known = std::move(present);
}

/// True for code that returns at once.
bool does_nothing(const unsigned char* code) {
  constexpr std::array<unsigned char, 5> kReturn = {0xf3, 0x0f, 0x1e, 0xfa, 0xc3};  // endbr64; ret
  return *code == kReturn.back() || std::equal(kReturn.begin(), kReturn.end(), code);
}

/// Makes the dynamic loader call replace_runtimes() when it has mapped libraries: it calls a
/// function that does nothing then, for debuggers (r_brk in link.h).
void watch_loader() {
  const std::uint64_t function = _r_debug.r_brk;
  if (!does_nothing(reinterpret_cast<const unsigned char*>(function))) return;
  for (const dl_phdr_info& object : loaded_objects()) {
    const std::vector<std::uint64_t> starts = function_starts(object);
    if (!std::binary_search(starts.begin(), starts.end(), function)) continue;
    if (room_at(starts, function) < kJumpBytes) return;
    change_code(function, function + kJumpBytes,
                [&] { write_jump(function, reinterpret_cast<const void*>(&replace_runtimes)); });
  }
}

/// The library is linked with -z initfirst: this runs before all other constructors.
__attribute__((constructor)) void begin() {
  replace_runtimes();
  watch_loader();
}

}  // namespace
}  // namespace warpcheck::runtime
