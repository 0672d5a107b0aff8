#include "workflows/explore/sources.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "properties/case/normalized.hpp"
#include "properties/case/operand.hpp"
#include "properties/case/tensor_case.hpp"

namespace warpcheck::workflows::explore {
namespace {

using contract::Contract;
using properties::Case;
using Of = Quantity::Kind;

// Consecutive small values show residues, powers of two and their neighbours show limits.
constexpr std::int64_t kExtents[] = {
    0,   1,   2,   3,   4,   5,    6,    7,    8,    9,    10,   11,   12,   13,   14,  15,  16,
    17,  18,  20,  22,  24,  28,   30,   31,   32,   33,   36,   40,   48,   56,   63,  64,  65,
    72,  80,  96,  100, 112, 127,  128,  129,  144,  160,  176,  192,  255,  256,  257, 320, 384,
    511, 512, 513, 640, 768, 1000, 1023, 1024, 1025, 1152, 1280, 1536, 1792, 2047, 2048};
constexpr std::int64_t kCommonExtents[] = {1,  2,  3,  4,  5,  7,   8,   12,  16,  17,  24,  31,
                                           32, 48, 64, 65, 96, 128, 129, 192, 256, 512, 1024};
constexpr double kMostCommonWork = 2.5e6;  // multiply-adds of a case with common extents
constexpr std::int64_t kPaddings[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 128};
constexpr std::int64_t kOffsets[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64};
constexpr double kFactors[] = {0.0, 1.0, -1.0, 2.0, -3.0};

Case friendly_case(const Contract& contract, std::int64_t m, std::int64_t n, std::int64_t k) {
  Case problem;
  problem.variant = contract.name;
  problem.m = m;
  problem.n = n;
  problem.k = k;
  problem.seed = 1;
  return problem;
}

/// True if the case takes few steps of an operation of the language.
bool is_cheap(const Contract& contract, const Case& problem) {
  constexpr double kMostSteps = 3e5;
  return properties::tensor::work(contract, problem) <= kMostSteps;
}

/// A case of an operation of the language with these extents, which are used in turn.
Case tensor_case(const Contract& contract, std::span<const std::int64_t> sizes) {
  Case problem;
  problem.variant = contract.name;
  problem.seed = 1;
  const std::vector<std::string>& extents = contract.tensors->operation.extents;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    problem.set_value(extents[i], static_cast<double>(sizes[i % sizes.size()]));
  }
  return properties::normalized(contract, problem);
}

std::vector<Case> friendly_tensor_cases(const Contract& contract) {
  std::vector<Case> cases;
  const auto add = [&](const Case& problem) {
    if (is_cheap(contract, problem)) cases.push_back(problem);
  };
  const std::vector<std::string>& extents = contract.tensors->operation.extents;
  for (const std::int64_t size : {512, 256, 128, 64, 32, 16, 8, 4, 2, 48, 96, 7, 33, 1}) {
    add(tensor_case(contract, {{size}}));
    for (const std::string& extent : extents) {
      for (const std::int64_t other : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
        Case problem = tensor_case(contract, {{size}});
        problem.set_value(extent, static_cast<double>(other));
        add(problem);
        problem = tensor_case(contract, {{other}});
        problem.set_value(extent, static_cast<double>(size));
        add(problem);
      }
    }
  }
  return cases;
}

std::vector<Case> small_tensor_cases(const Contract& contract, properties::generate::Rng& random,
                                     std::size_t count) {
  std::vector<Case> cases;
  while (cases.size() < count) {
    const std::int64_t most = random.of(std::vector<std::int64_t>{4, 16, 96});
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < contract.tensors->operation.extents.size(); ++i) {
      const bool repeats = i > 0 && random.one_in(3);
      sizes.push_back(repeats ? sizes.back() : random.between(1, most));
    }
    Case problem = tensor_case(contract, sizes);
    if (is_cheap(contract, problem)) cases.push_back(std::move(problem));
  }
  return cases;
}

class Variations {
 public:
  Variations(const Contract& contract, const Case& passing, std::int64_t max_size)
      : contract_(contract), passing_(passing), max_size_(max_size) {}

  void of(const Quantity& quantity) {
    switch (quantity.kind) {
      case Of::extent:
        for (const std::int64_t value : kExtents) extent({&quantity, 1}, value);
        break;
      case Of::stride:
        for (const std::int64_t padding : kPaddings) {
          integer(quantity, least_value(contract_, passing_, quantity) + padding);
        }
        break;
      case Of::offset:
        for (const std::int64_t offset : kOffsets) integer(quantity, offset);
        break;
      case Of::batch:
        for (const std::int64_t batch : {1, 2, 3, 4, 5, 8}) integer(quantity, batch);
        break;
      case Of::flag:
        for (const std::int64_t flag : {0, 1}) integer(quantity, flag);
        break;
      case Of::factor:
        for (const double factor : kFactors) number(quantity, factor);
        break;
      case Of::padding:
      case Of::base_offset:
        break;  // they follow from strides and offsets
    }
  }

  void extents(std::vector<Quantity> together) {
    for (const std::int64_t value : kCommonExtents) {
      extent(together, value);
      if (contract_.tensors != nullptr) continue;
      const Case& last = all_.empty() ? passing_ : all_.back();
      const double work = static_cast<double>(last.m) * static_cast<double>(last.n) *
                          static_cast<double>(std::max<std::int64_t>(last.k, 1));
      if (work > kMostCommonWork) all_.pop_back();
    }
  }

