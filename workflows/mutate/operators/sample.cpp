#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "workflows/mutate/operators/mutants.hpp"

namespace warpcheck::workflows::mutate::operators {
std::vector<Mutant> sample(const std::vector<Mutant>& all, std::size_t most, std::uint64_t seed) {
  if (all.size() <= most) return all;
  using Group = std::vector<std::size_t>;  // numbers of mutants of one operator
  std::map<const Operator*, Group> by_operator;
  for (std::size_t i = 0; i < all.size(); ++i) by_operator[all[i].planted].push_back(i);
  std::vector<Group> groups;
  for (const Operator& planted : operators()) {
    if (const auto group = by_operator.find(&planted); group != by_operator.end()) {
      groups.push_back(group->second);
    }
  }
  // The larger groups get the part of the share that the small groups do not use.
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.size() < b.size(); });
  std::vector<std::size_t> chosen;
  std::size_t left = most;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Group& group = groups[g];
    const std::size_t share = std::min(group.size(), left / (groups.size() - g));
    std::sort(group.begin(), group.end(),
              [seed](std::size_t a, std::size_t b) { return mixed(seed, a) < mixed(seed, b); });
    chosen.insert(chosen.end(), group.begin(), group.begin() + static_cast<std::ptrdiff_t>(share));
    left -= share;
  }
  std::sort(chosen.begin(), chosen.end());
  std::vector<Mutant> sampled;
  sampled.reserve(chosen.size());
  for (const std::size_t i : chosen) sampled.push_back(all[i]);
  return sampled;
}

}  // namespace warpcheck::workflows::mutate::operators
