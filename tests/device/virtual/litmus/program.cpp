#include "tests/device/virtual/litmus/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace warpcheck::litmus {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

[[noreturn]] void reject(const std::string& text) {
  throw std::runtime_error("not an instruction of a litmus test: " + text);
}

bool is_register(const std::string& word) { return word.size() == 2 && word[0] == 'r'; }

unsigned register_of(const std::string& word) {
  if (!is_register(word)) reject(word);
  return static_cast<unsigned>(word[1] - '0');
}

unsigned location_of(const std::string& word) {
  if (word.size() != 1 || word[0] < 'x' || word[0] > 'z') reject(word);
  return static_cast<unsigned>(word[0] - 'x');
}

void set_modifiers(const std::vector<std::string>& parts, Instruction& instruction) {
  for (const std::string& part : parts) {
    if (part == "relaxed" || part == "volatile") instruction.order = Order::relaxed;
    if (part == "acquire") instruction.order = Order::acquire;
    if (part == "release") instruction.order = Order::release;
    if (part == "acq_rel") instruction.order = Order::acq_rel;
    if (part == "sc") instruction.order = Order::sc;
    if (part == "cta") instruction.reach = AccessScope::cta;
    if (part == "gpu") instruction.reach = AccessScope::gpu;
    if (part == "add") instruction.adds = true;
  }
}

void set_value(const std::string& word, Instruction& instruction) {
  if (is_register(word)) {
    instruction.source = register_of(word);
  } else {
    instruction.value = std::stoi(word);
  }
}

Instruction instruction_of(const std::string& text) {
  std::vector<std::string> words = words_of(text);
  Instruction instruction;
  if (words.size() > 2 && words[words.size() - 2] == "if") {
    const std::vector<std::string> sides = split(words.back(), '=');
    if (sides.size() != 2) reject(text);
    instruction.only_if = {register_of(sides[0]), std::stoi(sides[1])};
    words.resize(words.size() - 2);
  }
  if (words.empty()) reject(text);
  instruction.opcode = words[0];
  const std::vector<std::string> parts = split(words[0], '.');
  set_modifiers(parts, instruction);
  if (parts[0] == "fence" && words.size() == 1) {
    instruction.kind = Kind::fence;
  } else if (parts[0] == "bar" && words.size() == 1) {
    instruction.kind = Kind::barrier;
  } else if (parts[0] == "ld" && words.size() == 3) {
    instruction.kind = Kind::load;
    instruction.result = register_of(words[1]);
    instruction.location = location_of(words[2]);
  } else if ((parts[0] == "st" || parts[0] == "red") && words.size() == 3) {
    instruction.kind = parts[0] == "st" ? Kind::store : Kind::atomic;
    instruction.location = location_of(words[1]);
    set_value(words[2], instruction);
  } else if (parts[0] == "atom" && words.size() == 4) {
    instruction.kind = Kind::atomic;
    instruction.result = register_of(words[1]);
    instruction.location = location_of(words[2]);
    set_value(words[3], instruction);
  } else {
    reject(text);
  }
  const bool atomic = instruction.kind == Kind::atomic;
  if (atomic && instruction.order == Order::weak) instruction.order = Order::relaxed;
  return instruction;
}

/// The PTX of an access, with its state space behind the modifiers of order and scope.
std::string access_of(const Instruction& instruction) {
  std::string opcode = instruction.opcode;
  std::string operation;
  if (instruction.kind == Kind::atomic) {
    const std::size_t dot = opcode.rfind('.');
    operation = opcode.substr(dot);
    opcode.resize(dot);
  }
  const std::string place = fmt::format("[{}]", "xyz"[instruction.location]);
  const std::string value = instruction.source ? fmt::format("%r{}", *instruction.source)
                                               : std::to_string(instruction.value);
  std::string operands = place + ", " + value;
  if (instruction.kind == Kind::load) operands = place;
  if (instruction.result) operands = fmt::format("%r{}, {}", *instruction.result, operands);
  const char* const type = operation == ".exch" ? ".b32" : ".u32";
  return fmt::format("{}.global{}{} {};", opcode, operation, type, operands);
}

