// Finding: one defect of a kernel with its class, place and evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/instruction_facts.hpp"

namespace warpcheck {

/// The names are the same in all reports: console, JSON, JUnit, SARIF.
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
  invalid_call,
  use_after_free,
  api_misuse,  // the host calls the CUDA API wrongly
  leak,        // device memory that the program does not free
};
inline constexpr FindingClass kLastFindingClass = FindingClass::leak;

/// "wrong-result", "out-of-bounds" ...
[[nodiscard]] std::string_view name(FindingClass kind);
[[nodiscard]] std::optional<FindingClass> finding_class(std::string_view name);

/// How serious a finding is. All grades but `failure` are notes: the kernel may work as it is.
enum class Grade : std::uint8_t {
  failure,
  same_value,          // a race of two writes of the same value
  relaxed_order,       // a race, ordered only by an atomic that no fence follows
  volatile_order,      // volatile accesses without any order between them
  exited_threads,      // a barrier that completes without threads that have exited
  declared_alignment,  // an access that is wider than the declared alignment of its variable
  launch_limit,        // a grid that no launch allows, in a case that `requires` does not mention
  index_width,         // an index of 32 bits that overflows in matrices larger than those of cases
  compared_read,       // a race of a read whose value a compare-and-swap checks
  library_lanes,       // lanes of one store of a library that write different values to one place
  different_barriers,  // a barrier that completes while its threads wait at different instructions
};

/// "failure", "same-value", "relaxed-order" ...
[[nodiscard]] std::string_view name(Grade grade);
[[nodiscard]] std::optional<Grade> grade(std::string_view name);

/// The notes that are failures for this user.
struct Strictness {
  bool races = false;     // same_value, relaxed_order, compared_read, library_lanes
  bool barriers = false;  // exited_threads, different_barriers

  friend bool operator==(const Strictness&, const Strictness&) = default;
};

[[nodiscard]] bool is_note(Grade grade, const Strictness& strict);

/// An option of the user that decides whether a launch is executed, or whether a failure is
/// reported: a limit of device::Limits, the option that generates cases with grids that no launch
/// allows, or the one that makes volatile accesses race.
enum class UserOption : std::uint8_t {
  none,
  instructions,
  blocks,
  memory,
  strict_launch,
  weak_volatile,
};
inline constexpr UserOption kLastUserOption = UserOption::weak_volatile;

/// Extent of a grid or block, or a place in one.
struct Dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// "(3, 0, 0)": the spelling in messages of findings.
[[nodiscard]] std::string triple(const Dim3& at);

/// A line that calls a function whose body the compiler inlined there.
struct CallSite {
  std::string file;
  unsigned line = 0;

  friend bool operator==(const CallSite&, const CallSite&) = default;
};

/// A place in the program: the line of the `.cu` from -lineinfo, and the PTX instruction.
struct SourcePlace {
  std::string file;
  unsigned line = 0;        // 0: unknown
  std::string instruction;  // the PTX text, "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4]"
  unsigned ptx_line = 0;
  std::vector<CallSite> calls = {};  // calls of the inlined functions, the innermost first
  unsigned column = 0;               // column in the line, in bytes from 1; 0: unknown
  bool from_library = false;  // the instruction comes from library code that was inlined here
  device::InstructionFacts facts = {};  // facts about `instruction`

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// True for headers of the CUDA Toolkit and modules of Triton's language, which their folder
/// identifies. The author of a kernel does not change code that is inlined from there.
[[nodiscard]] bool is_library_code(std::string_view file);

/// A thread of a grid.
struct ThreadPlace {
  Dim3 block{0, 0, 0};
  Dim3 thread{0, 0, 0};
};

/// A place in memory. For a global buffer, `name` is the name of the job's buffer and `offset` is
/// in bytes from its first element: negative before the buffer, at least its extent past the end.
struct MemoryPlace {
  std::string name;
  std::ptrdiff_t offset = 0;
  std::size_t bytes = 0;
  bool write = false;
  std::optional<std::uint64_t> extent = {};  // bytes of the buffer; empty: unknown
};

/// The first access of a race.
struct OtherAccess {
  SourcePlace source;
  ThreadPlace thread;
  bool write = false;
};

/// The order that the two accesses of a race lack.
struct MissingOrder {
  enum class Kind : std::uint8_t {
    none,     // both accesses are of one instruction, whose lanes have no order
    barrier,  // a barrier between the threads of a block
    fence,    // a fence after the atomic between the accesses
    release,  // a release and an acquire between two blocks
    wait,     // a wait for the asynchronous copy that is the first access
    // A launch by a thread, or a stream of the device, that orders two grids.
    launch,
    different_barriers,      // the threads wait at different barriers
    barrier_before_release,  // a barrier between the first access and the release by another thread
    barrier_after_acquire,  // a barrier between the acquire by another thread and the second access
  };

