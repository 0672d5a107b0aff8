#include "properties/generate/cases.hpp"

#include <fmt/format.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "properties/domain.hpp"
#include "properties/generate/far_lines.hpp"
#include "properties/generate/grid_limits.hpp"
#include "properties/layout.hpp"

namespace warpcheck::properties {
namespace {

using kernels::ArgumentWord;
using kernels::Contract;
using Sizes = std::vector<std::int64_t>;

constexpr double kLeastWork = 2e4;  // multiply-adds of a case, its sizes rounded up to whole tiles:
constexpr double kMostWork = 4e6;   // its budget is drawn between these, evenly in the logarithm
constexpr double kMostElements = 3e5;  // of A, B and C together
constexpr int kAttempts = 16;

constexpr std::size_t kRound = 100;  // cases in which each limit of the grid is passed once ...
constexpr std::size_t kApart = 11;   // ... at the 11th, the 22nd ...
constexpr std::size_t kFar = 5;      // ... and lines lie far apart at the 5th, the 16th ...

/// One stream of draws. RapidCheck's generators, each with a random state of its own split off.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  template <typename T>
  T operator()(const rc::Gen<T>& generator) {
    return generator(random_.split(), rc::kNominalSize).value();
  }

 private:
  rc::Random random_;
};

std::uint64_t mixed(std::uint64_t state, std::uint64_t value) {
  // The finaliser of splitmix64 (Steele, Lea and Flood, 2014).
  state += 0x9E3779B97F4A7C15U + value;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9U;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBU;
  return state ^ (state >> 31);
}

std::uint64_t hashed(std::string_view text) {
  std::uint64_t state = text.size();
  for (const char c : text) state = mixed(state, static_cast<unsigned char>(c));
  return state;
}

rc::Gen<std::int64_t> sizes(const Sizes& tiles, std::size_t weight_of_zero) {
  const auto around_multiples =
      rc::gen::map(rc::gen::tuple(rc::gen::elementOf(tiles), rc::gen::inRange<std::int64_t>(0, 6),
                                  rc::gen::element<std::int64_t>(-1, 0, 0, 1)),
                   [](const std::tuple<std::int64_t, std::int64_t, std::int64_t>& parts) {
                     const auto [tile, count, off] = parts;
                     return std::max<std::int64_t>(1, tile * count + off);
                   });
  const auto prime = rc::gen::element<std::int64_t>(2, 3, 5, 7, 11, 13, 17, 23, 31, 37, 53, 61, 67,
                                                    97, 127, 131, 193, 257, 263, 509, 521);
  return rc::gen::weightedOneOf<std::int64_t>({{weight_of_zero, rc::gen::just<std::int64_t>(0)},
                                               {32, around_multiples},
                                               {12, rc::gen::inRange<std::int64_t>(1, 10)},
                                               {8, prime},
                                               {6, rc::gen::inRange<std::int64_t>(10, 300)},
                                               {3, rc::gen::inRange<std::int64_t>(300, 3000)}});
}

/// A leading dimension or a stride: tight, or wider by an odd number, or up to a round one.
std::int64_t leading(Draws& draw, std::int64_t tight) {
  const auto round_up_to = draw(rc::gen::element<std::int64_t>(4, 8, 32));
  const std::int64_t rounded = (tight / round_up_to + 1) * round_up_to;
  return draw(rc::gen::weightedOneOf<std::int64_t>(
      {{6, rc::gen::just<std::int64_t>(0)},
       {3, rc::gen::just(tight + 1)},
       {3, rc::gen::just(rounded)},
       {4, rc::gen::map(rc::gen::inRange<std::int64_t>(2, 20),
                        [tight](std::int64_t extra) { return tight + extra; })}}));
}

Recipe recipe(Draws& draw, const Contract& contract) {
  using R = Recipe;
  if (unit_roundoff(contract.type_a) == 0.0) {
    return draw(rc::gen::element(R::lattice, R::lattice, R::cancellation, R::spikes, R::onehot));
  }
  return draw(rc::gen::weightedElement<Recipe>({{35, R::lattice},
                                                {20, R::normal},
                                                {8, R::wide},
                                                {10, R::cancellation},
                                                {10, R::spikes},
                                                {12, R::onehot},
                                                {5, R::special}}));
}

/// Few bits for the recipes whose sums are to be exact; any number for the others.
double factor(Draws& draw, Recipe data, double usual, bool whole) {
  const bool rounds = data == Recipe::normal || data == Recipe::wide;
  const double other = whole    ? draw(rc::gen::element(2.0, -3.0))
                       : rounds ? draw(rc::gen::element(0.7, -1.3, 3.0))
                                : draw(rc::gen::element(2.0, -3.0, 0.5, 1.5));
  return draw(
      rc::gen::weightedElement<double>({{5, usual}, {1, 0.0}, {2, 1.0}, {1, -1.0}, {3, other}}));
}

class Wish {
 public:
  Wish(const Contract& contract, const Tiles& tiles, std::uint64_t seed)
      : contract_(contract), tiles_(tiles), draw_(seed) {
    for (std::size_t i = 0; i < 3; ++i) {
      extents_[i] = sizes(*kinds()[i], i == 2 ? 3 : 1);
    }
    const double unit = draw_(rc::gen::inRange<int>(0, 1001)) / 1000.0;
    const double least =
        std::max(kLeastWork, 16.0 * static_cast<double>(tile(0)) * static_cast<double>(tile(1)));
    budget_ = least * std::pow(std::max(1.0, kMostWork / least), unit);
    if (budget_ < least) budget_ = least;
  }

