#include "tests/golden/replay/replay.hpp"

#include <fmt/format.h>

#include "tests/golden/forms/inputs.hpp"
#include "tests/golden/results/tolerance.hpp"

namespace warpcheck::golden {
namespace {

constexpr std::size_t kMostShown = 3;

std::string describe(const Form& form, std::size_t place, std::uint64_t recorded,
                     std::uint64_t found) {
  const std::size_t output = place % form.outputs.size();
  const std::size_t tuple = place / form.outputs.size();
  std::string operands;
  const auto values = inputs(form, tuple);
  for (std::size_t i = 0; i < values.size(); ++i) {
    operands += fmt::format(" %a{}=0x{:0{}x}", i, values[i], facts(form.inputs[i]).bits / 4);
  }
  const std::size_t digits = 2 * stored_bytes(form.outputs[output]);
  return fmt::format("  tuple {}:{}: %d{}=0x{:0{}x}, expected 0x{:0{}x}\n", tuple, operands, output,
                     found, digits, recorded, digits);
}

}  // namespace

Comparison compare(const Form& form, const Record& recorded, const Results& results) {
  const Record now = record(form, results);
  Comparison comparison;
  if (now.input_hash != recorded.input_hash) {
    comparison.difference = "  the operands are not those of the recording: record anew\n";
    return comparison;
  }
  std::size_t differing = 0;
  for (std::size_t i = 0; i < recorded.kept.size(); ++i) {
    ++comparison.values;
    if (results[i] == recorded.kept[i]) {
      ++comparison.equal_bits;
      continue;
    }
    const std::size_t tuple = i / form.outputs.size();
    if (form.approximate && agrees(form, inputs(form, tuple), recorded.kept[i], results[i])) {
      continue;
    }
    if (++differing <= kMostShown) {
      comparison.difference += describe(form, i, recorded.kept[i], results[i]);
    }
  }
  if (differing > kMostShown) {
    comparison.difference += fmt::format("  {} of {} differ\n", differing, comparison.values);
  }
  if (form.approximate || differing != 0) return comparison;
  for (std::size_t i = 0; i < now.hashes.size(); ++i) {
    if (now.hashes[i] == recorded.hashes[i]) continue;
    comparison.difference +=
        fmt::format("  a difference in tuples {} to {}, of which only a hash is recorded\n",
                    i * kHashedTuples, (i + 1) * kHashedTuples - 1);
  }
  return comparison;
}

}  // namespace warpcheck::golden
