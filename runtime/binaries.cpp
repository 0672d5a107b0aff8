#include "runtime/binaries.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/diagnostic.hpp"
#include "device/gpu_model.hpp"
#include "device/virtual/session.hpp"
#include "ptx/link.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "ptx/scan.hpp"
#include "runtime/fatbin/fatbin.hpp"
#include "runtime/host_guards.hpp"
#include "runtime/host_stack.hpp"

namespace warpcheck::runtime {
namespace {

/// The wrapper that nvcc writes (fatbinary_section.h).
struct FatBinaryWrapper {
  std::int32_t magic;
  std::int32_t version;  // 1; 2: relocatable device code, linked by nvlink
  const std::byte* data;
  const void* file_name_or_binaries;
};
constexpr std::int32_t kWrapperMagic = 0x466243b1;
constexpr std::int32_t kLinkedVersion = 2;
constexpr std::size_t kContainerHeader = 16;  // bytes

EmbeddedPtx ptx_of_container(const std::byte* data, unsigned architecture) {
  const auto size = container_size({data, kContainerHeader});
  if (!size) throw request_error("the program's fat binary is damaged: it has no header");
  return best_ptx({data, *size}, architecture);
}

/// The PTX of several binaries with relocatable device code.
EmbeddedPtx linked(const void* const* containers, unsigned architecture) {
  EmbeddedPtx result;
  std::vector<ptx::Module> modules;
  for (; *containers != nullptr; ++containers) {
    const EmbeddedPtx one =
        ptx_of_container(static_cast<const std::byte*>(*containers), architecture);
    modules.push_back(ptx::parse(one.text, "the program's PTX"));
    result.architecture = std::max(result.architecture, one.architecture);
  }
  if (modules.empty()) throw request_error("the program's fat binary has no PTX");
  result.text = ptx::to_text(ptx::link(modules));
  return result;
}

EmbeddedPtx ptx_of_wrapper(const void* address, unsigned architecture) {
  FatBinaryWrapper wrapper{};
  std::memcpy(&wrapper, address, sizeof wrapper);
  if (wrapper.magic != kWrapperMagic) {
    throw request_error(fmt::format("a fat binary begins with 0x{:x}, expected 0x{:x}",
                                    wrapper.magic, kWrapperMagic));
  }
  if (wrapper.version == kLinkedVersion) {
    return linked(static_cast<const void* const*>(wrapper.file_name_or_binaries), architecture);
  }
  return ptx_of_container(wrapper.data, architecture);
}

/// The architecture for which the PTX was compiled, __CUDA_ARCH__ / 10.
unsigned compiled_for(std::string_view ptx) {
  unsigned architecture = 0;
  std::string_view target = ptx::target_architecture(ptx);
  target.remove_prefix(std::min<std::size_t>(target.size(), 3));  // sm_
  std::from_chars(target.begin(), target.end(), architecture);
  return architecture;
}

EmbeddedPtx ptx_of_image(const void* image, unsigned architecture) {
  std::int32_t magic = 0;
  std::memcpy(&magic, image, sizeof magic);
  if (magic == kWrapperMagic) return ptx_of_wrapper(image, architecture);
  if (container_size({static_cast<const std::byte*>(image), kContainerHeader})) {
    return ptx_of_container(static_cast<const std::byte*>(image), architecture);
  }
  if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    throw request_error(
        "the program loads a module of machine code, and warpcheck executes PTX: load its PTX");
  }
  EmbeddedPtx result{static_cast<const char*>(image)};
  result.architecture = compiled_for(result.text);
  return result;
}

/// The PTX that nvcc embedded in the program, or in a library of NVIDIA, which may have none.
EmbeddedPtx embedded_ptx(const void* wrapper, unsigned architecture) try {
  return ptx_of_wrapper(wrapper, architecture);
} catch (const InputError&) {
  const std::string function = called_library_function(wrapper);
  if (function.empty()) throw;
  throw EnvironmentError(fmt::format("{}: {}", function, kMachineCode));
}

/// A GPU executes PTX for its own architecture and for older ones.
void require_architecture(const EmbeddedPtx& ptx, unsigned architecture) {
  if (ptx.architecture <= architecture) return;
  std::string models;
  for (const device::GpuModel& model : device::gpu_models()) {
    if (static_cast<unsigned>(model.capability) < ptx.architecture) continue;
    models += fmt::format("{}{}", models.empty() ? "" : ", ", model.name);
  }
  throw request_error(fmt::format(
      "the program contains PTX for compute_{}, and the device has compute capability {}.{}{}",
      ptx.architecture, architecture / 10, architecture % 10,
      models.empty() ? "" : fmt::format(": choose one with `--device-model`: {}", models)));
}

}  // namespace

