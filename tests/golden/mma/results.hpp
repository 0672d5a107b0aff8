// The results of a device for the fragments of each form, and their file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "tests/golden/mma/form.hpp"

namespace warpcheck::golden {

/// The fragments of a form that a GPU computes, and the number of them in a record.
inline constexpr std::size_t kMmaFragments = 10'000;
inline constexpr std::size_t kMmaRecordedFragments = 240;

/// Runs fragments [first, first + count). Throws std::runtime_error with the finding if there is
/// one, and the exceptions of Device::load.
[[nodiscard]] std::vector<Elements> run(device::Device& device, const device::Program& program,
                                        const MmaForm& form, std::size_t first, std::size_t count);

/// The record of one form: a hash of all results of each kind of fragment, and one result of each
/// fragment, to describe a difference.
struct MmaRecord {
  std::string name;
  std::uint64_t input_hash = 0;  // hash of all operands, which detects a change of the generator
  std::vector<std::uint64_t> hashes;
  Elements kept;
};

struct MmaFile {
  std::string device;
  std::string date;
  std::vector<MmaRecord> records;
};

[[nodiscard]] MmaRecord record(const MmaForm& form, const std::vector<Elements>& results);
/// The element of D of a fragment that a record has.
[[nodiscard]] std::size_t kept_element(const MmaForm& form, std::size_t fragment);

[[nodiscard]] std::string write(const MmaFile& file, const std::vector<MmaForm>& forms);
/// The inverse function. Throws std::runtime_error with the number of the line.
[[nodiscard]] MmaFile read(const std::string& text, const std::vector<MmaForm>& forms);

/// The first differences with their operands; empty if there are none.
[[nodiscard]] std::string difference(const MmaForm& form, const MmaRecord& recorded,
                                     const std::vector<Elements>& results);

/// The operands of element (i, j) of D as bits: row i of A, column j of B and C(i, j).
[[nodiscard]] std::string operands_of(const MmaForm& form, const MmaInputs& inputs,
                                      std::size_t element);

}  // namespace warpcheck::golden
