#include "campaign/judge/tile_model.hpp"

namespace warpcheck::campaign::judge {
namespace {

class MatrixTileModel final : public TileModel {
 public:
  Extents extents(const contract::Contract&, std::string_view) const override {
    return {"m", "n", true};
  }

  std::int64_t size(const Case& problem, const std::string& extent) const override {
    return extent == "m" ? problem.m : problem.n;
  }

  Case resized(const Case& problem, const std::string& extent, std::int64_t size) const override {
    Case changed = problem;
    (extent == "m" ? changed.m : changed.n) = size;
    return changed;
  }

  Case with_tight_strides(const contract::Contract&, const Case& problem) const override {
    Case tight = problem;
    tight.lda = tight.ldb = tight.ldc = 0;
    tight.stride_a = tight.stride_b = tight.stride_c = 0;
    return tight;
  }

  bool is_affordable(const contract::Contract&, const Case&) const override { return true; }
};

}  // namespace

const TileModel& TileModel::of_matrices() {
  static const MatrixTileModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::judge
