#include "properties/shrink/shrink.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/case/domain.hpp"
#include "properties/case/layout.hpp"
#include "properties/generate/solver.hpp"
#include "properties/generate/tiles.hpp"

namespace warpcheck::properties::shrink {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Extent = std::int64_t Case::*;

constexpr std::int64_t kLarge = 4096;  // sizes above it are neared in ever smaller steps

constexpr std::array<Extent, 3> kExtents = {&Case::m, &Case::n, &Case::k};

class Shrinker {
 public:
  Shrinker(const Contract& contract, const Case& failing, const StillFails& fails,
           const ShrinkLimits& limits)
      : contract_(contract),
        fails_(fails),
        limits_(limits),
        solver_(contract),
        tiles_(generate::tiles(contract)),
        best_(failing) {}

  Case shrunk() {
    for (bool progress = true; progress && !exhausted();) {
      const Case before = best_;
      for (std::size_t i = 0; i < kExtents.size(); ++i) shrink_extent(i);
      shrink_together();
      shrink_batch();
      shrink_layout();
      shrink_values();
      progress = !(best_ == before);
    }
    return best_;
  }

 private:
  /// Elements between the end of a line and the start of the next.
  [[nodiscard]] std::int64_t padding(const Case& problem, ArgumentWord word) const {
    return leading_dimension(contract_, problem, word) -
           std::max<std::int64_t>(1, tight_dimension(contract_, problem, word));
  }

  /// Elements between the end of a matrix and the start of the next.
  [[nodiscard]] std::int64_t gap(const Case& problem, ArgumentWord word) const {
    return stride(contract_, problem, word) - tight_stride(contract_, problem, word);
  }

  [[nodiscard]] ArgumentWord stride_word_c() const {
    return contract_.takes(ArgumentWord::stride_c) ? ArgumentWord::stride_c
                                                   : ArgumentWord::stride_d;
  }

  [[nodiscard]] ArgumentWord word_c() const {
    return contract_.takes(ArgumentWord::ldc) ? ArgumentWord::ldc : ArgumentWord::ldd;
  }

  /// The order in which cases are simpler.
  [[nodiscard]] auto cost(const Case& p) const {
    const std::int64_t pads = padding(p, ArgumentWord::lda) + padding(p, ArgumentWord::ldb) +
                              padding(p, word_c()) + gap(p, ArgumentWord::stride_a) +
                              gap(p, ArgumentWord::stride_b) + gap(p, stride_word_c());
    return std::tuple(p.m + p.n + p.k + p.batch, std::max({p.m, p.n, p.k, p.batch}),
                      (p.ta ? 1 : 0) + (p.tb ? 1 : 0), pads,
                      p.off_a + p.off_b + p.off_c + p.off_bias,
                      factor_cost(p.alpha, 1.0) + factor_cost(p.beta, 0.0), p.data, p.seed);
  }

  static int factor_cost(double value, double simplest) {
    if (value == simplest) return 0;
    if (value == 0.0 || value == 1.0) return 1;
    return value == 2.0 ? 2 : 3;
  }

  [[nodiscard]] bool exhausted() const {
    return attempts_ >= limits_.attempts || std::chrono::steady_clock::now() >= limits_.deadline;
  }

  /// Takes the candidate, or the nearest case in the domain, if it is simpler and fails.
  bool accept(const Case& candidate) {
    if (exhausted()) return false;
    Case next = normalized(contract_, candidate);
    if (violated(contract_, next)) {
      const auto repaired = solver_.nearest(next);
      if (!repaired) return false;
      next = *repaired;
    }
    if (!(cost(next) < cost(best_)) || !tried_.insert(to_line(next)).second) return false;
    ++attempts_;
    if (!fails_(next)) return false;
    best_ = std::move(next);
    return true;
  }

  /// The sizes changed; what lies between the lines stays as wide as it was.
  [[nodiscard]] Case resized(
      std::initializer_list<std::pair<std::size_t, std::int64_t>> sizes) const {
    Case result = best_;
    for (const auto& [extent, size] : sizes) result.*kExtents[extent] = size;
    return with_paddings_of_best(result);
  }

  [[nodiscard]] Case with_paddings_of_best(Case result) const {
    const auto keep = [&](std::int64_t& field, ArgumentWord word) {
      const std::int64_t pad = padding(best_, word);
      const auto tight = std::max<std::int64_t>(1, tight_dimension(contract_, result, word));
      field = pad == 0 ? 0 : tight + pad;
    };
    keep(result.lda, ArgumentWord::lda);
    keep(result.ldb, ArgumentWord::ldb);
    keep(result.ldc, word_c());
    return with_gaps_of_best(result);
  }

  [[nodiscard]] Case with_gaps_of_best(Case result) const {
    const auto keep_gap = [&](std::int64_t& field, ArgumentWord word) {
      const std::int64_t elements = gap(best_, word);
      field = elements == 0 ? 0 : tight_stride(contract_, result, word) + elements;
    };
    keep_gap(result.stride_a, ArgumentWord::stride_a);
    keep_gap(result.stride_b, ArgumentWord::stride_b);
    keep_gap(result.stride_c, stride_word_c());
    return result;
  }

