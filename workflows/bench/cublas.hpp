// cuBLAS as the yardstick of `bench`. The library is opened at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "campaign/case/case.hpp"
#include "campaign/case/layout.hpp"
#include "contract/contract.hpp"

namespace warpcheck::workflows::bench {

/// Memory of the current CUDA context.
using DeviceAddress = std::uint64_t;

/// One product of cublasLt: D = A B in the types, layouts and leading dimensions of a contract and
/// a case, by the algorithm that the library prefers.
class CublasProduct {
 public:
  virtual ~CublasProduct() = default;
  /// Starts the product. Throws std::runtime_error if the library refuses it.
  virtual void launch(DeviceAddress a, DeviceAddress b, DeviceAddress d) = 0;
};

class Cublas {
 public:
  /// Opens the library in the environment variable WARPCHECK_LIBCUBLASLT, or libcublasLt.so of CUDA
  /// 13, 12 or any. Throws EnvironmentError if there is none.
  Cublas();
  ~Cublas();

  /// The product uses this object. `workspace`: `kWorkspaceBytes` of device memory. Null, and a
  /// reason, if the library has no product for the types and layouts. A CUDA context must be
  /// current.
  [[nodiscard]] std::unique_ptr<CublasProduct> product(const contract::Contract& contract,
                                                       const campaign::Case& line,
                                                       const campaign::Layouts& layouts,
                                                       DeviceAddress workspace,
                                                       std::string& reason) const;

  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace warpcheck::workflows::bench
