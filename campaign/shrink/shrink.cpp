#include "campaign/shrink/shrink.hpp"

#include "campaign/shrink/shrink_model.hpp"

namespace warpcheck::campaign::shrink {

Case shrink(const contract::Contract& contract, const Case& failing, const StillFails& fails,
            const ShrinkLimits& limits) {
  return model_of<ShrinkModel>(contract).shrunk(contract, failing, fails, limits);
}

}  // namespace warpcheck::campaign::shrink
