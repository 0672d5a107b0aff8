// What a device made of each form, and the files that keep it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "tests/golden/forms/form.hpp"

namespace warpcheck::golden {

/// Operand tuples of each form. All enter a hash; the first kept ones are stored as well, all of
/// them for forms whose bits PTX leaves open.
inline constexpr std::size_t kTuples = 2048;
inline constexpr std::size_t kKeptTuples = 128;
inline constexpr std::size_t kKeptTuplesOfApproximate = 1024;
inline constexpr std::size_t kHashedTuples = 512;  // by one hash

/// Results of all tuples: output j of tuple i at [i * outputs + j], in the low bits.
using Results = std::vector<std::uint64_t>;

/// Runs the form on the device. Throws std::runtime_error with the finding when there is one, and
/// what Device::load throws.
[[nodiscard]] Results run(device::Device& device, const Form& form);

/// What a file keeps of one form.
struct Record {
  std::string name;
  std::uint64_t input_hash = 0;       // of all operands: that they are drawn as they were
  std::vector<std::uint64_t> hashes;  // of each kHashedTuples tuples' results
  Results kept;                       // of the first tuples
};

[[nodiscard]] Record record(const Form& form, const Results& results);

/// Tuples of the form that a record stores.
[[nodiscard]] std::size_t kept_tuples(const Form& form);

struct File {
  std::string device;  // "NVIDIA H200 (sm_90), driver ..."
  std::string date;    // of the recording, "2026-01-31"
  std::vector<Record> records;
};

/// Text: a header, then three lines a form (name; hashes; kept results in hexadecimal, each as wide
/// as its type, predicates eight to a byte).
[[nodiscard]] std::string write(const File& file, const std::vector<Form>& forms);

/// The inverse. Throws std::runtime_error with the line's number; forms that are not in `forms`
/// too.
[[nodiscard]] File read(const std::string& text, const std::vector<Form>& forms);

}  // namespace warpcheck::golden
