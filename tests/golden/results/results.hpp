// The results of a device for each form, and their files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// The number of operand tuples of each form. Hashes cover all of them; a record also has the
/// results of the first ones, more for forms whose bits PTX does not define.
inline constexpr std::size_t kTuples = 2048;
inline constexpr std::size_t kKeptTuples = 128;
inline constexpr std::size_t kKeptTuplesOfApproximate = 1024;
inline constexpr std::size_t kHashedTuples = 512;  // tuples of one hash

/// Results of all tuples: output j of tuple i at [i * outputs + j], in the low bits.
using Results = std::vector<std::uint64_t>;

/// Runs the form on the device. Throws std::runtime_error with the finding if there is one, and the
/// exceptions of Device::load.
[[nodiscard]] Results run(device::Device& device, const Form& form);

/// The record of one form.
struct Record {
  std::string name;
  std::uint64_t input_hash = 0;  // hash of all operands, which detects a change of the generator
  std::vector<std::uint64_t> hashes;  // each of the results of kHashedTuples tuples
  Results kept;                       // results of the first tuples
};

[[nodiscard]] Record record(const Form& form, const Results& results);

/// The number of tuples whose results a record of the form has.
[[nodiscard]] std::size_t kept_tuples(const Form& form);

struct File {
  std::string device;  // "NVIDIA H200 (sm_90), driver ..."
  std::string date;    // date of the recording, "2026-01-31"
  std::vector<Record> records;
};

/// Writes a header, then three lines per form: name; hashes; results in hexadecimal, each with the
/// width of its type, eight predicates per byte.
[[nodiscard]] std::string write(const File& file, const std::vector<Form>& forms);

/// The inverse function. Throws std::runtime_error with the number of the line, also for a form
/// that is not in `forms`.
[[nodiscard]] File read(const std::string& text, const std::vector<Form>& forms);

}  // namespace warpcheck::golden
