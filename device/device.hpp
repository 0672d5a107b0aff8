// The interface of the devices that run kernels. A device has no notion of matrices, references or
// verdicts: it takes a job (a program, buffers with their bytes, launches) and returns an outcome
// (findings, the bytes afterwards). No state survives from one job to the next: a misbehaving
// kernel cannot affect later jobs, and a job can be sent to another process.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "device/counters.hpp"
#include "device/coverage.hpp"
#include "device/finding.hpp"
#include "device/limits.hpp"
#include "device/shared_list.hpp"
#include "device/tensor_map.hpp"
#include "device/unsupported.hpp"

namespace warpcheck::device {

/// The layout of an allocation: rows of equal length at a constant pitch, as cudaMallocPitch
/// arranges them, in slices at a constant distance, and so on. All bytes between rows are padding,
/// and the allocation ends with the last byte of the last row. Rows do not overlap, nor do slices.
struct Extent {
  /// Rows at a distance, slices of such rows, or what consists of slices.
  struct Level {
    std::size_t count = 0;
    std::size_t bytes = 0;  // distance between the starts of two consecutive ones

    friend bool operator==(const Level&, const Level&) = default;
  };

  std::size_t row_bytes = 0;
  std::vector<Level> levels;  // the rows first

  Extent() = default;
  Extent(std::size_t rows, std::size_t bytes_of_row, std::size_t pitch_bytes)
      : row_bytes(bytes_of_row), levels{{rows, pitch_bytes}} {}

  /// The number of all rows.
  [[nodiscard]] std::size_t rows() const {
    std::size_t rows = 1;
    for (const Level& level : levels) rows *= level.count;
    return rows;
  }
  [[nodiscard]] std::size_t bytes() const {
    const std::size_t all = rows();
    return all == 0 || row_bytes == 0 ? 0 : row_begin(all - 1) + row_bytes;
  }
  /// The size of the rows without the padding.
  [[nodiscard]] std::size_t packed_bytes() const { return rows() * row_bytes; }

  /// The offset of the first byte of a row; `row` counts through all rows.
  [[nodiscard]] std::size_t row_begin(std::size_t row) const {
    std::size_t begin = 0;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      begin += row % levels[i].count * levels[i].bytes;
      row /= levels[i].count;
    }
    return levels.empty() ? 0 : begin + row * levels.back().bytes;
  }
  /// The offset in the packed rows of the byte at `offset` of the allocation, which must belong to
  /// a row.
  [[nodiscard]] std::size_t packed_from(std::size_t offset) const {
    std::size_t row = 0;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      const std::size_t index = level->count > 1 ? offset / level->bytes : 0;
      row = row * level->count + index;
      offset -= index * level->bytes;
    }
    return row * row_bytes + offset;
  }
  /// The offset in the allocation of byte `index` of the packed rows.
  [[nodiscard]] std::size_t offset_from(std::size_t index) const {
    return row_begin(index / row_bytes) + index % row_bytes;
  }
  /// True if byte `offset` of the allocation belongs to no row.
  [[nodiscard]] bool is_padding(std::size_t offset) const {
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      const std::size_t index = level->count > 1 ? offset / level->bytes : 0;
      if (index >= level->count) return true;
      offset -= index * level->bytes;
    }
    return offset >= row_bytes;
  }

  friend bool operator==(const Extent&, const Extent&) = default;
};

enum class Access { read_only, read_write };

/// The largest size of a buffer in bytes, padding included.
inline constexpr std::size_t kMostBufferBytes = std::size_t{24} << 30;

/// One allocation of device memory.
struct Buffer {
  std::string name;               // the name in findings: "A"
  Extent extent;                  // exact extent: one byte further is out of bounds
  std::size_t element_bytes = 1;  // findings count its elements in this unit
  std::size_t shift_bytes = 0;    // distance of the first byte from a 256-byte boundary
  Access access = Access::read_write;
  // True: the rows hold values. False: reading a row before a write to it is a finding. Padding
  // never holds values.
  bool initialized = true;
  // True: `bytes` holds the rows without the padding, for rows that lie gigabytes apart.
  bool packed = false;
  std::vector<std::byte>
      bytes;  // initial contents: extent.bytes() of rows and poison in the padding, unless packed

  /// The index in `bytes` of byte `offset` of the allocation, and the reverse.
  [[nodiscard]] std::size_t index_from(std::size_t offset) const {
    return packed ? extent.packed_from(offset) : offset;
  }
  [[nodiscard]] std::size_t offset_from(std::size_t index) const {
    return packed ? extent.offset_from(index) : index;
  }

  friend bool operator==(const Buffer&, const Buffer&) = default;
};

/// The address of byte `offset` of buffer number `buffer` of the job.
struct BufferAddress {
  std::size_t buffer = 0;
  std::size_t offset = 0;

  friend bool operator==(const BufferAddress&, const BufferAddress&) = default;
};

/// A kernel parameter passed by value: `size` bytes (1, 2, 4 or 8), little endian.
struct Scalar {
  std::array<std::byte, 8> bytes{};
  std::size_t size = 4;

  friend bool operator==(const Scalar&, const Scalar&) = default;
};

/// A struct or array passed by value: its bytes in the layout of the device, and the pointers in
/// it.
struct ByteArgument {
  struct Pointer {
    std::size_t offset = 0;  // offset of its 8 bytes, which the address replaces
    BufferAddress target;

    friend bool operator==(const Pointer&, const Pointer&) = default;
  };
  std::vector<std::byte> bytes;
  std::vector<Pointer> pointers;