Binaries::Binary* Binaries::add(const void* wrapper) {
  binaries_.push_back(std::make_unique<Binary>());
  binaries_.back()->wrapper = wrapper;
  return binaries_.back().get();
}

void Binaries::add_function(Binary& binary, const void* host, std::string name) {
  functions_[host] = {&binary, std::move(name)};
  auto unloaded = kernels_.extract(host);
  if (!unloaded.empty()) unloaded_kernels_.push_back(std::move(unloaded.mapped()));
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
  const EmbeddedPtx ptx = embedded_ptx(binary.wrapper, architecture_);
  require_architecture(ptx, architecture_);
  binary.module = session_.load(ptx.text, "the program's PTX");
  binary.architecture = compiled_for(ptx.text);
  for (const auto& [name, host] : binary.managed) {
    const auto variable = session_.variable(*binary.module, name);
    if (!variable) continue;
    *host = reinterpret_cast<void*>(variable->address);
    HostGuards::instance().watch(variable->address, variable->bytes, true);
  }
}

Binaries::Binary* Binaries::load_image(const void* image) {
  const std::string replacement = std::exchange(next_image_, {});
  EmbeddedPtx ptx = ptx_of_image(replacement.empty() ? image : replacement.c_str(), architecture_);
  require_architecture(ptx, architecture_);
  auto binary = std::make_unique<Binary>();
  binary->module = session_.load(ptx.text, "the program's PTX");
  binary->architecture = compiled_for(ptx.text);
  binary->ptx = std::move(ptx.text);
  return binaries_.emplace_back(std::move(binary)).get();
}

bool Binaries::is_loaded(const Binary* module) const {
  return std::any_of(binaries_.begin(), binaries_.end(), [&](const auto& one) {
    return one.get() == module && one->wrapper == nullptr;
  });
}

void Binaries::unload(const Binary& module) {
  std::erase_if(named_, [&](const auto& named) {
    return named.first.first == &module && kernels_.erase(named.second) != 0;
  });
  std::erase_if(binaries_, [&](const auto& one) { return one.get() == &module; });
}

std::unique_ptr<Kernel> Binaries::make_kernel(const Binary& binary, const std::string& name) const {
  auto info = session_.kernel(*binary.module, name);
  if (!info) return nullptr;
  auto kernel = std::make_unique<Kernel>();
  kernel->module = *binary.module;
  kernel->info = std::move(*info);
  kernel->architecture = binary.architecture;
  kernel->cluster = device::declared_cluster(session_, *binary.module, name);
  return kernel;
}

Kernel* Binaries::kernel(const void* host) {
  if (const auto loaded = kernels_.find(host); loaded != kernels_.end()) {
    return loaded->second.get();
  }
  const auto symbol = functions_.find(host);
  if (symbol == functions_.end()) return nullptr;
  load(*symbol->second.binary);
  auto kernel = make_kernel(*symbol->second.binary, symbol->second.name);
  if (kernel == nullptr) return nullptr;
  return kernels_.emplace(host, std::move(kernel)).first->second.get();
}

Kernel* Binaries::kernel_named(const Binary& module, const std::string& name) {
  const auto known = named_.find({&module, name});
  if (known != named_.end()) return known->second;
  auto made = make_kernel(module, name);
  if (made == nullptr) return nullptr;
  Kernel* const handle = made.get();
  kernels_.emplace(handle, std::move(made));
  return named_[{&module, name}] = handle;
}

std::vector<std::string> Binaries::kernel_names(const Binary& module) const {
  std::vector<std::string> names;
  for (const ptx::EntryPoint& entry : ptx::entry_points(module.ptx)) names.push_back(entry.name);
  return names;
}

std::optional<device::ModuleVariable> Binaries::variable_named(const Binary& module,
                                                               const std::string& name) const {
  return session_.variable(*module.module, name);
}

std::optional<device::ModuleVariable> Binaries::variable(const void* host) {
  const auto symbol = variables_.find(host);
  if (symbol == variables_.end()) return std::nullopt;
  load(*symbol->second.binary);
  return session_.variable(*symbol->second.binary->module, symbol->second.name);
}

}  // namespace warpcheck::runtime
