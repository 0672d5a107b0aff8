#include "campaign/generate/generation_model.hpp"

namespace warpcheck::campaign::generate {

std::vector<EmptyLaunch> empty_launches(const contract::Contract& contract) {
  return model_of<GenerationModel>(contract).empty_launches(contract);
}

}  // namespace warpcheck::campaign::generate
