#include "tests/golden/mma/results.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <sstream>
#include <stdexcept>

#include "report/finding/message.hpp"
#include "tests/golden/forms/inputs.hpp"

namespace warpcheck::golden {
namespace {

device::Buffer buffer(const char* name, const MmaForm& form, MmaOperand operand,
                      std::size_t fragments) {
  device::Buffer result;
  result.name = name;
  const std::size_t bytes = fragments * fragment_bytes(form, operand);
  result.extent = {1, bytes, bytes};
  result.element_bytes = 4;
  result.bytes.resize(bytes);
  return result;
}

int digits(const MmaForm& form) { return static_cast<int>(facts(form.d).bits / 4); }

std::uint64_t hash(const Elements& elements, std::uint64_t before) {
  return fnv1a(elements.data(), elements.size() * sizeof(std::uint64_t), before);
}

constexpr std::string_view kTitle = "warpcheck golden results of matrix multiplications 1";

}  // namespace

std::vector<Elements> run(device::Device& device, const device::Program& program,
                          const MmaForm& form, std::size_t first, std::size_t count) {
  constexpr std::array kOperands = {MmaOperand::a, MmaOperand::b, MmaOperand::c, MmaOperand::d};
  constexpr std::array kNames = {"a", "b", "c", "d"};
  device::Job job;
  for (std::size_t i = 0; i < 4; ++i) {
    job.buffers.push_back(buffer(kNames[i], form, kOperands[i], count));
    if (i != 3) job.buffers[i].access = device::Access::read_only;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const MmaInputs inputs = mma_inputs(form, first + i);
    const std::array<const Elements*, 3> elements = {&inputs.a, &inputs.b, &inputs.c};
    for (std::size_t j = 0; j < 3; ++j) {
      pack(form, kOperands[j], *elements[j],
           job.buffers[j].bytes.data() + i * fragment_bytes(form, kOperands[j]));
    }
  }
  using device::BufferAddress;
  job.launches.push_back(
      {"f",
       {static_cast<unsigned>(count), 1, 1},
       {32, 1, 1},
       0,
       {BufferAddress{0, 0}, BufferAddress{1, 0}, BufferAddress{2, 0}, BufferAddress{3, 0}}});
  const device::Outcome outcome = device.run(program, job);
  if (!outcome.findings.empty()) {
    const Finding& finding = outcome.findings.front();
    throw std::runtime_error(
        fmt::format("{}: {}", name(finding.kind), report::message_text(finding)));
  }
  if (outcome.unsupported) {
    throw std::runtime_error("unsupported: " + outcome.unsupported->form);
  }
  std::vector<Elements> results;
  for (std::size_t i = 0; i < count; ++i) {
    results.push_back(
        unpack_result(form, outcome.buffers[3].data() + i * fragment_bytes(form, MmaOperand::d)));
  }
  return results;
}

std::size_t kept_element(const MmaForm& form, std::size_t fragment) {
  return (fragment * 37) % static_cast<std::size_t>(form.rows(MmaOperand::d) * form.shape.n);
}

MmaRecord record(const MmaForm& form, const std::vector<Elements>& results) {
  const std::uint64_t empty = fnv1a(nullptr, 0);
  MmaRecord result{form.name, empty, std::vector<std::uint64_t>(kMmaKinds.size(), empty), {}};
  for (std::size_t i = 0; i < kMmaRecordedFragments; ++i) {
    const MmaInputs inputs = mma_inputs(form, i);
    for (const Elements* elements : {&inputs.a, &inputs.b, &inputs.c}) {
      result.input_hash = hash(*elements, result.input_hash);
    }
    std::uint64_t& kind_hash = result.hashes[i % kMmaKinds.size()];
    kind_hash = hash(results[i], kind_hash);
    result.kept.push_back(results[i][kept_element(form, i)]);
  }
  return result;
}

std::string write(const MmaFile& file, const std::vector<MmaForm>& forms) {
  std::string text = fmt::format("{}\ndevice {}\ndate {}\n", kTitle, file.device, file.date);
  std::map<std::string, int> widths;
  for (const MmaForm& form : forms) widths[form.name] = digits(form);
  for (const MmaRecord& entry : file.records) {
    text += fmt::format("{}\n{:016x}", entry.name, entry.input_hash);
    for (const std::uint64_t kind_hash : entry.hashes) text += fmt::format(" {:016x}", kind_hash);
    text += '\n';
    for (const std::uint64_t value : entry.kept) {
      text += fmt::format("{:0{}x}", value, widths.at(entry.name));
    }
    text += '\n';
  }
  return text;
}

MmaFile read(const std::string& text, const std::vector<MmaForm>& forms) {
  std::map<std::string, std::size_t> widths;
  for (const MmaForm& form : forms) widths[form.name] = static_cast<std::size_t>(digits(form));
  std::istringstream lines(text);
  std::string line;
  unsigned number = 0;
  const auto next = [&](const char* what) {
    ++number;
    if (!std::getline(lines, line)) {
      throw std::runtime_error(fmt::format("line {}: expected {}", number, what));
    }
  };
  const auto require = [&](bool holds, const char* what) {
    if (!holds) throw std::runtime_error(fmt::format("line {}: {}", number, what));
  };
  MmaFile file;
  next("a title");
  require(line == kTitle, "not a file of results of matrix multiplications");
  next("'device'");
  require(line.starts_with("device "), "expected 'device'");
  file.device = line.substr(7);
  next("'date'");
  require(line.starts_with("date "), "expected 'date'");
  file.date = line.substr(5);
  while (lines.peek() != EOF) {
    MmaRecord entry;
    next("a form");
    entry.name = line;
    require(widths.contains(line), "unknown form");
    const std::size_t width = widths[line];
    next("hashes");
    std::istringstream hashes(line);
    hashes >> std::hex >> entry.input_hash;
    for (std::uint64_t kind_hash = 0; hashes >> kind_hash;) entry.hashes.push_back(kind_hash);
    require(entry.hashes.size() == kMmaKinds.size(), "wrong number of hashes");
    next("results");
    require(line.size() == width * kMmaRecordedFragments, "wrong number of results");
    for (std::size_t at = 0; at < line.size(); at += width) {
      entry.kept.push_back(std::stoull(line.substr(at, width), nullptr, 16));
    }
    file.records.push_back(std::move(entry));
  }
  return file;
}

std::string difference(const MmaForm& form, const MmaRecord& recorded,
                       const std::vector<Elements>& results) {
  constexpr int kMostShown = 3;
  const MmaRecord now = record(form, results);
  if (now.input_hash != recorded.input_hash) {
    return "  the operands are not those of the recording: record anew\n";
  }
  std::string text;
  int shown = 0;
  for (std::size_t i = 0; i < now.kept.size() && shown < kMostShown; ++i) {
    if (now.kept[i] == recorded.kept[i]) continue;
    ++shown;
    text += fmt::format("  fragment {} ({}): {:#x}, expected {:#x}, from {}\n", i,
                        kMmaKinds[i % kMmaKinds.size()], now.kept[i], recorded.kept[i],
                        operands_of(form, mma_inputs(form, i), kept_element(form, i)));
  }
  for (std::size_t kind = 0; kind < now.hashes.size(); ++kind) {
    if (now.hashes[kind] == recorded.hashes[kind]) continue;
    text += fmt::format("  not all fragments of kind '{}' are as recorded\n", kMmaKinds[kind]);
  }
  return text;
}

std::string operands_of(const MmaForm& form, const MmaInputs& inputs, std::size_t element) {
  const auto n = static_cast<std::size_t>(form.shape.n);
  const auto depth = static_cast<std::size_t>(form.depth());
  const std::size_t row = element / n;
  const std::size_t column = element % n;
  const std::size_t first_b = row / static_cast<std::size_t>(form.shape.m) * depth;
  const auto width = [](MmaType type) { return facts(type).bits / 4; };
  std::string text =
      fmt::format("C({}, {}) = {:0{}x}, A row", row, column, inputs.c[element], width(form.c));
  for (std::size_t k = 0; k < depth; ++k) {
    text += fmt::format(" {:0{}x}", inputs.a[row * depth + k], width(form.a));
  }
  text += ", B column";
  for (std::size_t k = 0; k < depth; ++k) {
    text += fmt::format(" {:0{}x}", inputs.b[(first_b + k) * n + column], width(form.b));
  }
  return text;
}

}  // namespace warpcheck::golden
