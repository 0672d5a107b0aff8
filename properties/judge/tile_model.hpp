// The tiles of an output, by the kind of operation.
#pragma once

#include "properties/case/operation_model.hpp"
#include "properties/judge/error_map.hpp"

namespace warpcheck::properties::judge {

/// See model_of().
class TileModel {
 public:
  static const TileModel& of_matrices();
  static const TileModel& of_tensors();

  TileModel() = default;
  TileModel(const TileModel&) = delete;
  TileModel& operator=(const TileModel&) = delete;
  virtual ~TileModel() = default;

  /// Returns the names of the extents of the rows and of the columns of the output; empty if
  /// no extent alone is that size.
  struct Extents {
    std::string rows;
    std::string columns;
  };
  [[nodiscard]] virtual Extents extents(const contract::Contract& contract) const = 0;

  /// Returns the case with another value of an extent.
  [[nodiscard]] virtual Case resized(const Case& problem, const std::string& extent,
                                     std::int64_t size) const = 0;
};

}  // namespace warpcheck::properties::judge
