// Buffers, launch, accounts: one problem on one device, and every byte of it accounted for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "properties/judge/diagnosis.hpp"
#include "properties/judge/error_map.hpp"
#include "properties/judge/mismatch.hpp"
#include "properties/run/problem.hpp"

namespace warpcheck::properties::run {

/// A finding with what shows it.
struct Evidence {
  Finding finding;
  std::string element;                      // the memory place in terms of the layout
  std::optional<judge::Mismatch> mismatch;  // of wrong-result
  judge::Diagnosis diagnosis;
  std::string printed;
  std::optional<judge::ErrorMap> map = {};  // of values, where the runner maps errors
};

/// The contents of D after a run, in the layout of its problem.
struct Output {
  Placement place;
  std::vector<std::byte> bytes;

  [[nodiscard]] double value(std::int64_t row, std::int64_t column) const;
  [[nodiscard]] bool same_bits(std::int64_t row, std::int64_t column, const Output& other,
                               std::int64_t other_row, std::int64_t other_column) const;
  [[nodiscard]] reference::Matrix matrix() const;
};

/// Whether a launch failed before its first instruction.
[[nodiscard]] bool was_refused(const Finding& finding);

struct Run {
  std::vector<Evidence> evidence;  // the device's findings; if there are none, of bytes that must
                                   // not have changed
  Output output;                   // meaningful where there is no evidence
  std::string printed;
  bool launched = true;                                // false: m or n is 0, nothing to do
  std::vector<device::InstructionCounts> counts = {};  // where the job asks for them
};

/// Runs problems of one variant.
class Runner {
 public:
  /// With `locate`, findings that comparison brought to light are run once more to learn which
  /// thread and line wrote the byte in question. With `strict_races`, a race of two writes of the
  /// same value is evidence like any other; otherwise a note. With `limits_only`, launches are run
  /// only to see whether they are refused. With `map_errors`, evidence of wrong values has a map.
  Runner(const contract::Variant& variant, device::Device& device, const device::Program& program,
         bool locate = false, bool strict_races = false, bool limits_only = false,
         bool map_errors = false)
      : variant_(variant),
        device_(device),
        program_(program),
        locate_(locate),
        strict_races_(strict_races),
        limits_only_(limits_only),
        map_errors_(map_errors) {}

  [[nodiscard]] const contract::Variant& variant() const { return variant_; }
  [[nodiscard]] const device::Device& device() const { return device_; }
  [[nodiscard]] bool maps_errors() const { return map_errors_; }
  [[nodiscard]] Run run(const Problem& problem);

  /// Sets the evidence's place: that of the last write to the byte, or, where nobody wrote it, the
  /// kernel's definition. Does nothing unless asked to locate.
  void locate(const Problem& problem, device::BufferAddress byte, Evidence& evidence);

  /// Jobs run so far.
  [[nodiscard]] std::int64_t launches() const { return launches_; }

  /// What is worth telling of the runs so far and no failure, each once.
  [[nodiscard]] const std::vector<Evidence>& notes() const { return notes_; }

 private:
  [[nodiscard]] device::Outcome launch(const device::Job& job);
  [[nodiscard]] SourcePlace definition(const std::string& kernel) const;
  void note(Evidence evidence);
  void account(const Problem& problem, const device::Outcome& outcome, Run& run);

  const contract::Variant& variant_;
  device::Device& device_;
  const device::Program& program_;
  bool locate_;
  bool strict_races_;
  bool limits_only_;
  bool map_errors_;
  std::vector<Evidence> notes_;
  std::int64_t launches_ = 0;
};

}  // namespace warpcheck::properties::run
