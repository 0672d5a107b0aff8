// What a device made of the fragments of each form, and the file that keeps it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "tests/golden/mma/form.hpp"

namespace warpcheck::golden {

/// Fragments of a form that a GPU is asked for, and those of them that a record speaks of.
inline constexpr std::size_t kMmaFragments = 10'000;
inline constexpr std::size_t kMmaRecordedFragments = 240;

/// Runs fragments [first, first + count). Throws std::runtime_error with the finding when there is
/// one, and what Device::load throws.
[[nodiscard]] std::vector<Elements> run(device::Device& device, const device::Program& program,
                                        const MmaForm& form, std::size_t first, std::size_t count);

/// What a file keeps of one form: of each kind of fragment the hash of all results, and one result
/// of each fragment, so that a difference can be read.
struct MmaRecord {
  std::string name;
  std::uint64_t input_hash = 0;  // of all operands: that they are drawn as they were
  std::vector<std::uint64_t> hashes;
  Elements kept;
};

struct MmaFile {
  std::string device;
  std::string date;
  std::vector<MmaRecord> records;
};

[[nodiscard]] MmaRecord record(const MmaForm& form, const std::vector<Elements>& results);
/// The element of D that a record keeps of a fragment.
[[nodiscard]] std::size_t kept_element(const MmaForm& form, std::size_t fragment);

[[nodiscard]] std::string write(const MmaFile& file, const std::vector<MmaForm>& forms);
/// The inverse. Throws std::runtime_error with the line's number.
[[nodiscard]] MmaFile read(const std::string& text, const std::vector<MmaForm>& forms);

/// "" where both are the same; otherwise the first differences, with the operands of each.
[[nodiscard]] std::string difference(const MmaForm& form, const MmaRecord& recorded,
                                     const std::vector<Elements>& results);

/// "row i of A, column j of B and C(i, j)", as bits: all that element (i, j) of D comes from.
[[nodiscard]] std::string operands_of(const MmaForm& form, const MmaInputs& inputs,
                                      std::size_t element);

}  // namespace warpcheck::golden