  /// Smaller sizes to try, the smallest first.
  [[nodiscard]] std::vector<std::int64_t> smaller(std::int64_t size,
                                                  const std::vector<std::int64_t>& around) const {
    std::set<std::int64_t> sizes;
    for (std::int64_t i = 0; i <= 9; ++i) sizes.insert(i);
    for (const std::int64_t tile : around) {
      for (std::int64_t multiple = tile; multiple <= 4 * tile; multiple += tile) {
        sizes.insert({multiple - 1, multiple, multiple + 1});
      }
    }
    sizes.insert({size / 4, size / 2, size - size / 4, size - 2, size - 1});
    if (size > kLarge) {
      for (std::int64_t step = size / 16; step > 2; step /= 4) sizes.insert(size - step);
    }
    return {sizes.lower_bound(0), sizes.lower_bound(size)};
  }

  [[nodiscard]] const std::vector<std::int64_t>& tiles_of(std::size_t extent) const {
    return extent == 0 ? tiles_.m : extent == 1 ? tiles_.n : tiles_.k;
  }

  void shrink_extent(std::size_t extent) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::int64_t size : smaller(best_.*kExtents[extent], tiles_of(extent))) {
        if (accept(resized({{extent, size}}))) {
          progress = true;
          break;
        }
      }
    }
  }

  /// For defects that need sizes to be equal, or to keep their distance.
  void shrink_together() {
    constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kPairs = {
        {{0, 1}, {0, 2}, {1, 2}}};
    for (const auto& [one, other] : kPairs) {
      for (bool progress = true; progress;) {
        const std::int64_t first = best_.*kExtents[one];
        const std::int64_t second = best_.*kExtents[other];
        progress = false;
        for (const std::int64_t size : smaller(std::min(first, second), tiles_of(one))) {
          const std::int64_t less = std::min(first, second) - size;
          if (accept(resized({{one, size}, {other, size}})) ||
              accept(resized({{one, first - less}, {other, second - less}}))) {
            progress = true;
            break;
          }
        }
      }
    }
    const std::int64_t least = std::min({best_.m, best_.n, best_.k});
    for (const std::int64_t size : smaller(least, tiles_.k)) {
      if (accept(resized({{0, size}, {1, size}, {2, size}}))) return;
    }
  }

  void shrink_batch() {
    for (const std::int64_t less : smaller(best_.batch, {})) {
      Case candidate = best_;
      candidate.batch = std::max<std::int64_t>(1, less);
      if (accept(candidate)) break;
    }
    for (bool Case::*transposed : {&Case::ta, &Case::tb}) {
      Case candidate = best_;
      candidate.*transposed = false;
      accept(with_paddings_of_best(candidate));
    }
  }

  void shrink_gap(std::int64_t Case::*field, ArgumentWord word) {
    if (!contract_.takes(word)) return;
    const std::int64_t tight = tight_stride(contract_, best_, word);
    for (const std::int64_t less : smaller(gap(best_, word), {})) {
      Case candidate = best_;
      candidate.*field = tight + less;
      if (accept(candidate)) return;
    }
  }

  void shrink_padding(std::int64_t Case::*field, ArgumentWord word) {
    if (!contract_.takes(word)) return;
    const std::int64_t pad = padding(best_, word);
    const auto tight = std::max<std::int64_t>(1, tight_dimension(contract_, best_, word));
    for (const std::int64_t less : smaller(pad, {})) {
      Case candidate = best_;
      candidate.*field = tight + less;
      if (accept(with_gaps_of_best(candidate))) return;
    }
  }

  void shrink_layout() {
    shrink_padding(&Case::lda, ArgumentWord::lda);
    shrink_padding(&Case::ldb, ArgumentWord::ldb);
    shrink_padding(&Case::ldc, word_c());
    shrink_gap(&Case::stride_a, ArgumentWord::stride_a);
    shrink_gap(&Case::stride_b, ArgumentWord::stride_b);
    shrink_gap(&Case::stride_c, stride_word_c());
    for (std::int64_t Case::*offset : {&Case::off_a, &Case::off_b, &Case::off_c, &Case::off_bias}) {
      for (const std::int64_t less : smaller(best_.*offset, {})) {
        Case candidate = best_;
        candidate.*offset = less;
        if (accept(candidate)) break;
      }
    }
  }

  template <typename Field, typename Values>
  void try_values(Field Case::*field, const Values& values) {
    for (const auto& value : values) {
      if (value == best_.*field) continue;
      Case candidate = best_;
      candidate.*field = value;
      if (accept(candidate)) return;
    }
  }

  void shrink_values() {
    try_values(&Case::alpha, std::array{1.0, 0.0, 2.0});
    try_values(&Case::beta, std::array{0.0, 1.0, 2.0});
    std::vector<Recipe> recipes;
    for (int i = 0; i < static_cast<int>(best_.data); ++i)
      recipes.push_back(static_cast<Recipe>(i));
    try_values(&Case::data, recipes);
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = 0; seed < std::min<std::uint64_t>(best_.seed, 4); ++seed) {
      seeds.push_back(seed);
    }
    try_values(&Case::seed, seeds);
  }

  const Contract& contract_;
  const StillFails& fails_;
  const ShrinkLimits& limits_;
  generate::Solver solver_;
  generate::Tiles tiles_;
  Case best_;
  std::int64_t attempts_ = 0;
  std::set<std::string> tried_;
};

}  // namespace

Case shrink(const Contract& contract, const Case& failing, const StillFails& fails,
            const ShrinkLimits& limits) {
  return Shrinker(contract, failing, fails, limits).shrunk();
}

}  // namespace warpcheck::properties::shrink
