// The fat binaries of the program, with the kernels and variables that it registers.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "device/session.hpp"

namespace warpcheck::runtime {

struct Kernel {
  device::ModuleId module = 0;
  device::KernelInfo info;
  unsigned architecture = 0;                   // architecture of its PTX
  std::size_t most_dynamic_shared = 48 << 10;  // bytes; cudaFuncSetAttribute() raises it
  int carveout = -1;
  bool large_clusters = false;       // more than 8 blocks: not portable
  std::optional<Dim3> cluster = {};  // the blocks of a cluster that it declares
};

class Binaries {
 public:
  /// A fat binary, loaded when one of its kernels or variables is first used. Only its address is a
  /// handle of the CUDA runtime.
  struct Binary {
    const void* wrapper = nullptr;  // null: the program loads it
    std::string ptx;                // PTX of a module that the program loads
    std::optional<device::ModuleId> module;
    unsigned architecture = 0;                           // __CUDA_ARCH__ / 10 of the loaded PTX
    std::map<std::string, void**, std::less<>> managed;  // the host's pointer to each variable
  };

  /// `architecture`: 90 for a device of compute capability 9.0.
  Binaries(device::Session& session, unsigned architecture)
      : session_(session), architecture_(architecture) {}

  [[nodiscard]] Binary* add(const void* wrapper);
  /// A library at the same address may have been unloaded before.
  void add_function(Binary& binary, const void* host, std::string name);
  void add_variable(Binary& binary, const void* host, std::string name);
  /// `host`: receives the address of the variable when the binary is loaded.
  void add_managed(Binary& binary, void** host, std::string name);

  // These load the binary. They throw InputError if it has no valid PTX.

  /// The kernel that a function of the host launches; null if there is none.
  [[nodiscard]] Kernel* kernel(const void* host);
  /// The variable of the device that a variable of the host stands for.
  [[nodiscard]] std::optional<device::ModuleVariable> variable(const void* host);
  void load(Binary& binary);

  /// A module that the program loads itself, at once: PTX text, a fat binary or its wrapper.
  [[nodiscard]] Binary* load_image(const void* image);
  /// The next image that the program loads is machine code, compiled from this PTX.
  void replace_next_image(std::string ptx) { next_image_ = std::move(ptx); }
  /// The module is not used again. Requires is_loaded().
  void unload(const Binary& module);
  [[nodiscard]] bool is_loaded(const Binary* module) const;
  /// True if the program itself has kernels.
  [[nodiscard]] bool has_registered() const { return !functions_.empty(); }
  /// A kernel of a loaded module; null if there is none. Its address is a handle that kernel()
  /// accepts.
  [[nodiscard]] Kernel* kernel_named(const Binary& module, const std::string& name);
  /// The mangled names of the kernels of a loaded module.
  [[nodiscard]] std::vector<std::string> kernel_names(const Binary& module) const;
  [[nodiscard]] std::optional<device::ModuleVariable> variable_named(const Binary& module,
                                                                     const std::string& name) const;

 private:
  struct Symbol {
    Binary* binary = nullptr;
    std::string name;
  };

  [[nodiscard]] std::unique_ptr<Kernel> make_kernel(const Binary& binary,
                                                    const std::string& name) const;

  device::Session& session_;
  unsigned architecture_;
  std::vector<std::unique_ptr<Binary>> binaries_;
  std::string next_image_;  // PTX in place of the next image; empty: the image itself
  std::unordered_map<const void*, Symbol> functions_;
  std::unordered_map<const void*, Symbol> variables_;
  std::unordered_map<const void*, std::unique_ptr<Kernel>> kernels_;  // keyed by host function
  std::vector<std::unique_ptr<Kernel>> unloaded_kernels_;             // keep their addresses
  std::map<std::pair<const Binary*, std::string>, Kernel*> named_;    // kernels of loaded modules
};

}  // namespace warpcheck::runtime
