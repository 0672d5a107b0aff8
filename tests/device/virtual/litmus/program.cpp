#include "tests/device/virtual/litmus/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace warpcheck::litmus {
namespace {

constexpr unsigned kCopies = 64;  // bytes of shared memory of a thread

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

/// "x", or "x+4".
void set_location(const std::string& word, Instruction& instruction) {
  const std::vector<std::string> parts = split(word, '+');
  if (parts.front().size() != 1 || word[0] < 'x' || word[0] > 'z' || parts.size() > 2) reject(word);
  instruction.location = static_cast<unsigned>(word[0] - 'x');
  if (parts.size() == 2) instruction.offset = static_cast<unsigned>(std::stoul(parts[1]));
}

void set_modifiers(const std::vector<std::string>& parts, Instruction& instruction) {
  for (const std::string& part : parts) {
    if (part == "relaxed" || part == "volatile") instruction.order = Order::relaxed;
    if (part == "acquire") instruction.order = Order::acquire;
    if (part == "release") instruction.order = Order::release;
    if (part == "acq_rel") instruction.order = Order::acq_rel;
    if (part == "sc") instruction.order = Order::sc;
    if (part == "cta") instruction.reach = AccessScope::cta;
    if (part == "cluster") instruction.reach = AccessScope::cluster;
    if (part == "gpu") instruction.reach = AccessScope::gpu;
    if (part.size() == 2 && part[0] == 'b') {
      instruction.bytes = static_cast<unsigned>(part[1] - '0');
    }
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
  } else if (parts[0] == "bar" && words.size() <= 2) {
    instruction.kind = Kind::barrier;
    instruction.waits = words[0] != "bar.arrive";
    if (words.size() == 2) instruction.barrier = static_cast<unsigned>(std::stoul(words[1]));
  } else if (parts[0] == "wait" && words.size() == 1) {
    instruction.kind = Kind::wait;
    instruction.waits = words[0] == "wait";
  } else if (parts[0] == "bulk" && words.size() == 3) {
    instruction.kind = Kind::bulk;
    instruction.bytes = kLocationBytes;
    set_location(words[1], instruction);
    set_value(words[2], instruction);
  } else if (parts[0] == "ld" && words.size() == 3) {
    instruction.kind = Kind::load;
    instruction.result = register_of(words[1]);
    set_location(words[2], instruction);
  } else if ((parts[0] == "st" || parts[0] == "red") && words.size() == 3) {
    instruction.kind = parts[0] == "st" ? Kind::store : Kind::atomic;
    set_location(words[1], instruction);
    set_value(words[2], instruction);
  } else if (parts[0] == "atom" && words.size() == 4) {
    instruction.kind = Kind::atomic;
    instruction.result = register_of(words[1]);
    set_location(words[2], instruction);
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
  if (const std::size_t size = opcode.find(".b"); size != std::string::npos) opcode.erase(size, 3);
  std::string operation;
  if (instruction.kind == Kind::atomic) {
    const std::size_t dot = opcode.rfind('.');
    operation = opcode.substr(dot);
    opcode.resize(dot);
  }
  const bool wide = instruction.bytes == 8;
  const std::string place = fmt::format("[{}+{}]", "xyz"[instruction.location], instruction.offset);
  std::string before;
  std::string after;
  std::string value = instruction.source ? fmt::format("%r{}", *instruction.source)
                                         : std::to_string(instruction.value);
  if (wide && instruction.source) {
    before = fmt::format("cvt.u64.u32 %d20, {};\n", value);
    value = "%d20";
  }
  std::string operands = place + ", " + value;
  if (instruction.kind == Kind::load) operands = place;
  if (instruction.result) {
    operands =
        fmt::format("{}, {}", wide ? "%d21" : fmt::format("%r{}", *instruction.result), operands);
    if (wide) {  // see Instruction::folded()
      after = fmt::format(
          "mov.b64 {{%r{0}, %r23}}, %d21; shl.b32 %r23, %r23, 16;\n"
          "xor.b32 %r{0}, %r{0}, %r23;",
          *instruction.result);
    }
  }
  return fmt::format("{}{}.global{}.{}{} {};{}", before, opcode, operation,
                     operation == ".exch" ? 'b' : 'u', 8 * instruction.bytes, operands, after);
}

/// A copy of 16 bytes of the thread's own shared memory.
std::string copy_of(const Instruction& instruction) {
  return fmt::format(
      "st.shared.v4.u32 [%r24], {{{}, 0, 0, 0}};\nfence.proxy.async;\n"
      "mov.u64 %d20, {};\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%d20], [%r24], 16;\n"
      "cp.async.bulk.commit_group; add.u32 %r24, %r24, 16;",
      instruction.value, "xyz"[instruction.location]);
}

/// The threads of the program in one block that have the barrier of this number.
unsigned count_at(const Program& program, const Placement& placement, unsigned block,
                  unsigned barrier) {
  unsigned count = 0;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    const auto& all = program.threads[thread];
    const bool has = std::any_of(all.begin(), all.end(), [&](const Instruction& one) {
      return one.kind == Kind::barrier && one.barrier == barrier;
    });
    count += has && placement[thread].block == block ? 1 : 0;
  }
  return count;
}

/// An instruction of a thread; `label` is unused. All lanes of the warp execute a barrier, of
/// `threads` threads of the program.
std::string text_of(const Instruction& instruction, const std::string& label, unsigned threads) {
  if (instruction.kind == Kind::barrier) {
    if (instruction.barrier == 0) return "bar.sync 0;\n";
    return fmt::format("bar.{} {}, {};\n", instruction.waits ? "sync" : "arrive",
                       instruction.barrier, 32 * threads);
  }
  std::string text = fmt::format("@!%p8 bra {};\n", label);
  if (instruction.only_if) {
    text += fmt::format("setp.ne.u32 %p7, %r{}, {}; @%p7 bra {};\n", instruction.only_if->reg,
                        instruction.only_if->value, label);
  }
  if (instruction.kind == Kind::fence) {
    text += instruction.opcode + ";";
  } else if (instruction.kind == Kind::bulk) {
    text += copy_of(instruction);
  } else if (instruction.kind == Kind::wait) {
    text += fmt::format("cp.async.bulk.wait_group{} 0;", instruction.waits ? "" : ".read");
  } else {
    text += access_of(instruction);
  }
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

std::int64_t Instruction::folded(std::int64_t read) const {
  return bytes == 8 ? (read & 0xffffffff) ^ (read >> 32 << 16) : read;
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
  Program program{std::move(name), false, {}};
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
    return instruction.kind == Kind::barrier && instruction.barrier == 0;
  });
}

