// Runs a guessed contract on the virtual device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "properties/campaign/options.hpp"
#include "properties/campaign/report.hpp"
#include "workflows/init/draft.hpp"

namespace warpcheck::workflows::init {

/// An instance of a kernel that nvcc has compiled.
struct CompiledKernel {
  std::shared_ptr<const contract::Compiled> compiled;
  contract::Entry entry;
};

class Trial {
 public:
  Trial(CompiledKernel kernel, device::Device& device, unsigned jobs)
      : kernel_(std::move(kernel)), device_(device), jobs_(jobs) {}

  /// The number of the screening shapes whose result is correct, out of kShapes. The shapes are
  /// multiples of `tile`, so that kernels without edge tests pass. Stops when the result cannot
  /// exceed `best`. 0 if the contract is not valid.
  [[nodiscard]] int passed_shapes(const Draft& draft, std::int64_t tile, int best) const;
  static constexpr int kShapes = 4;

  /// The campaign of this contract. Throws InputError if the contract is not valid.
  [[nodiscard]] properties::campaign::VariantReport check(
      const Draft& draft, const properties::campaign::CampaignOptions& options) const;

 private:
  [[nodiscard]] contract::Variant variant_of(const Draft& draft) const;

  CompiledKernel kernel_;
  device::Device& device_;
  unsigned jobs_;
};

}  // namespace warpcheck::workflows::init
