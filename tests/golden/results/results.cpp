#include "tests/golden/results/results.hpp"

#include <fmt/format.h>

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "tests/golden/forms/inputs.hpp"
#include "tests/golden/forms/kernel.hpp"

namespace warpcheck::golden {
namespace {

device::Buffer buffer(const char* name, std::size_t slots) {
  device::Buffer result;
  result.name = name;
  const std::size_t bytes = slots * kTuples * kSlotBytes;
  result.extent = {1, bytes, bytes};
  result.element_bytes = kSlotBytes;
  result.bytes.resize(bytes);
  return result;
}

/// The hexadecimal digits of one result that is no predicate.
std::string hex(std::uint64_t value, Type type) {
  return fmt::format("{:0{}x}", value, 2 * stored_bytes(type));
}

bool only_predicates(const Form& form) {
  for (const Type type : form.outputs) {
    if (type != Type::pred) return false;
  }
  return true;
}

std::string kept_text(const Form& form, const Results& kept) {
  std::string text;
  if (only_predicates(form)) {
    for (std::size_t i = 0; i < kept.size(); i += 4) {
      unsigned digit = 0;
      for (std::size_t j = i; j < std::min(i + 4, kept.size()); ++j) {
        digit |= static_cast<unsigned>(kept[j] & 1) << (j - i);
      }
      text += fmt::format("{:x}", digit);
    }
    return text;
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    text += hex(kept[i], form.outputs[i % form.outputs.size()]);
  }
  return text;
}

Results kept_results(const Form& form, const std::string& text) {
  const std::size_t count = kept_tuples(form) * form.outputs.size();
  Results kept;
  std::size_t at = 0;
  const auto next_value = [&](std::size_t digits) {
    if (at + digits > text.size()) throw std::runtime_error("results end early");
    const std::string part = text.substr(at, digits);
    at += digits;
    return std::stoull(part, nullptr, 16);
  };
  if (only_predicates(form)) {
    while (kept.size() < count) {
      const std::uint64_t digit = next_value(1);
      for (unsigned bit = 0; bit < 4 && kept.size() < count; ++bit)
        kept.push_back(digit >> bit & 1);
    }
  } else {
    while (kept.size() < count) {
      kept.push_back(next_value(2 * stored_bytes(form.outputs[kept.size() % form.outputs.size()])));
    }
  }
  if (at != text.size()) throw std::runtime_error("more results than the types of the form have");
  return kept;
}

}  // namespace

Results run(device::Device& device, const Form& form) {
  const auto program = device.load(module_of(form), form.name);
  device::Job job;
  job.buffers = {buffer("in", form.inputs.size()), buffer("out", form.outputs.size())};
  for (std::size_t i = 0; i < kTuples; ++i) {
    const auto values = inputs(form, i);
    std::memcpy(job.buffers[0].bytes.data() + i * values.size() * kSlotBytes, values.data(),
                values.size() * kSlotBytes);
  }
  job.buffers[0].access = device::Access::read_only;
  job.launches.push_back({"f",
                          {static_cast<unsigned>(kTuples / kBlock), 1, 1},
                          {kBlock, 1, 1},
                          0,
                          {device::BufferAddress{0, 0}, device::BufferAddress{1, 0}}});
  const device::Outcome outcome = device.run(*program, job);
  if (!outcome.findings.empty()) {
    const Finding& first = outcome.findings.front();
    throw std::runtime_error(fmt::format("{}: {}", name(first.kind), first.message));
  }
  if (outcome.unsupported) {
    throw std::runtime_error("unsupported: " + outcome.unsupported->form);
  }
  Results results;
  for (std::size_t i = 0; i < kTuples * form.outputs.size(); ++i) {
    std::uint64_t value = 0;
    std::memcpy(&value, outcome.buffers[1].data() + i * kSlotBytes,
                stored_bytes(form.outputs[i % form.outputs.size()]));
    results.push_back(value);
  }
  return results;
}

std::size_t kept_tuples(const Form& form) {
  return form.approximate ? kKeptTuplesOfApproximate : kKeptTuples;
}

Record record(const Form& form, const Results& results) {
  Record result;
  result.name = form.name;
  result.input_hash = fnv1a(nullptr, 0);
  for (std::size_t i = 0; i < kTuples; ++i) {
    const auto values = inputs(form, i);
    result.input_hash = fnv1a(values.data(), values.size() * kSlotBytes, result.input_hash);
  }
  const std::size_t outputs = form.outputs.size();
  for (std::size_t i = 0; i < kTuples; i += kHashedTuples) {
    result.hashes.push_back(
        fnv1a(results.data() + i * outputs, kHashedTuples * outputs * sizeof(std::uint64_t)));
  }
  result.kept.assign(results.begin(),
                     results.begin() + static_cast<std::ptrdiff_t>(kept_tuples(form) * outputs));
  return result;
}

std::string write(const File& file, const std::vector<Form>& forms) {
  std::string text = fmt::format("warpcheck golden results 1\ndevice {}\ndate {}\nptx {} {}\n",
                                 file.device, file.date, kPtxVersion, kPtxTarget);
  for (const Record& entry : file.records) {
    for (const Form& form : forms) {
      if (form.name != entry.name) continue;
      text += fmt::format("{}\n{:016x}", entry.name, entry.input_hash);
      for (const std::uint64_t hash : entry.hashes) text += fmt::format(" {:016x}", hash);
      text += fmt::format("\n{}\n", kept_text(form, entry.kept));
    }
  }
  return text;
}

File read(const std::string& text, const std::vector<Form>& forms) {
  std::istringstream lines(text);
  std::string line;
  unsigned number = 0;
  const auto next = [&] {
    ++number;
    return static_cast<bool>(std::getline(lines, line));
  };
  const auto fail = [&](const std::string& what) {
    throw std::runtime_error(fmt::format("line {}: {}", number, what));
  };
  const auto field = [&](const std::string& key) {
    if (!next() || !line.starts_with(key + " ")) fail(fmt::format("expected '{}'", key));
    return line.substr(key.size() + 1);
  };
  File file;
  if (field("warpcheck") != "golden results 1") fail("not a file of golden results");
  file.device = field("device");
  file.date = field("date");
  if (field("ptx") != fmt::format("{} {}", kPtxVersion, kPtxTarget))
    fail("recorded with other PTX");
  std::map<std::string, const Form*> by_name;
  for (const Form& form : forms) by_name[form.name] = &form;
  while (next()) {
    const auto found = by_name.find(line);
    if (found == by_name.end()) fail(fmt::format("unknown form '{}'", line));
    Record entry;
    entry.name = line;
    if (!next()) fail("expected hashes");
    std::istringstream hashes(line);
    hashes >> std::hex >> entry.input_hash;
    for (std::uint64_t hash = 0; hashes >> std::hex >> hash;) entry.hashes.push_back(hash);
    if (entry.hashes.size() != kTuples / kHashedTuples) fail("wrong number of hashes");
    if (!next()) fail("expected results");
    try {
      entry.kept = kept_results(*found->second, line);
    } catch (const std::exception& error) {
      fail(error.what());
    }
    file.records.push_back(std::move(entry));
  }
  return file;
}

}  // namespace warpcheck::golden