bool copies(const std::vector<Instruction>& thread) {
  return std::any_of(thread.begin(), thread.end(),
                     [](const Instruction& one) { return one.kind == Kind::bulk; });
}

std::string ptx_of(const Program& program, const Placement& placement) {
  std::string body;
  if (std::any_of(program.threads.begin(), program.threads.end(), copies)) {
    body += fmt::format(".shared .align 16 .b8 buffer[{}];\n", kCopies * program.threads.size());
  }
  body += "mov.u32 %r20, %ctaid.x; shr.u32 %r21, %me, 5; and.b32 %r22, %me, 31;\n";
  for (unsigned reg = 0; reg < kRegisters; ++reg) {
    body += fmt::format("mov.u32 %r{}, {};\n", reg, kUnset);
  }
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    const Place& place = placement[thread];
    body += fmt::format(
        "setp.ne.u32 %p1, %r20, {0}; @%p1 bra end_{3};\n setp.ne.u32 %p2, %r21, {1}; @%p2 bra "
        "end_{3};\n setp.eq.u32 %p8, %r22, {2};\n",
        place.block, place.warp, place.lane, thread);
    const bool meets = std::any_of(
        program.threads[thread].begin(), program.threads[thread].end(),
        [](const Instruction& instruction) { return instruction.kind == Kind::barrier; });
    if (!meets) body += fmt::format("@!%p8 bra end_{};\n", thread);
    if (copies(program.threads[thread])) {
      body += fmt::format("mov.u32 %r24, buffer; add.u32 %r24, %r24, {};\n", kCopies * thread);
    }
    for (std::size_t i = 0; i < program.threads[thread].size(); ++i) {
      const Instruction& instruction = program.threads[thread][i];
      body += text_of(instruction, fmt::format("after_{}_{}", thread, i),
                      count_at(program, placement, place.block, instruction.barrier));
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
