// The Python interpreter of the process, if the package warpcheck_exec is loaded in it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/events/event.hpp"

namespace warpcheck::runtime {

/// Functions of the package. They wait for the lock of the interpreter: see postponed.hpp.
struct Interpreter {
  /// The number, from 1, of the calls of the program on this thread. Equal calls have equal
  /// numbers.
  std::uint64_t (*current)() = nullptr;
  /// Writes [["function", "file", line], ...], the innermost call first. Returns the bytes.
  std::size_t (*describe)(std::uint64_t calls, char* text, std::size_t bytes) = nullptr;
};

/// Without functions: there is no interpreter any more.
void set_interpreter(const Interpreter& interpreter);
[[nodiscard]] bool has_interpreter();

/// The number of the calls of this thread; 0: there is no interpreter. Waits for its lock.
[[nodiscard]] std::uint64_t interpreter_calls();

/// The stack with calls of the program in place of the frames of the interpreter's own code.
[[nodiscard]] HostStack with_interpreter_calls(HostStack stack, std::uint64_t calls);

}  // namespace warpcheck::runtime
