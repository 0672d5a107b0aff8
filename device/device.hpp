// Where kernels run. A device knows nothing of matrices, references or verdicts: it is handed a job
// (a program, buffers with their bytes, launches) and answers with an outcome (findings, the bytes
// afterwards). Nothing survives from one job to the next, so that no misbehaviour does either, and
// so that a job can be sent to another process.
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

namespace warpcheck::device {

/// Rows of equal length at a constant distance, as cudaMallocPitch has it, in slices at a constant
/// distance. The allocation ends with the last byte of the last row; all bytes between rows are
/// padding. Slices do not overlap.
struct Extent {
  std::size_t rows = 0;  // of a slice
  std::size_t row_bytes = 0;
  std::size_t pitch_bytes = 0;
  std::size_t slices = 1;
  std::size_t slice_bytes = 0;  // from the start of one to the start of the next

  [[nodiscard]] std::size_t bytes() const {
    if (rows == 0 || row_bytes == 0 || slices == 0) return 0;
    return row_begin(slices * rows - 1) + row_bytes;
  }
  /// Of a buffer's contents where they are the rows alone.
  [[nodiscard]] std::size_t packed_bytes() const { return slices * rows * row_bytes; }

  /// Of all slices' rows; offset of the row's first byte.
  [[nodiscard]] std::size_t row_begin(std::size_t row) const {
    return row / rows * slice_bytes + row % rows * pitch_bytes;
  }
  /// Where byte `offset` of the allocation, which belongs to a row, is among the rows alone.
  [[nodiscard]] std::size_t packed_from(std::size_t offset) const {
    const std::size_t slice = slices > 1 ? offset / slice_bytes : 0;
    const std::size_t in_slice = offset - slice * slice_bytes;
    const std::size_t row = rows > 1 ? in_slice / pitch_bytes : 0;
    return (slice * rows + row) * row_bytes + in_slice - row * pitch_bytes;
  }
  /// Where byte `index` of the rows alone is in the allocation.
  [[nodiscard]] std::size_t offset_from(std::size_t index) const {
    return row_begin(index / row_bytes) + index % row_bytes;
  }
  /// Whether a byte of the allocation belongs to no row.
  [[nodiscard]] bool is_padding(std::size_t offset) const {
    const std::size_t in_slice = slices > 1 ? offset % slice_bytes : offset;
    if (rows == 1) return in_slice >= row_bytes;
    return in_slice % pitch_bytes >= row_bytes || in_slice / pitch_bytes >= rows;
  }
};

enum class Access { read_only, read_write };

/// Of one buffer, padding included.
inline constexpr std::size_t kMostBufferBytes = std::size_t{24} << 30;

/// One allocation of device memory.
struct Buffer {
  std::string name;               // as findings call it: "A"
  Extent extent;                  // exact: one byte further is out of bounds
  std::size_t element_bytes = 1;  // granularity in which findings speak of it
  std::size_t shift_bytes = 0;    // distance of the first byte from a 256-byte boundary
  Access access = Access::read_write;
  bool initialized = true;  // rows hold values; otherwise reading them before a write is a
                            // finding. Padding never holds values.
  bool packed = false;      // the contents are the rows alone, one behind the other; the padding is
                            // not told, before or after: for rows that lie gigabytes apart
  std::vector<std::byte>
      bytes;  // initial contents: extent.bytes() of rows and poison in the padding, unless packed

  /// Where byte `offset` of the allocation is among the contents, and back.
  [[nodiscard]] std::size_t index_from(std::size_t offset) const {
    return packed ? extent.packed_from(offset) : offset;
  }
  [[nodiscard]] std::size_t offset_from(std::size_t index) const {
    return packed ? extent.offset_from(index) : index;
  }
};

/// The address of byte `offset` of buffer number `buffer` of the job.
struct BufferAddress {
  std::size_t buffer = 0;
  std::size_t offset = 0;
};

/// A kernel parameter passed by value: `size` bytes (1, 2, 4 or 8), little endian.
struct Scalar {
  std::array<std::byte, 8> bytes{};
  std::size_t size = 4;
};

using Argument = std::variant<BufferAddress, Scalar>;

struct Launch {
  std::string entry;  // mangled name
  Dim3 grid;
  Dim3 block;
  std::size_t shared_bytes = 0;  // dynamic shared memory
  std::vector<Argument> arguments;
};

struct Job {
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;  // in order, each complete before the next
  std::uint64_t schedule_seed = 0;
  std::uint64_t instruction_budget = 0;  // warp instructions of one launch; 0: a generous default
  std::optional<BufferAddress> watch;    // asks who wrote this byte last
  bool count = false;                    // asks what each instruction did
  bool cover = false;                    // asks which ways warps went
  bool digest = false;                   // asks for a digest of what each thread did to memory
  bool limits_only = false;  // asks which launches are refused; the others need not be run
};

/// Who wrote the watched byte last.
struct Writer {
  SourcePlace source;
  ThreadPlace thread;
};

struct Outcome {
  std::vector<Finding> findings;                // in a fixed order; empty: completed
  std::vector<std::vector<std::byte>> buffers;  // contents afterwards, in the order of the job
  std::optional<Writer> writer;                 // of the watched byte; empty: nobody, or not known
  std::string printed;                          // what the kernel printed
  std::uint64_t warp_instructions = 0;          // executed; 0 where the device cannot count
  // Of every thread's barriers in their order, and of the bytes that it read and wrote between two
  // of them, whatever the order of the threads. Nothing where nobody asked, where a launch did not
  // complete, and where the device cannot tell.
  std::optional<std::uint64_t> access_digest;
  double seconds = 0.0;  // time of the launches alone
  // In the order of the program, the sums of all launches; empty where nobody asked, where a launch
  // did not complete, and where the device cannot count.
  std::vector<InstructionCounts> counts;
  Coverage coverage;  // empty where nobody asked, and as `counts`
};

/// The instructions of a function or kernel, by the numbers that Coverage tells them by.
struct ProgramFunction {
  std::string name;  // mangled
  std::uint32_t first = 0;
  std::uint32_t instructions = 0;
  bool is_kernel = false;
};

/// A loaded module. Made by one device, run by that device.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  /// Where an instruction is, by the number that Coverage tells it by.
  [[nodiscard]] virtual SourcePlace place(std::uint32_t /*instruction*/) const { return {}; }

  /// In the order of the program; empty where the device tells no coverage.
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

  /// One line for a person: "NVIDIA H200, driver 580.159" ...
  [[nodiscard]] virtual std::string description() const = 0;

  /// Whether a buffer takes memory for its rows alone, however far apart they lie.
  [[nodiscard]] virtual bool is_sparse() const { return false; }

  /// PTX text to program. `file` names the text in errors. Throws InputError when the text is not
  /// PTX, with every error located.
  [[nodiscard]] virtual std::shared_ptr<const Program> load(const std::string& ptx,
                                                            const std::string& file) = 0;

  /// Runs the job's launches. A kernel's misbehaviour is a finding of the outcome, never an
  /// exception. Safe to call from several host threads at once.
  [[nodiscard]] virtual Outcome run(const Program& program, const Job& job) = 0;
};

}  // namespace warpcheck::device
