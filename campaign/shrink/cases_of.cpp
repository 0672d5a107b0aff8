#include "campaign/shrink/cases_of.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "campaign/shrink/shrink.hpp"

namespace warpcheck::campaign::shrink {
namespace {

using contract::Contract;
using generate::CaseGenerator;

constexpr std::uint64_t kIndices = std::uint64_t{1} << 32;  // cases of one seed

/// The case, and the simpler cases of the domain, computed when RapidCheck needs them.
rc::Shrinkable<Case> shrinkable_case(const Contract& contract, Case problem) {
  const auto simpler = [&contract, problem] {
    std::vector<rc::Shrinkable<Case>> all;
    for (Case& one : simpler_cases(contract, problem)) {
      all.push_back(shrinkable_case(contract, std::move(one)));
    }
    return rc::seq::fromContainer(std::move(all));
  };
  return rc::shrinkable::lambda([problem] { return problem; }, simpler);
}

rc::Gen<Case> cases_from(const Contract& contract, std::shared_ptr<const CaseGenerator> generator) {
  return [&contract, generator = std::move(generator)](const rc::Random& random, int /*size*/) {
    rc::Random bits = random;
    const auto index = static_cast<std::int64_t>(bits.next() % kIndices);
    return shrinkable_case(contract, generator->draw(index).problem);
  };
}

}  // namespace

rc::Gen<Case> cases_of(const Contract& contract, const generate::CaseOptions& options) {
  return cases_from(contract, std::make_shared<const CaseGenerator>(contract, options));
}

rc::Gen<Case> cases_of(const contract::Variant& variant, const generate::CaseOptions& options) {
  return cases_from(variant.contract, std::make_shared<const CaseGenerator>(variant, options));
}

}  // namespace warpcheck::campaign::shrink

namespace warpcheck::campaign {

void showValue(const Case& problem, std::ostream& to) { to << to_line(problem); }

}  // namespace warpcheck::campaign
