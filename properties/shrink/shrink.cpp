#include "properties/shrink/shrink.hpp"

#include "properties/shrink/shrink_model.hpp"

namespace warpcheck::properties::shrink {

Case shrink(const contract::Contract& contract, const Case& failing, const StillFails& fails,
            const ShrinkLimits& limits) {
  return model_of<ShrinkModel>(contract).shrunk(contract, failing, fails, limits);
}

}  // namespace warpcheck::properties::shrink
