#include "workflows/exec/runtime/binaries.hpp"

#include <fmt/format.h>

#include <cstring>

#include "base/diagnostic.hpp"
#include "workflows/exec/fatbin/fatbin.hpp"
#include "workflows/exec/runtime/device_model.hpp"

namespace warpcheck::workflows::exec {
namespace {

/// As nvcc writes it (fatbinary_section.h).
struct FatBinaryWrapper {
  std::int32_t magic;
  std::int32_t version;  // 1; 2: relocatable device code, linked by nvlink
  const std::byte* data;
  const void* file_name_or_binaries;
};
constexpr std::int32_t kWrapperMagic = 0x466243b1;
constexpr std::size_t kContainerHeader = 16;  // bytes

EmbeddedPtx ptx_of(const void* address) {
  FatBinaryWrapper wrapper{};
  std::memcpy(&wrapper, address, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic) {
    throw request_error(fmt::format("a fat binary begins with 0x{:x}, expected 0x{:x}",
                                    wrapper.magic, kWrapperMagic));
  }
  if (wrapper.version != 1) {
    throw request_error(
        "the program has relocatable device code, which warpcheck does not link: compile it "
        "without -rdc=true");
  }
  const auto size = container_size({wrapper.data, kContainerHeader});
  if (!size) throw request_error("the program's fat binary is damaged: it has no header");
  return best_ptx({wrapper.data, *size}, kArchitecture);
}

}  // namespace

Binaries::Binary* Binaries::add(const void* wrapper) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->wrapper = wrapper;
  return binaries_.back().get();
}

void Binaries::add_function(Binary& binary, const void* host, std::string name) {
  functions_[host] = {&binary, std::move(name)};
}

void Binaries::add_variable(Binary& binary, const void* host, std::string name) {
  variables_[host] = {&binary, std::move(name)};
}

void Binaries::add_managed(Binary& binary, void** host, std::string name) {
  variables_[host] = {&binary, name};
  binary.managed.emplace(std::move(name), host);
}

void Binaries::load(Binary& binary) {
  if (binary.module) return;
  const EmbeddedPtx ptx = ptx_of(binary.wrapper);
  binary.module = session_.load(ptx.text, "the program's PTX");
  binary.architecture = ptx.architecture;
  for (const auto& [name, host] : binary.managed) {
    const auto variable = session_.variable(*binary.module, name);
    if (variable) *host = reinterpret_cast<void*>(variable->address);
  }
}

Kernel* Binaries::kernel(const void* host) {
  if (const auto loaded = kernels_.find(host); loaded != kernels_.end()) {
    return loaded->second.get();
  }
  const auto symbol = functions_.find(host);
  if (symbol == functions_.end()) return nullptr;
  load(*symbol->second.binary);
  const device::ModuleId module = *symbol->second.binary->module;
  auto info = session_.kernel(module, symbol->second.name);
  if (!info) return nullptr;
  auto kernel = std::make_unique<Kernel>();
  kernel->module = module;
  kernel->info = std::move(*info);
  kernel->architecture = symbol->second.binary->architecture;
  return kernels_.emplace(host, std::move(kernel)).first->second.get();
}

std::optional<device::ModuleVariable> Binaries::variable(const void* host) {
  const auto symbol = variables_.find(host);
  if (symbol == variables_.end()) return std::nullopt;
  load(*symbol->second.binary);
  return session_.variable(*symbol->second.binary->module, symbol->second.name);
}

}  // namespace warpcheck::workflows::exec