  Case drawn() {
    Case wish;
    wish.variant = contract_.name;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      wish.m = draw_(extents_[0]);
      wish.n = draw_(extents_[1]);
      wish.k = draw_(extents_[2]);
      if (affordable(wish)) break;
    }
    if (contract_.takes(ArgumentWord::ta)) wish.ta = draw_(rc::gen::element(false, true));
    if (contract_.takes(ArgumentWord::tb)) wish.tb = draw_(rc::gen::element(false, true));
    if (contract_.takes(ArgumentWord::batch)) {
      wish.batch = draw_(rc::gen::element<std::int64_t>(1, 1, 2, 3, 5));
    }
    shrink_to_budget(wish, {0, 0, 0});
    wish.lda = leading_of(wish, ArgumentWord::lda);
    wish.ldb = leading_of(wish, ArgumentWord::ldb);
    wish.ldc = leading_of(
        wish, contract_.takes(ArgumentWord::ldc) ? ArgumentWord::ldc : ArgumentWord::ldd);
    wish.stride_a = stride_of(wish, ArgumentWord::stride_a);
    wish.stride_b = stride_of(wish, ArgumentWord::stride_b);
    wish.stride_c =
        stride_of(wish, contract_.takes(ArgumentWord::stride_c) ? ArgumentWord::stride_c
                                                                : ArgumentWord::stride_d);
    for (std::int64_t Case::*offset : {&Case::off_a, &Case::off_b, &Case::off_c}) {
      wish.*offset = draw_(rc::gen::element<std::int64_t>(0, 0, 0, 1, 2, 3));
    }
    if (contract_.takes(ArgumentWord::bias)) {
      wish.off_bias = draw_(rc::gen::element<std::int64_t>(0, 0, 0, 1, 2, 3));
    }
    wish.data = recipe(draw_, contract_);
    const bool whole = contract_.accumulate == ScalarType::s32;
    wish.alpha = factor(draw_, wish.data, 1.0, whole);
    wish.beta = factor(draw_, wish.data, 0.0, whole);
    wish.seed = draw_(rc::gen::inRange<std::uint64_t>(0, 1'000'000));
    return normalized(contract_, wish);
  }

  /// Halves the extent that is largest above its least value until the work is affordable.
  void shrink_to_budget(Case& wish, const std::array<std::int64_t, 3>& least) const {
    while (!affordable(wish)) {
      std::int64_t* const extents[] = {&wish.m, &wish.n, &wish.k};
      std::size_t largest = 3;
      for (std::size_t i = 0; i < 3; ++i) {
        if (*extents[i] <= std::max<std::int64_t>(least[i], 1)) continue;
        if (largest == 3 || *extents[i] > *extents[largest]) largest = i;
      }
      if (largest == 3) return;
      *extents[largest] = std::max(least[largest], *extents[largest] / 2);
    }
  }

  [[nodiscard]] bool affordable(const Case& wish) const {
    const auto tiled = [&](std::int64_t size, std::size_t i) {
      const std::int64_t whole = (size + tile(i) - 1) / tile(i) * tile(i);
      return static_cast<double>(std::max<std::int64_t>(whole, 1));
    };
    const auto m = static_cast<double>(wish.m);
    const auto n = static_cast<double>(wish.n);
    const auto k = static_cast<double>(wish.k);
    const auto batch = static_cast<double>(wish.batch);
    const double work = batch * tiled(wish.m, 0) * tiled(wish.n, 1) * std::max(k, 1.0);
    return work <= budget_ && batch * (m * n + m * k + k * n) <= kMostElements;
  }

 private:
  [[nodiscard]] std::array<const Sizes*, 3> kinds() const {
    return {&tiles_.m, &tiles_.n, &tiles_.k};
  }

