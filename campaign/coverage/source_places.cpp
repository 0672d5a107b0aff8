#include "campaign/coverage/source_places.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include "device/device.hpp"

namespace warpcheck::campaign::coverage {
namespace {

using device::CoveredBlock;
using device::ProgramFunction;

class PlaceFinder {
 public:
  PlaceFinder(const device::Program& program, const std::vector<ProgramFunction>& functions,
              const device::Coverage& covered)
      : program_(program), functions_(functions), covered_(covered) {}

  Places find() {
    std::set<const ProgramFunction*> added;
    for (bool more = true; more;) {
      more = false;
      for (const ProgramFunction& function : functions_) {
        const bool is_called = began(function, covered_) != 0 || called_.contains(function.name);
        if (added.contains(&function) || !is_called) continue;
        added.insert(&function);
        add(function);
        more = true;
      }
    }
    return std::move(places_);
  }

 private:
  void add(const ProgramFunction& function) {
    for (const CoveredBlock& block : covered_.blocks) {
      if (!holds(function, block.first)) continue;
      for (std::uint32_t i = block.first; i < block.first + block.instructions; ++i) {
        SourcePlace place = program_.place(i);
        called_.insert(place.facts.callee);
        if (place.line == 0 || is_library_code(place.file)) continue;
        place.file = normal_file(place.file);
        places_.emplace(i, std::move(place));
      }
    }
  }

  const device::Program& program_;
  const std::vector<ProgramFunction>& functions_;
  const device::Coverage& covered_;
  std::set<std::string> called_;
  Places places_;
};

}  // namespace

std::string normal_file(const std::string& file) {
  return std::filesystem::path(file).lexically_normal().string();
}

std::uint64_t began(const ProgramFunction& function, const device::Coverage& covered) {
  std::uint64_t warps = 0;
  for (const device::CoveredEdge& edge : covered.edges) {
    if (edge.from == device::kEntry && edge.to == function.first) warps += edge.warps;
  }
  return warps;
}

bool holds(const ProgramFunction& function, std::uint32_t instruction) {
  return instruction >= function.first && instruction - function.first < function.instructions;
}

Places source_places(const device::Program& program, const std::vector<ProgramFunction>& functions,
                     const device::Coverage& covered) {
  return PlaceFinder(program, functions, covered).find();
}

}  // namespace warpcheck::campaign::coverage
