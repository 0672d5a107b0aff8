#include "tests/golden/mma/search.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpcheck::golden {
namespace {

using semantics::BlockSum;
using semantics::Fp8Path;
using semantics::TensorModel;

constexpr int kNoLeastExponent = -1000;

bool is_fp8(const MmaForm& form) { return form.a == MmaType::e4m3 || form.a == MmaType::e5m2; }

std::string text(const TensorModel& model, const BlockSum& sum) {
  return fmt::format(
      "F {}, L {}, result {} bits, least exponent {}, zero factors {}, sum of negative zeros {}, "
      "negative underflow {}, overflow {}{}",
      sum.fraction_bits, sum.block_length, sum.result_fraction_bits,
      model.least_exponent == kNoLeastExponent ? "none" : std::to_string(model.least_exponent),
      model.zero_factor_has_exponent ? "count" : "do not count", model.negative_zero ? "-0" : "+0",
      model.negative_underflow ? "-0" : "+0", model.overflow_to_infinity ? "infinity" : "finite",
      model.fp8_path == Fp8Path::through_f16 ? ", 8 bits through f16" : "");
}

/// Adds all parameters of special cases for one kind of sum.
void add_edges(const MmaForm& form, TensorModel model, BlockSum sum,
               std::vector<Candidate>& candidates) {
  model.half = model.tf32 = model.wmma_tf32 = model.fp8 = sum;
  for (const int least : {-126, -133, -14, -28, kNoLeastExponent}) {
    for (unsigned edges = 0; edges < 16; ++edges) {
      model.least_exponent = least;
      model.zero_factor_has_exponent = (edges & 1) != 0;
      model.negative_zero = (edges & 2) != 0;
      model.negative_underflow = (edges & 4) != 0;
      model.overflow_to_infinity = (edges & 8) == 0;
      if (form.d == MmaType::f16 && !model.overflow_to_infinity) continue;
      candidates.push_back({model, text(model, sum), 0});
    }
  }
}

std::vector<Candidate> all_candidates(const MmaForm& form) {
  std::vector<Candidate> candidates;
  TensorModel model;
  for (const auto path : {Fp8Path::tensor_core, Fp8Path::through_f16}) {
    if (path == Fp8Path::through_f16 && !is_fp8(form)) continue;
    model.fp8_path = path;
    for (const int fraction_bits : {13, 22, 23, 24, 25, 26, 27}) {
      if (fraction_bits == 13 && !is_fp8(form)) continue;
      for (int length = std::min(4, form.shape.k); length <= form.shape.k; length *= 2) {
        add_edges(form, model, {fraction_bits, length, 23}, candidates);
        if (fraction_bits == 13) add_edges(form, model, {13, length, 13}, candidates);
      }
    }
  }
  return candidates;
}

}  // namespace

std::size_t count_differing(const MmaForm& form, const TensorModel& model,
                            const Fragment& fragment) {
  const Elements now = expected(form, model, fragment.inputs);
  std::size_t differing = 0;
  for (std::size_t i = 0; i < now.size(); ++i) differing += now[i] != fragment.result[i] ? 1 : 0;
  return differing;
}

std::vector<Candidate> search(const MmaForm& form, const std::vector<Fragment>& fragments) {
  std::vector<Candidate> candidates;
  if (form.c == MmaType::f64 || form.c == MmaType::s32 || form.products > 1) {
    return candidates;
  }
  candidates = all_candidates(form);
  for (Candidate& candidate : candidates) {
    for (const Fragment& fragment : fragments) {
      candidate.differing += count_differing(form, candidate.model, fragment);
    }
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::differing);
  return candidates;
}

}  // namespace warpcheck::golden
