// Runs one problem on one device and compares each byte that the kernel must not change.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/judge/diagnosis.hpp"
#include "campaign/judge/error_map.hpp"
#include "campaign/judge/mismatch.hpp"
#include "campaign/run/context.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::run {

/// A finding with its evidence.
struct Evidence {
  Finding finding;
  std::string element;                      // the element at the memory place
  std::optional<judge::Mismatch> mismatch;  // set for wrong-result
  judge::Diagnosis diagnosis;
  std::string printed;
  std::optional<judge::ErrorMap> map = {};  // set for wrong values, if the runner maps errors
  std::optional<std::int64_t> index_outside = {};  // an index beyond all outputs
};

/// The contents of D after a run, in the layout of its problem.
struct Output {
  Placement place;
  std::vector<std::byte> bytes;

  [[nodiscard]] double value(std::int64_t row, std::int64_t column) const;
  [[nodiscard]] bool same_bits(std::int64_t row, std::int64_t column, const Output& other,
                               std::int64_t other_row, std::int64_t other_column) const;
  /// True if all elements have the same bits, and both outputs the same layout but for the gaps.
  [[nodiscard]] bool same_lines(const Output& other) const;
  /// True if both rows lie in one piece and have the same bits.
  [[nodiscard]] bool same_row(std::int64_t row, const Output& other, std::int64_t other_row) const;
  /// The values of a row.
  [[nodiscard]] std::vector<double> row(std::int64_t number) const;
  void read_row(std::int64_t number, std::span<double> values) const;
  [[nodiscard]] reference::Matrix matrix() const;
};

/// Returns true if a launch failed before its first instruction.
[[nodiscard]] bool was_refused(const Finding& finding);

struct Run {
  std::vector<Evidence> evidence;  // findings of the device; if there are none, changed bytes
  Output output;                   // valid if there is no evidence
  std::vector<Output> other_outputs = {};  // further outputs, if there are several; valid as above
  std::string printed;
  bool launched = true;                                // false: m or n is 0
  std::vector<device::InstructionCounts> counts = {};  // set if the job requests them
};

/// The device cannot execute an instruction of the kernel, so that the run shows nothing about it.
class UnsupportedRun : public std::runtime_error {
 public:
  explicit UnsupportedRun(const device::Unsupported& what) : std::runtime_error(what.form) {}
};

/// The device stopped before the launches ended: see device::Job::stop. The run shows nothing.
class StoppedRun : public std::runtime_error {
 public:
  StoppedRun() : std::runtime_error("the run was stopped before it ended") {}
};

/// Runs problems of one variant.
class Runner {
 public:
  /// Keeps a reference to `context`. `locate`: a job with a finding of a comparison runs once more
  /// to determine the thread and the line that wrote the byte.
  Runner(const Context& context, bool locate) : context_(context), locate_(locate) {}

  [[nodiscard]] const contract::Variant& variant() const { return context_.variant; }
  [[nodiscard]] const device::Device& device() const { return context_.device; }
  [[nodiscard]] bool maps_errors() const { return context_.map_errors; }
  [[nodiscard]] ReferenceCache* references() const { return context_.references; }
  /// Throws UnsupportedRun if the device cannot execute the kernel and found nothing before, and
  /// StoppedRun if it was stopped.
  [[nodiscard]] Run run(const Problem& problem);

  /// Returns the instruction that ended a run because the device cannot execute it; empty: all runs
  /// so far were executed.
  [[nodiscard]] const std::optional<device::Unsupported>& unsupported() const {
    return unsupported_;
  }

  /// Sets the source place of the evidence: the last write to the byte or, if there is none, the
  /// definition of the kernel. Does nothing without the option `locate`.
  void locate(const Problem& problem, device::BufferAddress byte, Evidence& evidence);

  /// Jobs run so far.
  [[nodiscard]] std::int64_t jobs() const { return jobs_; }

  /// Returns the observations of the runs so far that are no failures, without duplicates.
  [[nodiscard]] const std::vector<Evidence>& notes() const { return notes_; }

 private:
  [[nodiscard]] device::Outcome launch(device::Job job);
  void explain_by_overflow(const Problem& problem, const device::Job& watching,
                           const device::Outcome& outcome, Evidence& evidence);
  void note(Evidence evidence);
  void compare_bytes(const Problem& problem, const device::Outcome& outcome, Run& run);

  const Context& context_;
  bool locate_;
  std::vector<Evidence> notes_;
  std::optional<device::Unsupported> unsupported_;
  std::int64_t jobs_ = 0;
};

}  // namespace warpcheck::campaign::run
