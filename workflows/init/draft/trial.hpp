// Runs a guessed contract on the virtual device.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/options.hpp"
#include "campaign/report.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "workflows/init/draft/draft.hpp"

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

  /// The sizes and factors of the screening cases.
  struct Screening {
    std::int64_t tile = 32;  // sizes are multiples of it, so that kernels without edge tests pass
    double beta = 1.0;       // value for kernels that take it
  };

  /// The screening cases of a contract: m x n is tile x 2 tile, 2 tile x tile, 2 tile x 2 tile, and
  /// tile x tile with k = tile.
  [[nodiscard]] static std::array<campaign::Case, 4> shapes(const Draft& draft,
                                                            const Screening& screening);

  /// True if the result of the case is correct. A case that does not meet the equalities of the
  /// contract is made square. False if the contract or the case is not valid.
  [[nodiscard]] bool passes(const Draft& draft, const campaign::Case& problem) const;

  /// The number of the screening shapes whose result is correct, out of kShapes. Stops when
  /// it cannot exceed `best`.
  [[nodiscard]] int passed_shapes(const Draft& draft, const Screening& screening, int best) const;
  static constexpr int kShapes = 4;

  /// The campaign of this contract. Throws InputError if the contract is not valid.
  [[nodiscard]] campaign::VariantReport check(const Draft& draft,
                                              const campaign::CampaignOptions& options) const;

  /// The same; empty if the contract is not valid, or its domain has no case.
  [[nodiscard]] std::optional<campaign::VariantReport> check_if_valid(
      const Draft& draft, const campaign::CampaignOptions& options) const;

 private:
  [[nodiscard]] contract::Variant variant_of(const Draft& draft) const;

  CompiledKernel kernel_;
  device::Device& device_;
  unsigned jobs_;
};

}  // namespace warpcheck::workflows::init
