#include "workflows/profile/line_counts.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace warpcheck::workflows::profile {
namespace {

using device::InstructionCounts;

using Place = std::pair<std::string, unsigned>;

Place place_of(const InstructionCounts& counts) { return {counts.source.file, counts.source.line}; }

/// Wavefronts over the wavefronts without bank conflicts, rounded.
unsigned ways(const InstructionCounts& counts) {
  if (counts.shared_ideal == 0) return 0;
  return static_cast<unsigned>((counts.shared_wavefronts + counts.shared_ideal / 2) /
                               counts.shared_ideal);
}

std::map<Place, LineCounts> sums_of_lines(const Profile& profile) {
  std::map<Place, LineCounts> lines;
  for (const InstructionCounts& counts : profile.counts) {
    if (counts.source.line == 0) continue;
    LineCounts& line = lines[place_of(counts)];
    line.file = counts.source.file;
    line.line = counts.source.line;
    line.warps += counts.warps;
    line.predicated_on += counts.predicated_on;
    line.global_requests += counts.global_requests;
    line.global_sectors += counts.global_sectors;
    line.global_excess +=
        counts.global_sectors - std::min(counts.global_sectors, counts.global_ideal);
    line.shared_requests += counts.shared_requests;
    line.shared_wavefronts += counts.shared_wavefronts;
    line.shared_ideal += counts.shared_ideal;
    line.ways = std::max(line.ways, ways(counts));
    line.branches += counts.conditional ? counts.warps : 0;
    line.divergent += counts.divergent;
  }
  return lines;
}

}  // namespace

std::vector<LineCounts> by_line(const Profile& profile) {
  std::vector<LineCounts> lines;
  for (auto& [place, line] : sums_of_lines(profile)) lines.push_back(line);
  std::stable_sort(lines.begin(), lines.end(), [](const LineCounts& a, const LineCounts& b) {
    return std::tuple(a.excess(), a.warps) > std::tuple(b.excess(), b.warps);
  });
  return lines;
}

}  // namespace warpcheck::workflows::profile
