#include "tests/campaign/gemm_device.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace warpcheck::campaign::testing {

using contract::ArgumentWord;

Call::Call(const contract::Contract& contract, const device::Job& job, const device::Launch& launch,
           std::size_t launch_number, device::Outcome& outcome,
           std::map<std::pair<std::size_t, std::size_t>, unsigned>& writers)
    : schedule(job.schedule_seed),
      instruction_budget(job.instruction_budget / job.budget_divisor),
      number(launch_number),
      job_(job),
      outcome_(outcome),
      writers_(writers) {
  for (std::size_t i = 0; i < job.buffers.size(); ++i) {
    const device::Buffer& buffer = job.buffers[i];
    places_.push_back({&buffer, outcome.buffers[i].data(), buffer.extent.bytes()});
  }
  const auto& words = contract.launches.at(launch_number % contract.launches.size()).arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto* scalar = std::get_if<device::Scalar>(&launch.arguments.at(i));
    const ArgumentWord word = words[i].word;
    if (scalar == nullptr) {
      const std::size_t buffer = std::get<device::BufferAddress>(launch.arguments[i]).buffer;
      const std::string& name = job.buffers.at(buffer).name;
      buffers[name.substr(0, name.find(' '))] = buffer;
      continue;
    }
    if (word == ArgumentWord::alpha || word == ArgumentWord::beta) {
      std::memcpy(word == ArgumentWord::alpha ? &alpha : &beta, scalar->bytes.data(), 4);
    } else {
      std::int32_t value = 0;
      std::memcpy(&value, scalar->bytes.data(), 4);
      sizes_[word] = value;
    }
  }
  if (buffers.contains("A")) number_of_a = buffers["A"];
  if (buffers.contains("B")) number_of_b = buffers["B"];
  m = sizes_[ArgumentWord::m];
  n = sizes_[ArgumentWord::n];
  k = sizes_[ArgumentWord::k];
  lda = contract.takes(ArgumentWord::lda) ? sizes_[ArgumentWord::lda] : k;
  ldb = contract.takes(ArgumentWord::ldb) ? sizes_[ArgumentWord::ldb] : n;
  ldc = contract.takes(ArgumentWord::ldc) ? sizes_[ArgumentWord::ldc] : n;
}

std::size_t Call::number_of(const std::string& buffer) const { return buffers.at(buffer); }

void Call::report(FindingClass kind, const std::string& buffer, std::int64_t index,
                  std::size_t bytes, unsigned line, unsigned ptx_line) {
  Finding finding;
  finding.kind = kind;
  finding.message = "planted";
  finding.source.file = "kernel.cu";
  finding.source.line = line;
  finding.source.ptx_line = ptx_line;
  finding.memory = MemoryPlace{buffer, index * 4, bytes, false};
  outcome_.findings.push_back(finding);
}

void Call::report_race(bool benign, unsigned line, unsigned other_line) {
  report(FindingClass::race, "C", 0, 4, line);
  Finding& finding = outcome_.findings.back();
  if (benign) finding.grade = Grade::same_value;
  finding.other = OtherAccess{finding.source, {}, true};
  finding.other->source.line = other_line;
}

void Call::report_unsupported(const std::string& form, unsigned line) {
  outcome_.unsupported =
      device::Unsupported{form, "not implemented", "9.7.15", {"kernel.cu", line, form}};
}

std::byte* Call::place_of(std::size_t buffer, std::int64_t index) {
  const Place& place = places_.at(buffer);
  const auto offset = static_cast<std::size_t>(index) * 4;
  if (index < 0 || offset + 4 > place.size) return nullptr;
  if (!place.buffer->packed) return place.bytes + offset;
  if (place.buffer->extent.is_padding(offset)) return nullptr;
  return place.bytes + place.buffer->index_from(offset);
}

float Call::load(const std::string& buffer, std::int64_t index, unsigned line) {
  return load(number_of(buffer), index, line);
}

float Call::load(std::size_t buffer, std::int64_t index, unsigned line) {
  float value = 0.0F;
  if (const std::byte* place = place_of(buffer, index)) {
    std::memcpy(&value, place, 4);
  } else {
    report(FindingClass::out_of_bounds, job_.buffers[buffer].name, index, 4, line);
  }
  return value;
}