  /// The largest tile of m or n: what a block computes whether or not the matrix fills it.
  [[nodiscard]] std::int64_t tile(std::size_t extent) const {
    return std::min<std::int64_t>(128, kinds()[extent]->back());
  }

  std::int64_t leading_of(const Case& wish, ArgumentWord word) {
    const auto tight = std::max<std::int64_t>(1, tight_dimension(contract_, wish, word));
    return contract_.takes(word) ? leading(draw_, tight) : 0;
  }

  std::int64_t stride_of(const Case& wish, ArgumentWord word) {
    return contract_.takes(word) ? leading(draw_, tight_stride(contract_, wish, word)) : 0;
  }

  const Contract& contract_;
  const Tiles& tiles_;
  Draws draw_;
  std::array<rc::Gen<std::int64_t>, 3> extents_{rc::gen::just<std::int64_t>(0),
                                                rc::gen::just<std::int64_t>(0),
                                                rc::gen::just<std::int64_t>(0)};
  double budget_ = 0.0;
};

/// Leading dimensions and strides that a change of sizes has made too small become tight.
void mend_leading(const Contract& contract, Case& wish) {
  const auto mend = [&](std::int64_t& field, ArgumentWord word) {
    if (field < tight_dimension(contract, wish, word)) field = 0;
  };
  mend(wish.lda, ArgumentWord::lda);
  mend(wish.ldb, ArgumentWord::ldb);
  mend(wish.ldc, ArgumentWord::ldc);
  const auto mend_stride = [&](std::int64_t& field, ArgumentWord word) {
    if (field < tight_stride(contract, wish, word)) field = 0;
  };
  mend_stride(wish.stride_a, ArgumentWord::stride_a);
  mend_stride(wish.stride_b, ArgumentWord::stride_b);
  mend_stride(wish.stride_c, contract.takes(ArgumentWord::stride_c) ? ArgumentWord::stride_c
                                                                    : ArgumentWord::stride_d);
}

}  // namespace

CaseGenerator::CaseGenerator(const Contract& contract, std::uint64_t seed, bool far_lines)
    : contract_(contract),
      seed_(mixed(seed, hashed(contract.name))),
      tiles_(tiles(contract)),
      solver_(contract),
      beyond_grid_limits_(beyond_grid_limits(contract, solver_)),
      far_words_(far_lines ? far_words(contract) : std::vector<ArgumentWord>{}) {}

Drawn CaseGenerator::draw(std::int64_t index) const {
  const std::uint64_t seed = mixed(seed_, static_cast<std::uint64_t>(index));
  Drawn drawn;
  const std::size_t in_round = static_cast<std::size_t>(index) % kRound;
  if (const std::size_t limit = in_round / kApart;
      in_round % kApart == 0 && limit > 0 && limit <= beyond_grid_limits_.size()) {
    drawn.problem = beyond_grid_limits_[limit - 1];
    drawn.problem.seed = seed % 1'000'000;
    return drawn;
  }
  if (in_round % kApart == kFar && in_round / kApart < far_words_.size()) {
    auto far = far_lines(contract_, solver_, far_words_[in_round / kApart], seed);
    if (far) {
      drawn.problem = normalized(contract_, std::move(*far));
      return drawn;
    }
  }
  for (std::uint64_t attempt = 0; attempt < 4; ++attempt) {
    Wish wish(contract_, tiles_, mixed(seed, attempt));
    Case wanted = wish.drawn();
    const std::optional<std::string> broken = violated(contract_, wanted);
    if (attempt == 0) drawn.excluded_by = broken;
    if (!broken) {
      drawn.problem = std::move(wanted);
      return drawn;
    }
    wish.shrink_to_budget(wanted, {solver_.least(0), solver_.least(1), solver_.least(2)});
    // Ties may make a large case of a small wish; then wish for less.
    std::optional<Case> found;
    for (int halvings = 0; halvings < 6; ++halvings) {
      mend_leading(contract_, wanted);
      found = solver_.nearest(wanted);
      if (!found || wish.affordable(*found)) break;
      wanted.m = (wanted.m + 1) / 2;
      wanted.n = (wanted.n + 1) / 2;
      wanted.k = (wanted.k + 1) / 2;
    }
    if (!found) continue;
    drawn.problem = std::move(*found);
    return drawn;
  }
  std::vector<std::string> requirements;
  for (const kernels::Expression& expression : contract_.requires_) {
    requirements.push_back(expression.text());
  }
  throw InputError(Diagnostic{contract_.where,
                              fmt::format("{}: found no case that satisfies `requires`: {}",
                                          contract_.name, fmt::join(requirements, " and ")),
                              {}});
}

}  // namespace warpcheck::properties
