#include "device/virtual/isa/control/device_runtime.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text/demangle.hpp"
#include "device/virtual/isa/control/call_values.hpp"
#include "device/virtual/isa/layout.hpp"
#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/block.hpp"
#include "device/virtual/machine/core/source_place.hpp"
#include "device/virtual/machine/family/grid_family.hpp"
#include "device/virtual/machine/grid/grid.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::Flow;
using machine::FunctionCode;
using machine::GridFamily;
using machine::GridRequest;
using machine::LaunchContext;
using machine::Mask;
using machine::Op;
using machine::Warp;

constexpr std::string_view kPrefix = "__cudaCDP2";
constexpr std::string_view kSetConditional = "cudaGraphSetConditional";
/// The functions of the driver that functions of libcudadevrt.a call.
constexpr std::string_view kSystemPrefix = "__cuda_syscall_cnpv2";

constexpr std::uint64_t kChargePerLaunch = 1024;  // instructions charged to the budget for one lane

/// Errors of the device runtime (CUDA Runtime API, cudaError).
constexpr std::uint64_t kSuccess = 0;
constexpr std::uint64_t kInvalidValue = 1;
constexpr std::uint64_t kInvalidConfiguration = 9;
constexpr std::uint64_t kMaxDepthExceeded = 65;

/// Flags of a stream and of an event: cudaStreamNonBlocking, cudaEventDisableTiming.
constexpr std::uint64_t kNonBlocking = 1;
constexpr std::uint64_t kWithoutTime = 2;

/// Largest number of launches between the host and a grid (CUDA C++ Programming Guide, "Nesting
/// Depth").
constexpr unsigned kMostDepth = 24;
/// Largest number of launches that a grid has requested and that have not begun.
constexpr std::size_t kMostPending = std::size_t{1} << 20;

template <class Body>
void for_active_lanes(Warp& warp, Body body) {
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    if ((warp.active() >> lane & 1) != 0 && !body(lane)) return;
  }
}

std::uint64_t& last_error_of(Warp& warp, unsigned lane) {
  return warp.block().launch().family->last_error(warp.block().number(),
                                                  warp.index() * machine::kLanes + lane);
}

Dim3 extent_argument(Warp& warp, const Op& op, unsigned lane, std::size_t index) {
  std::array<std::uint32_t, 3> extent{};
  read_argument(warp, op, lane, index, std::as_writable_bytes(std::span(extent)));
  return {extent[0], extent[1], extent[2]};
}

const FunctionCode* kernel_at(const Warp& warp, std::uint64_t address) {
  const auto& functions = warp.block().launch().program->functions;
  const std::uint64_t index = address - kFunctionWindow;
  if (index >= functions.size() || !functions[index].source->is_entry) return nullptr;
  return &functions[index];
}

/// void* cudaGetParameterBufferV2(void* kernel, dim3 grid, dim3 block, unsigned shared_bytes)
Flow get_parameter_buffer(Warp& warp, const Op& op) {
  machine::GlobalMemory& memory = *warp.block().launch().memory;
  Flow flow = Flow::next;
  for_active_lanes(warp, [&](unsigned lane) {
    GridRequest request;
    request.kernel = kernel_at(warp, argument(warp, op, lane, 0, 8));
    request.extent = extent_argument(warp, op, lane, 1);
    request.block = extent_argument(warp, op, lane, 2);
    request.shared_bytes = argument(warp, op, lane, 3, 4);
    if (request.kernel == nullptr) {
      write_result(warp, op, lane, 4, 0, 8);
      if (warp.goes_on_after(op, Mask{1} << lane, FindingClass::invalid_call,
                             "a launch of an address that is no kernel of the module")) {
        return true;
      }
      flow = Flow::leave;
      return false;
    }
    machine::Allocation& buffer =
        memory.add_stack_block(request.kernel->parameter_bytes, "the parameters of a launch");
    warp.block().launch().family->add_buffer(buffer.address, request);
    write_result(warp, op, lane, 4, buffer.address, 8);
    return true;
  });
  if (memory.host_bytes() > warp.block().launch().memory_bytes) {
    return warp.stop_beyond_heap(op, "launches");
  }
  warp.block().note_change();
  return flow;
}

/// An error and its reason.
using Refusal = std::pair<std::uint64_t, std::string>;

