#include "properties/judge/tile_model.hpp"

namespace warpcheck::properties::judge {
namespace {

class MatrixTileModel final : public TileModel {
 public:
  Extents extents(const contract::Contract&) const override { return {"m", "n"}; }

  Case resized(const Case& problem, const std::string& extent, std::int64_t size) const override {
    Case changed = problem;
    (extent == "m" ? changed.m : changed.n) = size;
    return changed;
  }
};

}  // namespace

const TileModel& TileModel::of_matrices() {
  static const MatrixTileModel kModel;
  return kModel;
}

}  // namespace warpcheck::properties::judge
