#include "device/virtual/isa/control/system_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "device/virtual/isa/control/call_values.hpp"
#include "device/virtual/isa/control/device_runtime.hpp"
#include "device/virtual/isa/control/printf_format.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::Mask;
using machine::Op;
using machine::Warp;

constexpr std::uint64_t kChargePerCall = 64;  // instructions charged to the budget for one lane

/// Reads `size` bytes at a generic address of one lane; empty if some of them are not in memory.
std::optional<std::uint64_t> read(Warp& warp, unsigned lane, std::uint64_t address,
                                  std::size_t size) {
  Op generic;
  const machine::Container container = machine::locate(warp, generic, address);
  const std::uint64_t offset = address - container.base;
  if (container.bytes.size < size || offset > container.bytes.size - size) return std::nullopt;
  std::uint64_t value = 0;
  std::memcpy(&value, container.bytes.data + offset + lane * container.lane_stride, size);
  return value;
}

/// Reads a zero-terminated string at a generic address; it ends at the end of the memory at the
/// latest.
std::string read_text(Warp& warp, unsigned lane, std::uint64_t address) {
  constexpr std::size_t kLongest = 4096;
  std::string text;
  while (text.size() < kLongest) {
    const auto character = read(warp, lane, address + text.size(), 1);
    if (!character || *character == 0) break;
    text += static_cast<char>(*character);
  }
  return text;
}

/// int vprintf(const char* format, void* arguments). The arguments are consecutive in memory.
/// Returns their number, or -1 if the format is null (CUDA C++ Programming Guide).
Flow print(Warp& warp, const Op& op) {
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const std::uint64_t format = argument(warp, op, lane, 0, 8);
    if (format == 0) {
      write_result(warp, op, lane, 2, ~std::uint64_t{0}, 4);
      continue;
    }
    std::uint64_t place = argument(warp, op, lane, 1, 8);
    const auto next = [&](std::size_t size) {
      place = (place + size - 1) / size * size;
      const std::uint64_t value = read(warp, lane, place, size).value_or(0);
      place += size;
      return value;
    };
    const auto text = [&](std::uint64_t address) { return read_text(warp, lane, address); };
    const Printed printed = format_printf(read_text(warp, lane, format), {next, text});
    warp.block().print(printed.text);
    warp.charge(kChargePerCall);
    write_result(warp, op, lane, 2, printed.arguments, 4);
  }
  return Flow::next;
}

/// void* malloc(size_t size). Returns null if the heap has no room: cudaLimitMallocHeapSize is 8
/// MiB unless the program sets it.
Flow allocate(Warp& warp, const Op& op) {
  machine::GlobalMemory& memory = *warp.block().launch().memory;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const machine::Allocation* const block = memory.add_heap_block(argument(warp, op, lane, 0, 8));
    write_result(warp, op, lane, 1, block == nullptr ? 0 : block->address, 8);
    warp.charge(kChargePerCall);
  }
  if (memory.host_bytes() > warp.block().launch().memory_bytes) {
    return warp.stop_beyond_heap(op, "malloc");
  }
  warp.block().note_change();
  return Flow::next;
}

/// void free(void* block)
Flow release(Warp& warp, const Op& op) {
  machine::GlobalMemory& memory = *warp.block().launch().memory;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) == 0) continue;
    const std::uint64_t address = argument(warp, op, lane, 0, 8);
    if (address == 0) continue;
    machine::Allocation* const block = memory.near(address);
    const bool is_block = block != nullptr && block->address == address;
    const bool is_freed = is_block && block->heap == machine::HeapState::freed;
    if (is_freed || !is_block || block->heap != machine::HeapState::live) {
      if (!warp.goes_on_after(
              op, Mask{1} << lane,
              is_freed ? FindingClass::use_after_free : FindingClass::out_of_bounds,
              is_freed
                  ? fmt::format("free of {}, which was freed before", block->name)
                  : fmt::format("free of address {:#x}, which malloc did not return", address))) {
        return Flow::leave;
      }
      continue;
    }
    memory.free_heap_block(*block);
    warp.charge(kChargePerCall);
  }
  warp.block().note_change();
  return Flow::next;
}

/// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
/// size_t character_size)
Flow assertion_failed(Warp& warp, const Op& op) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.active()));
  return warp.fault(op, warp.active(), FindingClass::launch_failure,
                    fmt::format("{}:{}: assertion `{}` failed",
                                read_text(warp, lane, argument(warp, op, lane, 1, 8)),
                                argument(warp, op, lane, 2, 4),
                                read_text(warp, lane, argument(warp, op, lane, 0, 8))));
}

}  // namespace

void lower_system_call(Lowering& lowering, const std::string& name) {
  machine::FunctionCode& code = lowering.function.code();
  // An op without arguments still has a detail.
  static_cast<void>(lowering.detail());
  if (name == "vprintf") {
    lowering.result.run = print;
  } else if (name == "__assertfail") {
    lowering.result.run = assertion_failed;
  } else if (name == "malloc" || name == "free") {
    // All blocks share the heap. On one host thread, its addresses are the same on every run.
    code.communicates = true;
    lowering.result.run = name == "malloc" ? allocate : release;
  } else if (!lower_device_runtime(lowering, name, false)) {
    throw DecodeError("no definition of function " + name);
  }
}

}  // namespace warpcheck::isa