/// The message about an argument that is an address of the thread's own memory, which no other grid
/// can access (CUDA C++ Programming Guide, "Shared and Local Memory").
std::optional<std::string> foreign_argument(const machine::DeviceLaunch& launch) {
  const auto in = [](std::uint64_t address, std::uint64_t window) {
    return address - window < machine::kWindowBytes;
  };
  const auto& places = launch.grid.kernel->parameters;
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::uint64_t value = 0;
    if (places[i].bytes != sizeof(value)) continue;
    std::memcpy(&value, launch.parameters.data() + places[i].offset, sizeof(value));
    const bool shared = in(value, machine::kSharedWindow);
    if (!shared && !in(value, machine::kLocalWindow)) continue;
    return fmt::format(
        "argument {} of {} is an address of {} memory, which another grid cannot access", i + 1,
        demangle(launch.grid.kernel->source->name), shared ? "shared" : "local");
  }
  return std::nullopt;
}

std::optional<Refusal> refusal(const Warp& warp, const GridRequest& request) {
  LaunchContext child = warp.block().launch();
  child.kernel = request.kernel;
  child.grid = request.extent;
  child.block = request.block;
  child.cluster = machine::declared_cluster(*request.kernel);
  child.dynamic_shared_bytes = request.shared_bytes;
  const std::string name = demangle(request.kernel->source->name);
  if (!request.kernel->refused.empty()) return Refusal{kInvalidValue, request.kernel->refused};
  if (const auto exceeded = machine::exceeded_limit(child)) {
    return Refusal{kInvalidConfiguration,
                   fmt::format("the launch of {}: {}", name, exceeded->message)};
  }
  const unsigned depth = warp.block().launch().family->running().depth + 1;
  if (depth > kMostDepth) {
    return Refusal{kMaxDepthExceeded, fmt::format("the launch of {} has nesting depth {}; the "
                                                  "architecture allows {}",
                                                  name, depth, kMostDepth)};
  }
  return std::nullopt;
}

/// The place of a call of the device runtime, which is in the code that calls its functions. The
/// functions of libcudadevrt.a launch kernels for copies and fills.
SourcePlace place_of_call(const Warp& warp, const Op& op) {
  const Op* call = &op;
  const machine::Frame* frame = &warp.frame();
  while (frame->caller != nullptr && frame->code->source->name.starts_with(kPrefix)) {
    call = frame->call;
    frame = frame->caller.get();
  }
  return source_place(*warp.block().launch().program, *frame->code, *call);
}

/// Executes launches of one lane. Returns the error, and adds findings.
class LaneLaunch {
 public:
  LaneLaunch(Warp& warp, const Op& op, unsigned lane) : warp_(warp), op_(op), lane_(lane) {}

  [[nodiscard]] std::uint64_t run() {
    const LaunchContext& launch = warp_.block().launch();
    const std::uint64_t address = argument(warp_, op_, lane_, 0, 8);
    const auto request = launch.family->take_buffer(address);
    if (!request) {
      return refuse(FindingClass::invalid_call, kInvalidValue,
                    "a launch without a buffer of cudaGetParameterBuffer()");
    }
    machine::Allocation& buffer = *launch.memory->near(address);
    machine::DeviceLaunch child;
    child.grid = *request;
    child.parameters.assign(buffer.data.data(), buffer.data.data() + buffer.extent.bytes());
    child.parameters_shadow.assign(buffer.shadow.data(),
                                   buffer.shadow.data() + buffer.extent.bytes());
    if (launch.global_races != nullptr) launch.global_races->forget(address);
    launch.memory->free_stack_block(buffer);
    if (auto refused = refusal(warp_, *request)) {
      return refuse(FindingClass::launch_failure, refused->first, std::move(refused->second));
    }
    if (auto foreign = foreign_argument(child)) {
      static_cast<void>(refuse(FindingClass::invalid_call, kSuccess, std::move(*foreign)));
    }
    child.stream = argument(warp_, op_, lane_, 1, 8);
    child.by_block = warp_.block().number();
    child.by_thread = warp_.block().place(warp_.index(), lane_);
    child.source = place_of_call(warp_, op_);
    warp_.block().races().clocks().release(warp_.index(), Mask{1} << lane_, child.clock);
    launch.family->add_launch(std::move(child));
    if (launch.family->pending() > launch.family->room()) note_full_buffer();
    return kSuccess;
  }

  [[nodiscard]] bool goes_on() const { return goes_on_; }

 private:
  /// Adds a note about a full buffer. On this device, grids of threads begin when the grid of these
  /// threads has ended.
  void note_full_buffer() {
    machine::Block& block = warp_.block();
    if (block.is_repeated_note(op_)) return;
    Finding note = warp_.finding(
        op_, Mask{1} << lane_, FindingClass::launch_failure,
        fmt::format("more than {} launches of a grid may be pending, the limit "
                    "cudaLimitDevRuntimePendingLaunchCount: on a GPU, a launch may then fail with "
                    "cudaErrorLaunchOutOfResources",
                    block.launch().family->room()));
    note.grade = Grade::launch_limit;
    block.add_note(op_, std::move(note));
  }

