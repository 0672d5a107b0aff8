#include "runtime/work/work.hpp"

#include <algorithm>

#include "runtime/work/capture.hpp"
#include "runtime/work/graph.hpp"
#include "runtime/work/stream_races.hpp"
#include "runtime/work/streams.hpp"

namespace warpcheck::runtime {
namespace {

struct Executor {
  Runtime& runtime;

  cudaError_t operator()(const LaunchWork& work) const { return runtime.launch(work); }
  cudaError_t operator()(const CopyWork& work) const {
    return copy(runtime, work.function, work.to, work.from, work.region, work.kind);
  }
  cudaError_t operator()(const FillWork& work) const {
    return fill(runtime, work.function, work.to, work.region, work.value);
  }
  cudaError_t operator()(const LibraryWork& work) const {
    work.run(runtime);
    return cudaSuccess;
  }
  cudaError_t operator()(const AllocateWork& work) const {
    graph_memory_use().add(*work.memory);
    return cudaSuccess;
  }
  cudaError_t operator()(const FreeWork& work) const {
    graph_memory_use().free(work.address);
    return cudaSuccess;
  }
  cudaError_t operator()(const RecordWork& work) const {
    if (const cudaError_t error = check_event(runtime, "cudaEventRecord", work.event)) return error;
    forget_capture(work.event);
    work.event->recorded = true;
    work.event->time = std::chrono::steady_clock::now();
    return cudaSuccess;
  }
  cudaError_t operator()(const WaitWork& work) const {
    return check_event(runtime, "cudaStreamWaitEvent", work.event);
  }
  template <typename Other>  // other work has no effect on the device
  cudaError_t operator()(const Other&) const {
    return cudaSuccess;
  }
};

RegionPlace place_of(const cudaPitchedPtr& pointer, const cudaPos& at) {
  const std::size_t slice_pitch = pointer.pitch * pointer.ysize;
  return {address_of(pointer.ptr) + at.z * slice_pitch + at.y * pointer.pitch + at.x, pointer.pitch,
          slice_pitch};
}

bool has_no_bytes(const Work& work) {
  const auto* const copy = std::get_if<CopyWork>(&work);
  const auto* const fill = std::get_if<FillWork>(&work);
  return (copy != nullptr && is_empty(copy->region)) || (fill != nullptr && is_empty(fill->region));
}

}  // namespace

CopyWork copy_work(const char* function, const cudaMemcpy3DParms& parameters) {
  const cudaExtent& extent = parameters.extent;
  return {function,
          place_of(parameters.dstPtr, parameters.dstPos),
          place_of(parameters.srcPtr, parameters.srcPos),
          {extent.width, extent.height, extent.depth},
          parameters.kind};
}

/// Sums the memory in the unit in which an H200 backs the memory of graphs.
void GraphMemoryUse::update() {
  constexpr std::uint64_t kUnit = std::uint64_t{32} << 20;
  std::uint64_t bytes = 0;
  for (const auto& [memory, freed] : freed_) bytes += memory->bytes();
  current_ = (bytes + kUnit - 1) / kUnit * kUnit;
  high_ = std::max(high_, current_);
}

void GraphMemoryUse::add(const GraphMemory& memory) {
  const bool is_new = freed_.emplace(&memory, false).second;
  freed_[&memory] = false;
  if (is_new) update();
}

void GraphMemoryUse::free(const void* address) {
  for (auto& [memory, freed] : freed_) freed = freed || memory->address() == address;
}

void GraphMemoryUse::trim(Runtime& runtime) {
  std::erase_if(freed_, [&](const auto& entry) {
    return entry.second || runtime.allocation_at(address_of(entry.first->address())) == nullptr;
  });
  update();
}

GraphMemoryUse& graph_memory_use() {
  static auto* const use = new GraphMemoryUse();
  return *use;
}

GraphMemory::~GraphMemory() {
  Runtime& runtime = Runtime::instance();
  graph_memory_use().remove(*this);
  if (runtime.allocation_at(address_of(address_)) == nullptr) return;  // the program freed it
  static_cast<void>(free_memory(runtime, "cudaGraphDestroy", address_, MemoryUse::device));
}

cudaError_t execute(Runtime& runtime, const Work& work) {
  return std::visit(Executor{runtime}, work);
}

cudaError_t submit(Runtime& runtime, const char* function, cudaStream_t stream, const Work& work) {
  if (stream == nullptr) stream = default_stream();
  if (const cudaError_t error = check_stream(runtime, function, stream)) return error;
  if (has_no_bytes(work)) return cudaSuccess;
  if (is_capturing(stream)) return record(runtime, function, stream, work);
  if (const cudaError_t error = check_legacy(runtime, function, stream)) return error;
  return execute_in_order(runtime, stream, work);
}

cudaError_t submit_launch(Runtime& runtime, const char* function, cudaStream_t stream,
                          LaunchWork work, void** arguments, void** extra) {
  if (const cudaError_t error = runtime.read_arguments(work, arguments, extra)) return error;
  const cudaError_t earlier = runtime.device_error();
  const cudaError_t error = submit(runtime, function, stream, work);
  return error == cudaSuccess ? earlier : error;
}

}  // namespace warpcheck::runtime
