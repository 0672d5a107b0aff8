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
  unused_read,         // a race of a read whose value has no effect in its thread
};

/// "failure", "same-value", "relaxed-order" ...
[[nodiscard]] std::string_view name(Grade grade);
[[nodiscard]] std::optional<Grade> grade(std::string_view name);

/// The notes that are failures for this user.
struct Strictness {
  bool races = false;     // same_value, relaxed_order, compared_read, library_lanes, unused_read
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

/// "line 12", or "PTX line 40" if the line is unknown: the spelling in messages of findings.
[[nodiscard]] std::string line_of(const SourcePlace& place);

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

/// A grid with an access of a race, of a launch in which threads launched grids.
struct RacingGrid {
  std::string kernel;  // mangled name
  SourcePlace launch;  // the call by the thread that launched it; line 0: the host launched it
};

/// How two accesses race, beyond Finding::other and Finding::missing.
struct Race {
  enum class Kind : std::uint8_t {
    accesses,          // an instruction that accesses memory, or a product that reads it
    copy,              // the first access is an asynchronous copy that is in flight
    bulk_copy,         // the first access is a bulk copy to global memory that is in flight
    exit_before_read,  // the thread exits before its bulk copy has read shared memory
    async_proxy,       // a read by the async proxy of what the generic proxy wrote
    predecessor,       // an access of the kernel that was launched before
    first_product,     // accesses of registers before the first product of a warpgroup
    written_register,  // a product uses a register that an earlier instruction writes
    used_registers,    // a product uses registers of another one that is in flight
    product_register,  // an instruction uses a register of a product that is in flight
  };

  Kind kind = Kind::accesses;
  bool two_blocks = false;  // the threads are in different blocks
  std::vector<RacingGrid> grids =
      {};                      // grids of both accesses, the first one first, if they differ
  bool is_descendant = false;  // grids: threads of the first grid launched the second, or a thread
                               // of a grid that they launched
  bool reduces = false;        // copy, bulk_copy: it combines memory with its source
  bool multiplies = false;     // copy, async_proxy: a product of a warpgroup
  bool waited_for = false;     // copy: another thread waits for it
  std::optional<SourcePlace> wait = {};  // copy: a later wait for it
  bool writes = false;  // product_register: the instruction; predecessor: the kernel before
  std::string register_name = {};  // product_register
};
inline constexpr Race::Kind kLastRaceKind = Race::Kind::product_register;

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
  // change: the value, of at most 8 bytes, that stays; mbarrier: the number of the phase.
  std::uint64_t value = 0;
  std::uint64_t arrived = 0;   // barriers, products: threads that have come
  std::uint64_t expected = 0;  // barriers, products: threads; mbarrier: arrivals that are missing
  std::int64_t bytes = 0;      // mbarrier: bytes that are missing
};

/// Lanes of a warp for which other lanes of it wait.
struct MissingLanes {
  enum class State : std::uint8_t { runs, waits, elsewhere };  // elsewhere: exited, or not in step

  std::uint32_t lanes = 0;  // a mask
  State state = State::elsewhere;
  SourcePlace at = {};  // runs, waits: the place of some of them
};

/// Threads at one place, as evidence of a barrier that they do not reach, or of a deadlock.
struct ThreadGroup {
  enum class State : std::uint8_t { waits, spins, exited };

  State state = State::waits;
  std::uint64_t threads = 0;
  ThreadPlace first;
  SourcePlace source;  // exited: the branch that leaves; line 0: unknown
  WaitEvent waits_for = {};
  std::uint64_t blocks = 1;                // blocks with such threads
  std::vector<WaitEvent> also = {};        // spins: other places that the loop reads
  bool polls_more = false;                 // spins: it reads places beyond those of `also`
  bool others_alike = false;               // spins: some of the threads read another place instead
  std::optional<MissingLanes> lanes = {};  // waits: for lanes of its warp
};

/// Blocks whose threads make no progress, or the end of a budget of instructions.
struct Hang {
  std::uint64_t threads = 0;       // threads of the blocks
  std::uint64_t ended = 0;         // threads that have exited
  std::uint64_t blocks = 1;        // blocks that are resident
  std::uint64_t not_resident = 0;  // blocks that wait for one of these to end
};

/// Instructions after which a launch was still running.
struct UsedBudget {
  std::uint64_t instructions = 0;  // warp instructions
  std::uint64_t ended_blocks = 0;
  std::uint64_t blocks = 0;  // blocks of the grid, whose budget it is; 0: it is that of one block
};

struct Finding {
  FindingClass kind = FindingClass::wrong_result;
  // One sentence with the numbers found and expected; lower case, no period. Empty where `race`,
  // `hang` or `budget` has the facts, of which reports make the sentence.
  std::string message;
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
  std::optional<Race> race = {};
  std::optional<Hang> hang = {};  // barrier divergence, deadlock, or a loop that reads no memory
  std::optional<UsedBudget> budget = {};  // timeout
  // The schedule of the launch that showed it, and their number; 0: the first schedule.
  unsigned schedule = 0;
  unsigned schedules = 0;
  std::uint64_t unfinished_launch = 0;  // an earlier launch that was not executed to its end
};

/// "barrier", "fence" ...
[[nodiscard]] std::string_view name(MissingOrder::Kind kind);
/// "not-in-mask", "no-thread" ...
[[nodiscard]] std::string_view name(AbsentLane::Reason reason);

/// True if two findings report the same defect. Races: the accesses are on the same two lines, in
/// either order. Other findings: class and instruction are the same.
[[nodiscard]] bool same_places(const Finding& one, const Finding& other);

}  // namespace warpcheck
