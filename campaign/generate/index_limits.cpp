#include "campaign/generate/index_limits.hpp"

#include <algorithm>
#include <utility>

#include "campaign/generate/generation_model.hpp"
#include "ptx/parser.hpp"

namespace warpcheck::campaign::generate {

std::vector<NarrowIndex> narrow_indices(const contract::Variant& variant) {
  std::vector<NarrowIndex> all;
  if (!variant.compiled) return all;
  try {
    const ptx::Module module = ptx::parse(variant.compiled->ptx, variant.compiled->ptx_file);
    const std::size_t launches = variant.contract.launches.size();
    for (std::size_t i = 0; i < std::min(variant.entries.size(), launches); ++i) {
      const ptx::Function* kernel = module.find_function(variant.entries[i].name);
      if (kernel == nullptr) continue;
      for (auto& one : narrow_indices(module, *kernel, variant.contract.launches[i])) {
        all.push_back(std::move(one));
      }
    }
  } catch (const InputError&) {
  }
  return all;
}

IndexLimit limit_of(const std::vector<NarrowIndex>& products, contract::ArgumentWord buffer,
                    std::string_view tensor) {
  IndexLimit limit;
  for (const NarrowIndex& one : products) {
    if (one.buffer != buffer || one.tensor != tensor) continue;
    if (limit.lines.empty()) limit.file = one.file;
    if (one.file == limit.file) limit.lines.push_back(one.line);
  }
  std::sort(limit.lines.begin(), limit.lines.end());
  limit.lines.erase(std::unique(limit.lines.begin(), limit.lines.end()), limit.lines.end());
  return limit;
}

std::vector<IndexLimit> index_limits(const contract::Variant& variant, bool has_sparse_memory) {
  return model_of<GenerationModel>(variant.contract).index_limits(variant, has_sparse_memory);
}

}  // namespace warpcheck::campaign::generate
