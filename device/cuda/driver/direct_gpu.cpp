#include "device/cuda/driver/direct_gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "base/diagnostic.hpp"
#include "device/cuda/driver/driver_error.hpp"
#include "device/cuda/driver/gpu_name.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::device::cuda {
namespace {

constexpr int kGenerateLineInfo = 13;  // CU_JIT_GENERATE_LINE_INFO

}  // namespace

DirectGpu::DirectGpu() : driver_(open_driver()) {
  Context context = nullptr;
  int result = driver_.init(0);
  if (result == kSuccess) result = driver_.device_get(&device_, 0);
  if (result == kSuccess) result = driver_.device_primary_ctx_retain(&context, device_);
  if (result == kSuccess) result = driver_.ctx_set_current(context);
  if (result == kSuccess) result = driver_.event_create(&start_, 0);
  if (result == kSuccess) result = driver_.event_create(&stop_, 0);
  if (result != kSuccess) {
    throw EnvironmentError(fmt::format("no usable NVIDIA GPU: {}", describe(driver_, result)));
  }
}

DirectGpu::~DirectGpu() {
  release();
  for (const auto& [ptx, module] : modules_) driver_.module_unload(module);
}

std::string DirectGpu::description() const { return describe_gpu(driver_, device_); }

int DirectGpu::attribute(int number) const {
  int value = 0;
  return driver_.device_get_attribute(&value, number, device_) == kSuccess ? value : 0;
}

void DirectGpu::check(int result, std::string_view what) const {
  if (result == kSuccess) return;
  throw std::runtime_error(fmt::format("{}: {}", what, describe(driver_, result)));
}

Module DirectGpu::load(const std::string& ptx) {
  if (const auto loaded = modules_.find(ptx); loaded != modules_.end()) return loaded->second;
  Module module = nullptr;
  std::array<int, 1> options = {kGenerateLineInfo};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver takes numbers as pointers
  std::array<void*, 1> values = {reinterpret_cast<void*>(std::uintptr_t{1})};
  check(driver_.module_load_data_ex(&module, ptx.c_str(), options.size(), options.data(),
                                    values.data()),
        "load");
  modules_.emplace(ptx, module);
  cooperative_[module] = ptx::cooperative_entries(ptx);
  return module;
}

DeviceAddress DirectGpu::allocate(std::size_t bytes) {
  DeviceAddress address = 0;
  check(driver_.mem_alloc(&address, std::max<std::size_t>(1, bytes)), "allocate");
  allocations_.push_back(address);
  return address;
}

void DirectGpu::release() {
  for (const DeviceAddress address : allocations_) driver_.mem_free(address);
  allocations_.clear();
}

std::vector<DeviceAddress> DirectGpu::place(std::span<const Buffer> buffers) {
  std::vector<DeviceAddress> addresses;
  for (const Buffer& buffer : buffers) {
    addresses.push_back(allocate(buffer.shift_bytes + buffer.extent.bytes()) + buffer.shift_bytes);
    if (buffer.initialized) copy_rows(buffer, addresses.back());
  }
  return addresses;
}

void DirectGpu::copy_rows(const Buffer& buffer, DeviceAddress to) const {
  if (buffer.extent.row_bytes == 0) return;
  for (std::size_t row = 0; row < buffer.extent.rows(); ++row) {
    const std::size_t begin = buffer.extent.row_begin(row);
    check(driver_.memcpy_host_to_device(to + begin, buffer.bytes.data() + buffer.index_from(begin),
                                        buffer.extent.row_bytes),
          "copy");
  }
}

std::vector<std::byte> DirectGpu::read(DeviceAddress from, std::size_t bytes) const {
  std::vector<std::byte> result(bytes);
  check(driver_.memcpy_device_to_host(result.data(), from, bytes), "copy");
  return result;
}

DirectGpu::Call DirectGpu::prepare(Module module, const Launch& launch,
                                   std::span<const DeviceAddress> addresses) {
  Call call;
  check(driver_.module_get_function(&call.function, module, launch.entry.c_str()), launch.entry);
  const auto store = [](std::vector<std::byte>& bytes, std::size_t offset, DeviceAddress address) {
    std::memcpy(bytes.data() + offset, &address, sizeof address);
  };
  const auto at = [&](const BufferAddress& target) {
    return addresses[target.buffer] + target.offset;
  };
  for (const Argument& argument : launch.arguments) {
    std::vector<std::byte>& bytes = call.arguments.emplace_back();
    if (const auto* scalar = std::get_if<Scalar>(&argument)) {
      bytes.assign(scalar->bytes.begin(), scalar->bytes.end());
    } else if (const auto* value = std::get_if<ByteArgument>(&argument)) {
      bytes = value->bytes;
      for (const auto& pointer : value->pointers) store(bytes, pointer.offset, at(pointer.target));
    } else if (const auto* map = std::get_if<TensorMapArgument>(&argument)) {
      check(encode_tensor_map(driver_, map->map, at(map->target), bytes), "tensor map");
    } else {
      bytes.resize(sizeof(DeviceAddress));
      store(bytes, 0, at(std::get<BufferAddress>(argument)));
    }
  }
  call.shape = {launch.grid, launch.block, launch.cluster.value_or(Dim3{0, 0, 0}),
                launch.shared_bytes, cooperative_[module].contains(launch.entry)};
  check(raise_limits(driver_, call.function, call.shape), "shared memory");
  return call;
}

void DirectGpu::launch(Call& call) const {
  std::vector<void*> arguments;
  for (auto& bytes : call.arguments) arguments.push_back(bytes.data());
  check(cuda::launch(driver_, call.function, call.shape, arguments.data()), "launch");
}

void DirectGpu::wait() const {
  int result = kNotReady;
  while (result == kNotReady) result = driver_.stream_query(nullptr);
  check(result, "run");
}

void DirectGpu::begin_timing() const { check(driver_.event_record(start_, nullptr), "event"); }

double DirectGpu::end_timing() const {
  check(driver_.event_record(stop_, nullptr), "event");
  wait();
  float milliseconds = 0.0F;
  check(driver_.event_elapsed_time(&milliseconds, start_, stop_), "event");
  return static_cast<double>(milliseconds);
}

}  // namespace warpcheck::device::cuda
