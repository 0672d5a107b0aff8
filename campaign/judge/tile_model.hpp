// The tiles of an output, by the kind of operation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "campaign/case/operation_model.hpp"
#include "campaign/judge/error_map.hpp"

namespace warpcheck::campaign::judge {

/// See model_of().
class TileModel {
 public:
  static const TileModel& of_matrices();
  static const TileModel& of_tensors();

  TileModel() = default;
  TileModel(const TileModel&) = delete;
  TileModel& operator=(const TileModel&) = delete;
  virtual ~TileModel() = default;

  /// Names of the extents of the rows and of the columns of an output; empty if no extent alone has
  /// this size, or if the rows are those of several matrices.
  struct Extents {
    std::string rows;
    std::string columns;
    bool has_thread_axes = false;  // threads along y stand for rows, along x for columns
  };
  [[nodiscard]] virtual Extents extents(const contract::Contract& contract,
                                        std::string_view output) const = 0;

  /// Returns the size of an extent, or the case with another size.
  [[nodiscard]] virtual std::int64_t size(const Case& problem, const std::string& extent) const = 0;
  [[nodiscard]] virtual Case resized(const Case& problem, const std::string& extent,
                                     std::int64_t size) const = 0;

  /// Returns the case with tight strides.
  [[nodiscard]] virtual Case with_tight_strides(const contract::Contract& contract,
                                                const Case& problem) const = 0;

  /// Returns true if the case is cheap enough to be run once more.
  [[nodiscard]] virtual bool is_affordable(const contract::Contract& contract,
                                           const Case& problem) const = 0;
};

}  // namespace warpcheck::campaign::judge