  Kind kind = Kind::none;
  bool exchanged = false;       // barrier: the program has the second access before the first one
  bool next_iteration = false;  // barrier: the later access is in the next iteration of a loop
  bool within_warp = false;     // both threads belong to one warp
  std::vector<SourcePlace> at = {};  // the different barriers; the release or acquire, if known

  friend bool operator==(const MissingOrder&, const MissingOrder&) = default;
};

/// A lane whose value a shuffle reads although the lane does not take part in the shuffle.
struct AbsentLane {
  enum class Reason : std::uint8_t { not_in_mask, no_thread, exited };

  unsigned lane = 0;
  Reason reason = Reason::not_in_mask;

  friend bool operator==(const AbsentLane&, const AbsentLane&) = default;
};

/// The origin of an undefined value.
struct Origin {
  SourcePlace source;                 // the first instruction whose result was undefined
  std::optional<MemoryPlace> memory;  // memory that the instruction loaded; empty: it is not a load
  bool written = false;               // a thread may have stored to this memory before
  std::optional<AbsentLane> lane = {};  // lane from which the shuffle `source` read
};

/// An integer that did not fit into its type, and from which the address of an access was computed.
struct IndexOverflow {
  SourcePlace source;         // the instruction whose result did not fit
  unsigned bits = 32;         // width of the instruction's type
  bool is_signed = false;     // the address computation used the value as a signed integer
  SourcePlace access;         // instruction that accesses memory
  MemoryPlace memory;         // accessed memory
  std::ptrdiff_t offset = 0;  // byte offset of the access without the overflow, in the same buffer
};

/// The event for which threads wait.
struct WaitEvent {
  enum class Kind : std::uint8_t {
    none,
    barrier,
    cluster_barrier,
    warpgroup_products,
    change,    // a change of memory that the threads read again and again
    mbarrier,  // a phase of an mbarrier object
  };

  Kind kind = Kind::none;
  unsigned barrier = 0;     // barrier: its number
  MemoryPlace memory = {};  // change, mbarrier: the place of the value or of the object
};

/// Threads at one place, as evidence of a barrier that they do not reach, or of a deadlock.
struct ThreadGroup {
  enum class State : std::uint8_t { waits, spins, exited };

  State state = State::waits;
  std::uint64_t threads = 0;
  ThreadPlace first;
  SourcePlace source;  // exited: the branch that leaves; line 0: unknown
  WaitEvent waits_for = {};
};

struct Finding {
  FindingClass kind = FindingClass::wrong_result;
  std::string message;  // one sentence with the numbers found and expected; lower case, no period
  SourcePlace source;
  std::optional<ThreadPlace> thread;
  std::optional<MemoryPlace> memory;
  std::optional<OtherAccess> other;  // race: the access that came first
  Grade grade = Grade::failure;
  // How often the finding occurred. Race: the number of conflicting accesses.
  std::uint64_t count = 1;
  std::optional<MissingOrder> missing = {};  // race: the order that would prevent it
  std::optional<Origin> origin = {};         // undefined value: its origin, if known
  // Cause of an access out of bounds, of the load that is `origin`, or of a wrong value.
  std::optional<IndexOverflow> overflow = {};
  std::vector<ThreadGroup> groups = {};  // barrier divergence or deadlock: the other threads
  // Findings with the same cause: races that the same barrier would order, wrong results that
  // follow from an undefined value. Their own `same_cause` is empty.
  std::vector<Finding> same_cause = {};
  UserOption option = UserOption::none;
};

/// "barrier", "fence" ...
[[nodiscard]] std::string_view name(MissingOrder::Kind kind);
/// "not-in-mask", "no-thread" ...
[[nodiscard]] std::string_view name(AbsentLane::Reason reason);

/// True if two findings report the same defect. Races: the accesses are on the same two lines, in
/// either order. Other findings: class and instruction are the same.
[[nodiscard]] bool same_places(const Finding& one, const Finding& other);

}  // namespace warpcheck
