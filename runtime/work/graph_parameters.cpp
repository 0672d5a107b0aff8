#include "runtime/work/graph_parameters.hpp"

#include <fmt/format.h>

#include "runtime/arrays.hpp"
#include "runtime/work/streams.hpp"

namespace warpcheck::runtime {
namespace {

cudaPitchedPtr pitched(const RegionPlace& place, const Region& region) {
  const std::size_t rows = place.pitch == 0 ? region.rows : place.slice_pitch / place.pitch;
  return {pointer_to(place.address), place.pitch, region.bytes, rows};
}

template <typename EventWork>
cudaError_t read_event(Runtime& runtime, cudaEvent_t event, Work& work) {
  work = EventWork{event};
  return check_event(runtime, "cudaGraphAddNode", event);
}

}  // namespace

cudaError_t read_parameters(Runtime& runtime, const cudaKernelNodeParams& from, Work& work) {
  LaunchWork launch{from.func, from.gridDim, from.blockDim, from.sharedMemBytes, {}};
  const cudaError_t error = runtime.read_arguments(launch, from.kernelParams, from.extra);
  work = std::move(launch);
  return error;
}

cudaError_t read_parameters(Runtime& runtime, const cudaMemcpy3DParms& from, Work& work) {
  if (from.srcArray != nullptr || from.dstArray != nullptr) {
    ArrayCopy places;
    const cudaError_t error = read_array_copy(runtime, "cudaGraphAddMemcpyNode", from, places);
    work = CopyWork{"cudaGraphLaunch", places.to, places.from, places.region, from.kind};
    return error;
  }
  work = copy_work("cudaGraphLaunch", from);
  return cudaSuccess;
}

cudaError_t read_parameters(Runtime& runtime, const cudaMemsetParams& from, Work& work) {
  const std::size_t bytes = from.elementSize;
  if (bytes != 1 && bytes != 2 && bytes != 4) {
    return runtime.misuse(cudaErrorInvalidValue,
                          fmt::format("a memset node has elements of {} bytes, expected 1, 2 or 4",
                                      from.elementSize));
  }
  work = FillWork{"cudaGraphLaunch",
                  {address_of(from.dst), from.pitch},
                  {from.width * bytes, from.height},
                  {from.value, bytes}};
  return cudaSuccess;
}

cudaError_t read_parameters(Runtime&, const cudaHostNodeParams& from, Work& work) {
  work = HostWork{from.fn, from.userData};
  return cudaSuccess;
}

cudaError_t read_parameters(Runtime& runtime, const cudaGraphNodeParams& from, Work& work) {
  switch (from.type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParamsV2& kernel = from.kernel;
      return read_parameters(
          runtime,
          cudaKernelNodeParams{kernel.func, kernel.gridDim, kernel.blockDim, kernel.sharedMemBytes,
                               kernel.kernelParams, kernel.extra},
          work);
    }
    case cudaGraphNodeTypeMemcpy:
      return read_parameters(runtime, from.memcpy.copyParams, work);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParamsV2& set = from.memset;
      return read_parameters(
          runtime,
          cudaMemsetParams{set.dst, set.pitch, set.value, set.elementSize, set.width, set.height},
          work);
    }
    case cudaGraphNodeTypeHost:
      return read_parameters(runtime, cudaHostNodeParams{from.host.fn, from.host.userData}, work);
    case cudaGraphNodeTypeGraph:
      work = ChildWork{clone(*from.graph.graph)};
      return cudaSuccess;
    case cudaGraphNodeTypeEmpty:
      work = EmptyWork{};
      return cudaSuccess;
    case cudaGraphNodeTypeWaitEvent:
      return read_event<WaitWork>(runtime, from.eventWait.event, work);
    case cudaGraphNodeTypeEventRecord:
      return read_event<RecordWork>(runtime, from.eventRecord.event, work);
    default:
      return runtime.unsupported(
          "cudaGraphAddNode",
          fmt::format("warpcheck exec has no graph nodes of type {}", int{from.type}));
  }
}

CopyWork plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return {"cudaGraphLaunch", {address_of(to)}, {address_of(from)}, {bytes}, kind};
}

void write_parameters(CUgraphNode_st& node, cudaKernelNodeParams& to) {
  auto& work = std::get<LaunchWork>(node.work);
  node.arguments.clear();
  const Kernel* const kernel = Runtime::instance().binaries().kernel(work.host);
  for (const device::KernelParameter& parameter : kernel->info.parameters) {
    node.arguments.push_back(work.parameters.data() + parameter.offset);
  }
  to = {
      const_cast<void*>(work.host), work.grid, work.block, static_cast<unsigned>(work.shared_bytes),
      node.arguments.data(),        nullptr};
}

void write_parameters(CUgraphNode_st& node, cudaMemcpy3DParms& to) {
  const auto& work = std::get<CopyWork>(node.work);
  to = {};
  to.srcPtr = pitched(work.from, work.region);
  to.dstPtr = pitched(work.to, work.region);
  to.extent = {work.region.bytes, work.region.rows, work.region.slices};
  to.kind = work.kind;
}

void write_parameters(CUgraphNode_st& node, cudaMemsetParams& to) {
  const auto& work = std::get<FillWork>(node.work);
  const std::size_t bytes = work.value.element_bytes;
  to = {
      pointer_to(work.to.address), work.to.pitch,   work.value.value, static_cast<unsigned>(bytes),
      work.region.bytes / bytes,   work.region.rows};
}

void write_parameters(CUgraphNode_st& node, cudaHostNodeParams& to) {
  const auto& work = std::get<HostWork>(node.work);
  to = {work.function, work.data};
}

}  // namespace warpcheck::runtime
