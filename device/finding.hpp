// One thing wrong with a kernel: its class, its place, its evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// The same words everywhere: console, JSON, JUnit, SARIF, tests.
enum class FindingClass {
  wrong_result,
  out_of_bounds,
  misaligned,
  uninitialized_read,
  race,
  barrier_divergence,
  deadlock,
  guard_overwritten,
  input_modified,
  nondeterministic,
  illegal_instruction,
  launch_failure,
  timeout,
};

/// "wrong-result", "out-of-bounds" ...
[[nodiscard]] std::string_view name(FindingClass kind);
[[nodiscard]] std::optional<FindingClass> finding_class(std::string_view name);

/// Extent of a grid or block, or a place in one.
struct Dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// "(3, 0, 0)", as findings tell places.
[[nodiscard]] std::string triple(const Dim3& at);

/// A line that calls a function, whose body the compiler put there.
struct CallSite {
  std::string file;
  unsigned line = 0;
};

/// Where in the program: the line of the `.cu` that -lineinfo gives, and the PTX instruction.
struct SourcePlace {
  std::string file;
  unsigned line = 0;        // 0: not known
  std::string instruction;  // the PTX text, "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]"
  unsigned ptx_line = 0;
  std::vector<CallSite> calls = {};  // that lead to the line, the innermost first
  unsigned column = 0;               // of the line, in bytes from 1; 0: not known
  bool from_toolkit = false;  // what stands there comes from one of the CUDA Toolkit's headers
};

/// Whether a file lies where the CUDA Toolkit's headers do: what is inlined from there is not the
/// kernel's author's to mend.
[[nodiscard]] bool is_toolkit_header(std::string_view file);

/// Who in the grid.
struct ThreadPlace {
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
};

/// What in memory. For a global buffer `name` is that of the job's buffer and `offset` counts
/// bytes from its first element; negative before it, >= its extent past it.
struct MemoryPlace {
  std::string name;
  std::ptrdiff_t offset = 0;
  std::size_t bytes = 0;
  bool write = false;
};

/// Of a race: the other of the two accesses.
struct OtherAccess {
  SourcePlace source;
  ThreadPlace thread;
  bool write = false;
};

struct Finding {
  FindingClass kind = FindingClass::wrong_result;
  std::string message;  // one sentence with the numbers found and expected; lower case, no period
  SourcePlace source;
  std::optional<ThreadPlace> thread;
  std::optional<MemoryPlace> memory;
  std::optional<OtherAccess> other;  // of a race: the access that came first
  bool benign = false;      // of a race: both threads write the same value. Told, but no failure
  std::uint64_t count = 1;  // how often it was met; of a race, the accesses that met at its places
};

/// Whether two findings are sights of one: races where their accesses stand on the same two lines,
/// whichever came first; other findings where class and instruction are the same.
[[nodiscard]] bool same_places(const Finding& one, const Finding& other);

}  // namespace warpcheck
