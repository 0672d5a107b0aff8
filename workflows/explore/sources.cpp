#include "workflows/explore/sources.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"

namespace warpcheck::workflows::explore {
namespace {

using campaign::Case;
using campaign::CaseField;
using campaign::CaseSchema;
using contract::Contract;
using Of = Quantity::Kind;

// Consecutive small values show residues, powers of two and their neighbours show limits.
constexpr std::int64_t kExtents[] = {
    0,   1,   2,   3,   4,   5,    6,    7,    8,    9,    10,   11,   12,   13,   14,  15,  16,
    17,  18,  20,  22,  24,  28,   30,   31,   32,   33,   36,   40,   48,   56,   63,  64,  65,
    72,  80,  96,  100, 112, 127,  128,  129,  144,  160,  176,  192,  255,  256,  257, 320, 384,
    511, 512, 513, 640, 768, 1000, 1023, 1024, 1025, 1152, 1280, 1536, 1792, 2047, 2048};
constexpr std::int64_t kCommonExtents[] = {1,  2,  3,  4,  5,  7,   8,   12,  16,  17,  24,  31,
                                           32, 48, 64, 65, 96, 128, 129, 192, 256, 512, 1024};
constexpr std::int64_t kPaddings[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 128};
constexpr std::int64_t kOffsets[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 64};
constexpr double kFactors[] = {0.0, 1.0, -1.0, 2.0, -3.0};

constexpr double kMostCommonWork = 2.5e6;  // multiply-adds of a case with several other extents
constexpr double kMostWork = 8e6;          // the same with one other extent

bool takes_at_most(const Contract& contract, const CaseSchema& schema, const Case& problem,
                   double work) {
  const auto found = schema.work.evaluate(campaign::bindings(contract, problem));
  return found && static_cast<double>(*found) <= work;
}

/// Sets factors that are usually 0 to 1, which makes the kernel read what they multiply.
Case with_factors_of_one(const CaseSchema& schema, Case problem) {
  for (const CaseField& field : schema.fields) {
    const bool is_factor = field.kind == CaseField::Kind::factor && field.is_taken;
    if (is_factor && field.default_number == 0.0) field.set(problem, 1);
  }
  return problem;
}

class Variations {
 public:
  Variations(const Contract& contract, const Case& passing, std::int64_t max_size)
      : contract_(contract),
        schema_(campaign::case_schema(contract)),
        passing_(passing),
        max_size_(max_size) {}

  void of(const Quantity& quantity) {
    switch (quantity.kind) {
      case Of::extent:
        for (const std::int64_t value : kExtents) extent({&quantity, 1}, value, kMostWork);
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
      extent(together, value, kMostCommonWork);
    }
  }

  /// Sets all leading dimensions to one value.
  void leading_dimensions(const std::vector<Quantity>& quantities) {
    std::int64_t least = 0;
    for (const Quantity& quantity : quantities) {
      if (!quantity.is_leading_dimension()) continue;
      least = std::max(least, least_value(contract_, passing_, quantity));
    }
    for (const std::int64_t padding : kPaddings) {
      Case changed = passing_;
      for (const Quantity& quantity : quantities) {
        if (quantity.is_leading_dimension()) {
          set_value(changed, quantity, static_cast<double>(least + padding));
        }
      }
      all_.push_back(changed);
    }
  }

  /// Resets strides that the new extents make too small.
  void extent(std::span<const Quantity> together, std::int64_t value, double most_work) {
    if (value > max_size_) return;
    Case changed = passing_;
    for (const Quantity& quantity : together) {
      set_value(changed, quantity, static_cast<double>(value));
    }
    if (!is_valid(schema_, changed, std::numeric_limits<std::int64_t>::max())) return;
    if (!takes_at_most(contract_, schema_, changed, most_work)) return;
    campaign::reset_short_strides(contract_, changed);
    all_.push_back(changed);
  }

  std::vector<Case> take() { return std::move(all_); }

 private:
  void number(const Quantity& quantity, double value) {
    Case changed = passing_;
    set_value(changed, quantity, value);
    all_.push_back(changed);
  }

  void integer(const Quantity& quantity, std::int64_t value) {
    number(quantity, static_cast<double>(value));
  }

  const Contract& contract_;
  CaseSchema schema_;
  const Case& passing_;
  std::int64_t max_size_;
  std::vector<Case> all_;
};

}  // namespace

bool is_valid(const CaseSchema& schema, const Case& problem, std::int64_t max_size) {
  return std::all_of(schema.fields.begin(), schema.fields.end(), [&](const CaseField& field) {
    if (field.kind != CaseField::Kind::extent) return true;
    const std::int64_t size = field.get(problem);
    return size >= (field.has_zero ? 0 : 1) && size <= max_size;
  });
}

std::vector<Case> friendly_cases(const Contract& contract, const CaseSchema& schema) {
  std::vector<Case> cases;
  const auto add = [&](std::int64_t size, const CaseField* extent, std::int64_t other) {
    Case problem;
    problem.variant = contract.name;
    problem.seed = 1;
    schema.set_extents(problem, size);
    if (extent != nullptr) extent->set(problem, other);
    problem = campaign::normalized(contract, problem);
    if (takes_at_most(contract, schema, problem, kMostCommonWork)) cases.push_back(problem);
  };
  for (const std::int64_t size : {128, 64, 32, 16, 8, 4, 2, 256, 512, 48, 96, 80, 7, 33, 1}) {
    add(size, nullptr, 0);
    for (const std::size_t extent : schema.fields_of_kind(CaseField::Kind::extent)) {
      for (const std::int64_t other : {1, 3, 4, 8, 16, 32, 64, 128, 256}) {
        if (size % 16 == 0 || size == 4) add(size, &schema.fields[extent], other);
      }
    }
  }
  const std::size_t count = cases.size();
  for (std::size_t i = 0; i < count; ++i) {
    Case other = with_factors_of_one(schema, cases[i]);
    if (other != cases[i]) cases.push_back(std::move(other));
  }
  return cases;
}

std::vector<Case> small_cases(const Contract& contract, const CaseSchema& schema,
                              campaign::generate::Rng& random, std::size_t count) {
  std::vector<Case> cases;
  while (cases.size() < count) {
    const std::int64_t most = random.of(std::vector<std::int64_t>{4, 16, 96});
    Case problem;
    problem.variant = contract.name;
    problem.seed = 1;
    std::int64_t last = 0;
    for (const CaseField& field : schema.fields) {
      if (field.kind == CaseField::Kind::extent) {
        if (last == 0 || !random.one_in(3)) last = random.between(1, most);
        field.set(problem, last);
      } else if (field.kind == CaseField::Kind::transposition) {
        field.set(problem, random.one_in(4) ? 1 : 0);
      }
    }
    if (random.one_in(2)) problem = with_factors_of_one(schema, std::move(problem));
    problem = campaign::normalized(contract, problem);
    if (takes_at_most(contract, schema, problem, kMostCommonWork)) cases.push_back(problem);
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
  for (std::int64_t value = 1; value <= kMostSize; ++value) {
    variations.extent({&extent, 1}, value, kMostWork);
  }
  return variations.take();
}

}  // namespace warpcheck::workflows::explore