void Call::store(const std::string& buffer, std::int64_t index, float value, unsigned line) {
  const std::size_t which = number_of(buffer);
  std::byte* place = place_of(which, index);
  if (place == nullptr) return report(FindingClass::out_of_bounds, buffer, index, 4, line);
  std::memcpy(place, &value, 4);
  if (!job_.watch) return;
  for (std::size_t i = 0; i < 4; ++i) {
    writers_[{which, static_cast<std::size_t>(index) * 4 + i}] = line;
  }
}

void Call::c(std::int64_t i, std::int64_t j, float sum) {
  float value = alpha == 0.0F ? 0.0F : alpha * sum;
  if (beta != 0.0F) value = std::fma(beta, load("C", i * ldc + j), value);
  store("C", i * ldc + j, value);
}

void gemm(Call& call, std::int64_t terms,
          const std::function<bool(std::int64_t, std::int64_t)>& owns) {
  for (std::int64_t i = 0; i < call.m; ++i) {
    for (std::int64_t j = 0; j < call.n; ++j) {
      if (owns && !owns(i, j)) continue;
      float sum = 0.0F;
      for (std::int64_t p = 0; p < terms; ++p) sum = std::fma(call.a(i, p), call.b(p, j), sum);
      call.c(i, j, sum);
    }
  }
}

void right(Call& call) { gemm(call, call.k); }

std::shared_ptr<const device::Program> GemmDevice::load(const std::string&, const std::string&) {
  return std::make_shared<device::Program>();
}

device::Outcome GemmDevice::run(const device::Program&, const device::Job& job) {
  device::Outcome outcome;
  for (const device::Buffer& buffer : job.buffers) outcome.buffers.push_back(buffer.bytes);
  std::map<std::pair<std::size_t, std::size_t>, unsigned> writers;
  for (std::size_t i = 0; i < job.launches.size(); ++i) {
    Call call(variant_.contract, job, job.launches[i], i, outcome, writers);
    kernel_(call);
  }
  if (job.watch) {
    const auto found = writers.find({job.watch->buffer, job.watch->offset});
    if (found != writers.end()) {
      outcome.writer = device::Writer{{"kernel.cu", found->second, "st.global.f32", 0}, {}};
    }
  }
  // Devices report one finding per source line.
  std::vector<Finding> kept;
  for (const Finding& finding : outcome.findings) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const Finding& other) {
      return other.kind == finding.kind && other.source.line == finding.source.line;
    });
    if (!known) kept.push_back(finding);
  }
  outcome.findings = kept;
  outcome.stopped = job.stop.met();
  return outcome;
}

contract::Variant variant_of(const std::string& contract) {
  contract::Variant variant;
  variant.contract = contract::parse_contracts(contract, {"kernel.toml", 1, 1}).at(0);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->source_file = "kernel.cu";
  compiled->source =
      "// gemm: a kernel of the tests\n"
      "template <int tile>\n"
      "__global__ void gemm(const float* a, const float* b, float* c) {\n"
      "  // line 4\n"
      "  // line 5\n"
      "  // line 6\n"
      "  c[0] = 0;\n"
      "}\n";
  variant.compiled = compiled;
  const ScalarType accumulate = variant.contract.accumulate;
  for (const contract::LaunchStep& step : variant.contract.launches) {
    contract::Entry& entry = variant.entries.emplace_back();
    entry.name = step.kernel.substr(0, step.kernel.find('<'));
    for (const contract::Argument& argument : step.arguments) {
      const bool is_factor = argument.word == contract::ArgumentWord::alpha ||
                             argument.word == contract::ArgumentWord::beta;
      const std::size_t bytes = contract::is_buffer(argument.word) ? 8 : 4;
      entry.parameters.push_back({bytes, is_factor && accumulate != ScalarType::s32});
    }
  }
  return variant;
}

namespace {

std::string contract(const std::string& arguments, const std::string& more) {
  return R"toml([[variant]]
name      = "fake"
kernel    = "gemm<16>"
operation = "gemm"
layout    = "row"
types     = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
block     = [16, 16]
grid      = ["ceil_div(n, 16) * ceil_div(m, 16)"]
arguments = [)toml" +
         arguments + "]\n" + more;
}

}  // namespace

contract::Variant blas_variant(const std::string& more) {
  return variant_of(
      contract(R"("m", "n", "k", "alpha", "a", "lda", "b", "ldb", "beta", "c", "ldc")", more));
}

contract::Variant plain_variant(const std::string& more) {
  return variant_of(contract(R"("a", "b", "c", "m", "n", "k")", more));
}

}  // namespace warpcheck::campaign::testing
