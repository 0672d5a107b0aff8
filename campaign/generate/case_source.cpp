#include "campaign/generate/case_source.hpp"

#include "campaign/generate/generation_model.hpp"

namespace warpcheck::campaign::generate {

std::unique_ptr<CaseSource> make_cases(const contract::Variant& variant,
                                       const CaseOptions& options) {
  return model_of<GenerationModel>(variant.contract).cases(variant, options);
}

std::unique_ptr<CaseSource> make_cases(const contract::Contract& contract,
                                       const CaseOptions& options) {
  return model_of<GenerationModel>(contract).cases(contract, options);
}

}  // namespace warpcheck::campaign::generate
