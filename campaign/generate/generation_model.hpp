// The cases of a domain and its limits, by the kind of operation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case/operation_model.hpp"
#include "campaign/generate/case_source.hpp"
#include "campaign/generate/grid_limits.hpp"
#include "campaign/generate/index_limits.hpp"
#include "campaign/generate/tensors/empty_extents.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::campaign::generate {

/// See model_of().
class GenerationModel {
 public:
  static const GenerationModel& of_matrices();
  static const GenerationModel& of_tensors();

  GenerationModel() = default;
  GenerationModel(const GenerationModel&) = delete;
  GenerationModel& operator=(const GenerationModel&) = delete;
  virtual ~GenerationModel() = default;

  /// See case_source.hpp.
  [[nodiscard]] virtual std::unique_ptr<CaseSource> cases(const contract::Variant& variant,
                                                          const CaseOptions& options) const = 0;
  [[nodiscard]] virtual std::unique_ptr<CaseSource> cases(const contract::Contract& contract,
                                                          const CaseOptions& options) const = 0;

  /// Returns the case of the domain that is nearest to the sizes of the target, or one with extents
  /// as equal as the domain allows, of about `steps` steps at most; empty if the search finds none.
  [[nodiscard]] virtual std::optional<Case> measured_case(const contract::Contract& contract,
                                                          const Case& target,
                                                          double steps) const = 0;
  /// Describes the target of that search: "near m=8 n=8 k=8", "of about equal extents".
  [[nodiscard]] virtual std::string target_text(const Case& target) const = 0;

  /// See index_limits.hpp and empty_extents.hpp.
  [[nodiscard]] virtual std::vector<IndexLimit> index_limits(const contract::Variant& variant,
                                                             bool has_sparse_memory) const = 0;
  [[nodiscard]] virtual std::vector<EmptyLaunch> empty_launches(
      const contract::Contract& contract) const = 0;
};

}  // namespace warpcheck::campaign::generate