  /// True if every pointer lies within the bytes.
  [[nodiscard]] bool is_valid() const {
    for (const Pointer& pointer : pointers) {
      if (bytes.size() < 8 || pointer.offset > bytes.size() - 8) return false;
    }
    return true;
  }

  friend bool operator==(const ByteArgument&, const ByteArgument&) = default;
};

/// A tensor map (CUtensorMap) of memory that begins at an address. The address in the map is not
/// used.
struct TensorMapArgument {
  TensorMap map;
  BufferAddress target;

  friend bool operator==(const TensorMapArgument&, const TensorMapArgument&) = default;
};

using Argument = std::variant<BufferAddress, Scalar, ByteArgument, TensorMapArgument>;

struct Launch {
  std::string entry;  // mangled name
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes = 0;  // dynamic shared memory
  std::vector<Argument> arguments;
  std::optional<Dim3> cluster = {};  // cluster size in blocks; empty: as the kernel declares

  friend bool operator==(const Launch&, const Launch&) = default;
};

/// The kernel launched before the job uses this buffer, and may not have completed until
/// griddepcontrol.wait (programmatic dependent launch).
struct PredecessorUse {
  std::size_t buffer = 0;
  bool writes = false;  // false: it only reads

  friend bool operator==(const PredecessorUse&, const PredecessorUse&) = default;
};

struct Job {
  SharedList<Buffer> buffers;
  std::vector<Launch> launches;  // run in this order; each completes before the next starts
  // Conflicting accesses of the first launch before its wait are findings; see
  // Device::checks_predecessor().
  std::vector<PredecessorUse> predecessor = {};
  std::uint64_t schedule_seed = 0;
  bool interleave = false;  // switch between warps, and between diverged lanes, more often
  std::uint64_t instruction_budget = 0;  // warp instructions of one launch; 0: a generous default
  std::uint64_t budget_divisor = 1;      // divides each launch's instruction budget or time limit
  std::optional<BufferAddress> watch;    // report the last thread that wrote this byte
  bool count = false;                    // count the executions of each instruction
  bool cover = false;                    // record the coverage of edges and conditions
  bool digest = false;                   // compute a digest of the memory accesses of each thread
  bool track_origins = false;            // add Finding::origin and places of exits; much slower
  // True with track_origins: accesses use the indices without overflows.
  bool exact_indices = false;
  // Measures the launches also on a GPU, which then runs no other job beside them.
  bool timed = false;
  bool limits_only = false;  // true: report which launches are refused; the others need not run
  StopCondition stop;        // ends the job early
};

/// The last writer of the watched byte.
struct Writer {
  SourcePlace source;
  ThreadPlace thread;
};

struct Outcome {
  std::vector<Finding> findings;  // sorted in a fixed order; empty: completed, or unsupported
  std::optional<Unsupported> unsupported;  // why the job ended before it completed
  bool stopped = false;  // Job::stop ended it; the other fields then hold no result
  std::vector<std::vector<std::byte>> buffers;  // final contents, in the order of the job
  std::optional<Writer> writer;                 // writer of Job::watch; empty: none, or unknown
  std::string printed;                          // text that the kernel printed
  std::uint64_t warp_instructions = 0;  // executed warp instructions; 0 if the device cannot count
  // Digest of each thread's barriers in their order, and of the bytes that the thread read and
  // wrote between two barriers. It does not depend on the order in which threads run. Empty if the
  // job does not request it, a launch did not complete, or the device cannot compute it.
  std::optional<std::uint64_t> access_digest;
  double seconds = 0.0;  // time of the launches alone; 0 on a GPU unless the job is timed
  // The sums of all launches, in the order of the program; empty if the job does not request them,
  // a launch did not complete, or the device cannot count.
  std::vector<InstructionCounts> counts;
  Coverage coverage;  // empty under the same conditions as `counts`
  // Index overflows of accesses, in the order of the accesses; see Job::track_origins.
  std::vector<IndexOverflow> overflows = {};
};

/// The instructions of a function or kernel, by their numbers in Coverage.
struct ProgramFunction {
  std::string name;  // mangled
  std::uint32_t first = 0;
  std::uint32_t instructions = 0;
  bool is_kernel = false;
};

/// A loaded module. Only the device that loaded it can run it.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  /// The place of an instruction, by its number in Coverage.
  [[nodiscard]] virtual SourcePlace place(std::uint32_t /*instruction*/) const { return {}; }

  /// The functions in the order of the program; empty if the device has no coverage.
  [[nodiscard]] virtual std::vector<ProgramFunction> functions_by_number() const { return {}; }
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// "virtual" or "cuda", as `--device` spells it.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// A description in one line: "NVIDIA H200, driver 580.159" ...
  [[nodiscard]] virtual std::string description() const = 0;

  /// True if a buffer takes memory only for its rows, not for its padding.
  [[nodiscard]] virtual bool is_sparse() const { return false; }

  /// True if equal jobs have equal outcomes, except for their times, unless Job::stop ends them.
  [[nodiscard]] virtual bool is_deterministic() const { return false; }

  /// True if the device reports accesses before griddepcontrol.wait that conflict with
  /// Job::predecessor; otherwise it ignores them.
  [[nodiscard]] virtual bool checks_predecessor() const { return false; }

  /// Loads PTX text. `file` names the text in errors. Throws InputError with every error and its
  /// place if the text is not valid PTX.
  [[nodiscard]] virtual std::shared_ptr<const Program> load(const std::string& ptx,
                                                            const std::string& file) = 0;

  /// Runs the job's launches. A kernel's misbehaviour is a finding of the outcome, never an
  /// exception. Several host threads may call this at once.
  [[nodiscard]] virtual Outcome run(const Program& program, const Job& job) = 0;
};

}  // namespace warpcheck::device