  std::uint64_t refuse(FindingClass kind, std::uint64_t error, std::string message) {
    goes_on_ = warp_.goes_on_after(op_, Mask{1} << lane_, kind, std::move(message)) && goes_on_;
    return error;
  }

  Warp& warp_;
  const Op& op_;
  unsigned lane_;
  bool goes_on_ = true;
};

/// cudaError_t cudaLaunchDeviceV2(void* parameter_buffer, cudaStream_t stream)
Flow launch_device(Warp& warp, const Op& op) {
  Flow flow = Flow::next;
  for_active_lanes(warp, [&](unsigned lane) {
    LaneLaunch launch(warp, op, lane);
    const std::uint64_t error = launch.run();
    if (error != kSuccess) last_error_of(warp, lane) = error;
    write_result(warp, op, lane, 2, error, 4);
    warp.charge(kChargePerLaunch);
    if (!launch.goes_on()) flow = Flow::leave;
    return launch.goes_on();
  });
  if (warp.block().launch().family->pending() > kMostPending) {
    return warp.stop_beyond_heap(op, "launches");
  }
  warp.block().note_change();
  return flow;
}

/// cudaError_t cudaGetLastError(void), cudaPeekAtLastError(void)
template <bool kClears>
Flow get_error(Warp& warp, const Op& op) {
  for_active_lanes(warp, [&](unsigned lane) {
    std::uint64_t& error = last_error_of(warp, lane);
    write_result(warp, op, lane, 0, error, 4);
    if (kClears) error = kSuccess;
    return true;
  });
  return Flow::next;
}

/// cudaError_t SetLastError(cudaError_t error) of the driver
Flow set_error(Warp& warp, const Op& op) {
  for_active_lanes(warp, [&](unsigned lane) {
    const std::uint64_t error = argument(warp, op, lane, 0, 4);
    last_error_of(warp, lane) = error;
    write_result(warp, op, lane, 1, error, 4);
    return true;
  });
  return Flow::next;
}

/// Executes a call that has no effect on this device, such as cudaStreamDestroy(cudaStream_t): work
/// that was launched in the stream still runs.
template <std::size_t kArguments>
Flow succeed(Warp& warp, const Op& op) {
  for_active_lanes(warp, [&](unsigned lane) {
    write_result(warp, op, lane, kArguments, kSuccess, 4);
    return true;
  });
  return Flow::next;
}

/// Writes `bytes` bytes to the address in argument 0, as a store of the thread.
bool write_to_argument(Warp& warp, const Op& op, unsigned lane, std::uint64_t value,
                       std::size_t bytes) {
  Op generic;
  const std::uint64_t address = argument(warp, op, lane, 0, 8);
  const machine::Container place = machine::locate(warp, generic, address);
  const std::uint64_t offset = address - place.base;
  if (place.bytes.size < bytes || offset > place.bytes.size - bytes) {
    return warp.goes_on_after(op, Mask{1} << lane, FindingClass::out_of_bounds,
                              "the result is stored outside of all memory");
  }
  const std::size_t at = offset + lane * place.lane_stride;
  std::memcpy(place.bytes.data + at, &value, bytes);
  std::memset(place.bytes.shadow + at, 0xff, bytes);
  return true;
}

/// cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags), and its equivalent
/// for events: the stream must not wait for others, the event must not have timing.
template <std::uint64_t kFlags>
Flow create(Warp& warp, const Op& op) {
  Flow flow = Flow::next;
  for_active_lanes(warp, [&](unsigned lane) {
    const bool valid = argument(warp, op, lane, 1, 4) == kFlags;
    const std::uint64_t error = valid ? kSuccess : kInvalidValue;
    bool goes_on = true;
    if (valid) {
      goes_on = write_to_argument(warp, op, lane, warp.block().launch().family->new_handle(), 8);
    } else {
      goes_on = warp.goes_on_after(
          op, Mask{1} << lane, FindingClass::invalid_call,
          kFlags == kNonBlocking ? "a stream of the device needs the flag cudaStreamNonBlocking"
                                 : "an event of the device needs the flag cudaEventDisableTiming");
      last_error_of(warp, lane) = error;
    }
    write_result(warp, op, lane, 2, error, 4);
    if (!goes_on) flow = Flow::leave;
    return goes_on;
  });
  return flow;
}

/// cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream), cudaStreamWaitEvent(
/// cudaStream_t stream, cudaEvent_t event, unsigned flags)
template <machine::DeviceLaunch::Kind kKind, std::size_t kArguments>
Flow order_stream(Warp& warp, const Op& op) {
  constexpr bool kRecords = kKind == machine::DeviceLaunch::Kind::record;
  for_active_lanes(warp, [&](unsigned lane) {
    machine::DeviceLaunch order;
    order.kind = kKind;
    order.event = argument(warp, op, lane, kRecords ? 0 : 1, 8);
    order.stream = argument(warp, op, lane, kRecords ? 1 : 0, 8);
    order.by_block = warp.block().number();
    warp.block().launch().family->add_launch(std::move(order));
    write_result(warp, op, lane, kArguments, kSuccess, 4);
    warp.charge(kChargePerLaunch);
    return true;
  });
  warp.block().note_change();
  return Flow::next;
}

/// cudaError_t cudaGetDevice(int* device), cudaGetDeviceCount(int* count)
template <std::uint64_t kValue>
Flow get_number(Warp& warp, const Op& op) {
  Flow flow = Flow::next;
  for_active_lanes(warp, [&](unsigned lane) {
    const bool goes_on = write_to_argument(warp, op, lane, kValue, 4);
    write_result(warp, op, lane, 1, kSuccess, 4);
    if (!goes_on) flow = Flow::leave;
    return goes_on;
  });
  return flow;
}

/// void cudaGraphSetConditional(cudaGraphConditionalHandle condition, unsigned value): the handle
/// is the address of the value.
Flow set_conditional(Warp& warp, const Op& op) {
  Flow flow = Flow::next;
  for_active_lanes(warp, [&](unsigned lane) {
    const std::uint64_t handle = argument(warp, op, lane, 0, 8);
    const machine::Allocation* const value = warp.block().launch().memory->near(handle);
    bool goes_on = true;
    if (value != nullptr && value->address == handle && value->name.starts_with("condition ")) {
      goes_on = write_to_argument(warp, op, lane, argument(warp, op, lane, 1, 4), 4);
    } else {
      goes_on = warp.goes_on_after(op, Mask{1} << lane, FindingClass::invalid_call,
                                   fmt::format("{:#x} is no condition of a graph", handle));
    }
    if (!goes_on) flow = Flow::leave;
    return goes_on;
  });
  warp.block().note_change();
  return flow;
}

using Handler = Flow (*)(Warp&, const Op&);
using Handlers = std::map<std::string_view, Handler>;
using Kind = machine::DeviceLaunch::Kind;

/// The handlers, by the function's name without "cuda".
const Handlers& handlers() {
  static const Handlers all = {
      {"GetParameterBufferV2", get_parameter_buffer},
      {"LaunchDeviceV2", launch_device},
      {"GetLastError", get_error<true>},
      {"PeekAtLastError", get_error<false>},
      {"StreamCreateWithFlags", create<kNonBlocking>},
      {"StreamDestroy", succeed<1>},
      {"StreamWaitEvent", order_stream<Kind::wait, 3>},
      {"EventCreateWithFlags", create<kWithoutTime>},
      {"EventRecord", order_stream<Kind::record, 2>},
      {"EventRecordWithFlags", order_stream<Kind::record, 3>},
      {"EventDestroy", succeed<1>},
      {"GetDevice", get_number<0>},
      {"GetDeviceCount", get_number<1>},
  };
  return all;
}

/// The functions of the driver that functions of libcudadevrt.a call for copies and fills.
const Handlers& system_handlers() {
  static const Handlers all = {
      {"GetParameterBufferV2", get_parameter_buffer},
      {"LaunchDeviceV2", launch_device},
      {"GetLastError", get_error<false>},
      {"SetLastError", set_error},
  };
  return all;
}

/// Null if the table does not have the function.
Handler handler_of(const Handlers& all, std::string_view name) {
  if (name.ends_with("_ptsz")) name.remove_suffix(5);
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace

bool lower_device_runtime(Lowering& lowering, const std::string& name, bool is_defined) {
  const bool is_system = name.starts_with(kSystemPrefix);
  if (name != kSetConditional && !is_system && !name.starts_with(kPrefix)) return false;
  const std::string_view rest =
      std::string_view(name).substr(is_system ? kSystemPrefix.size() : kPrefix.size());
  const Handler handler = name == kSetConditional
                              ? set_conditional
                              : handler_of(is_system ? system_handlers() : handlers(), rest);
  if (handler == nullptr) {
    if (is_defined && !is_system) return false;
    throw DecodeError(fmt::format("cuda{} of the device runtime is not supported", rest));
  }
  // On one host thread, the order of the launches is the same on every run.
  lowering.function.code().communicates = true;
  static_cast<void>(lowering.detail());  // an op without arguments needs a detail, too
  lowering.result.run = handler;
  return true;
}

}  // namespace warpcheck::isa