  /// Sets all leading dimensions to one value.
  void leading_dimensions(const std::vector<Quantity>& quantities) {
    std::int64_t least = 0;
    for (const Quantity& quantity : quantities) {
      if (!is_leading_dimension(quantity)) continue;
      least = std::max(least, least_value(contract_, passing_, quantity));
    }
    for (const std::int64_t padding : kPaddings) {
      Case changed = passing_;
      for (const Quantity& quantity : quantities) {
        if (is_leading_dimension(quantity)) {
          set_value(changed, quantity, static_cast<double>(least + padding));
        }
      }
      all_.push_back(changed);
    }
  }

  /// Resets strides that the new extents make too small.
  void extent(std::span<const Quantity> together, std::int64_t value) {
    if (value > max_size_) return;
    Case changed = passing_;
    for (const Quantity& quantity : together) {
      set_value(changed, quantity, static_cast<double>(value));
    }
    if (contract_.tensors != nullptr) {
      properties::tensor::reset_short_strides(contract_, changed);
      if (value > 0 && is_cheap(contract_, changed)) all_.push_back(changed);
      return;
    }
    if (changed.m == 0 || changed.n == 0) return;
    for (const properties::StrideField& stride : properties::stride_fields(contract_)) {
      std::int64_t& field = changed.*stride.field;
      if (field < stride.tight(contract_, changed)) field = 0;
    }
    all_.push_back(changed);
  }

  std::vector<Case> take() { return std::move(all_); }

 private:
  static bool is_leading_dimension(const Quantity& quantity) {
    return quantity.kind == Of::stride &&
           (quantity.is_named || !quantity.name.starts_with("stride_"));
  }

  void number(const Quantity& quantity, double value) {
    Case changed = passing_;
    set_value(changed, quantity, value);
    all_.push_back(changed);
  }

  void integer(const Quantity& quantity, std::int64_t value) {
    number(quantity, static_cast<double>(value));
  }

  const Contract& contract_;
  const Case& passing_;
  std::int64_t max_size_;
  std::vector<Case> all_;
};

}  // namespace

double size_of(const Contract& contract, const Case& problem) {
  if (contract.tensors == nullptr) return static_cast<double>(problem.m * problem.n + problem.k);
  double size = 0.0;
  for (const std::string& extent : contract.tensors->operation.extents) {
    size += static_cast<double>(properties::tensor::extent(problem, extent));
  }
  return size;
}

std::vector<Case> friendly_cases(const Contract& contract) {
  if (contract.tensors != nullptr) return friendly_tensor_cases(contract);
  std::vector<Case> cases;
  for (const std::int64_t size : {128, 64, 32, 16, 8, 4, 2, 256, 48, 96, 80, 7, 33, 1}) {
    cases.push_back(friendly_case(contract, size, size, size));
  }
  for (const std::int64_t size : {128, 64, 16, 4}) {
    for (const std::int64_t k : {8, 16, 32, 48, 64, 3, 1}) {
      cases.push_back(friendly_case(contract, size, size, k));
      cases.push_back(friendly_case(contract, size, 2 * size, k));
      cases.push_back(friendly_case(contract, 2 * size, size, k));
    }
  }
  const std::size_t without_c = cases.size();
  for (std::size_t i = 0; i < without_c; ++i) {
    Case with_c = cases[i];
    with_c.beta = 1.0;
    cases.push_back(with_c);
  }
  return cases;
}

std::vector<Case> small_cases(const Contract& contract, properties::generate::Rng& random,
                              std::size_t count) {
  if (contract.tensors != nullptr) return small_tensor_cases(contract, random, count);
  constexpr std::int64_t kMostSize = 96;
  std::vector<Case> cases;
  while (cases.size() < count) {
    Case problem = friendly_case(contract, random.between(1, kMostSize),
                                 random.between(1, kMostSize), random.between(1, kMostSize));
    if (random.one_in(3)) problem.m = problem.n;
    if (random.one_in(3)) problem.k = problem.n;
    if (random.one_in(2)) problem.beta = 1.0;
    if (random.one_in(4)) problem.ta = true;
    if (random.one_in(4)) problem.tb = true;
    cases.push_back(problem);
  }
  return cases;
}

std::vector<Case> variations(const Contract& contract, const Case& passing,
                             const std::vector<Quantity>& quantities, std::int64_t max_size) {
  Variations variations(contract, passing, max_size);
  for (const Quantity& quantity : quantities) variations.of(quantity);
  std::vector<Quantity> extents;
  for (const Quantity& quantity : quantities) {
    if (quantity.kind == Of::extent) extents.push_back(quantity);
  }
  for (std::size_t i = 0; i < extents.size(); ++i) {
    for (std::size_t j = i + 1; j < extents.size(); ++j) {
      variations.extents({extents[i], extents[j]});
    }
  }
  if (extents.size() > 2) variations.extents(extents);
  variations.leading_dimensions(quantities);
  return variations.take();
}

std::vector<Case> dense_variations(const Contract& contract, const Case& passing,
                                   const Quantity& extent, std::int64_t max_size) {
  constexpr std::int64_t kMostSize = 256;
  Variations variations(contract, passing, max_size);
  for (std::int64_t value = 1; value <= kMostSize; ++value) variations.extent({&extent, 1}, value);
  return variations.take();
}

}  // namespace warpcheck::workflows::explore