/// An instruction of a thread; `label` is unused. All lanes of the warp execute a barrier.
std::string text_of(const Instruction& instruction, const std::string& label) {
  if (instruction.kind == Kind::barrier) return "bar.sync 0;\n";
  std::string text = fmt::format("@!%p8 bra {};\n", label);
  if (instruction.only_if) {
    text += fmt::format("setp.ne.u32 %p7, %r{}, {}; @%p7 bra {};\n", instruction.only_if->reg,
                        instruction.only_if->value, label);
  }
  text += instruction.kind == Kind::fence ? instruction.opcode + ";" : access_of(instruction);
  return fmt::format("{}\n{}:\n", text, label);
}

}  // namespace

bool Instruction::acquires() const {
  // A reduction returns no value, and forms no acquire pattern (PTX ISA 8.8).
  const bool observes = kind != Kind::atomic || result.has_value();
  return observes && (order == Order::acquire || order == Order::acq_rel || order == Order::sc);
}

bool Instruction::releases() const {
  return order == Order::release || order == Order::acq_rel || order == Order::sc;
}

std::string text_of(const Outcome& outcome) {
  std::string text;
  for (unsigned reg = 0; reg < kRegisters; ++reg) {
    if (outcome[reg] == kUnset) continue;
    text += fmt::format("{}r{}={}", text.empty() ? "" : " ", reg, outcome[reg]);
  }
  return text;
}

std::string text_of(const Placement& placement) {
  std::string text;
  for (const Place& place : placement) {
    text += fmt::format("{}{}.{}.{}", text.empty() ? "" : " ", place.block, place.warp, place.lane);
  }
  return text;
}

Program parse(std::string name, const std::vector<std::string>& threads) {
  Program program{std::move(name), {}};
  std::array<std::size_t, kRegisters> owner{};  // thread of each register, from 1
  for (const std::string& thread : threads) {
    program.threads.emplace_back();
    for (const std::string& text : split(thread, ';')) {
      const Instruction instruction = instruction_of(text);
      if (instruction.result) {
        std::size_t& owning = owner.at(*instruction.result);
        if (owning != 0 && owning != program.threads.size()) reject(text);
        owning = program.threads.size();
      }
      program.threads.back().push_back(instruction);
    }
  }
  return program;
}

std::ptrdiff_t barriers_of(const std::vector<Instruction>& thread) {
  return std::count_if(thread.begin(), thread.end(), [](const Instruction& instruction) {
    return instruction.kind == Kind::barrier;
  });
}

std::string ptx_of(const Program& program, const Placement& placement) {
  std::string body = "mov.u32 %r20, %ctaid.x; shr.u32 %r21, %me, 5; and.b32 %r22, %me, 31;\n";
  for (unsigned reg = 0; reg < kRegisters; ++reg) {
    body += fmt::format("mov.u32 %r{}, {};\n", reg, kUnset);
  }
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    const Place& place = placement[thread];
    body += fmt::format(
        "setp.ne.u32 %p1, %r20, {0}; @%p1 bra end_{3};\n setp.ne.u32 %p2, %r21, {1}; @%p2 bra "
        "end_{3};\n setp.eq.u32 %p8, %r22, {2};\n",
        place.block, place.warp, place.lane, thread);
    if (barriers_of(program.threads[thread]) == 0)
      body += fmt::format("@!%p8 bra end_{};\n", thread);
    for (std::size_t i = 0; i < program.threads[thread].size(); ++i) {
      body += text_of(program.threads[thread][i], fmt::format("after_{}_{}", thread, i));
    }
    body += fmt::format("@!%p8 bra end_{};\n", thread);
    for (const Instruction& instruction : program.threads[thread]) {
      if (!instruction.result) continue;
      body += fmt::format("st.global.u32 [%out+{}], %r{};\n", 4 * *instruction.result,
                          *instruction.result);
    }
    body += fmt::format("end_{}:\n", thread);
  }
  return body;
}

}  // namespace warpcheck::litmus
