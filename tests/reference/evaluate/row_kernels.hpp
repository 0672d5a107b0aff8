// Kernels of one row in f32 on the host, in several correct orders.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warpcheck::reference {

/// x[rows, columns], w[columns] and scale in f32.
struct Inputs {
  std::size_t rows;
  std::size_t columns;
  std::vector<float> x;
  std::vector<float> w;
  float scale;

  [[nodiscard]] float at(std::size_t i, std::size_t j) const { return x[i * columns + j]; }
};

/// Computes row `i` of y from a row of x.
using RowKernel = std::function<std::vector<float>(const Inputs&, std::size_t i)>;

struct Fused {
  std::string name;
  std::string definition;
  bool is_reduced;  // one element a row
  std::vector<RowKernel> kernels;
};

/// A kernel of one element of a row at a time.
inline RowKernel each(float (*element)(float x, float w, float scale)) {
  return [element](const Inputs& in, std::size_t i) {
    std::vector<float> y;
    for (std::size_t j = 0; j < in.columns; ++j)
      y.push_back(element(in.at(i, j), in.w[j], in.scale));
    return y;
  };
}

/// A sum of terms from the front, from the back, or pairwise.
inline float sum(const std::vector<float>& terms, int order) {
  float total = 0.0F;
  if (order == 0) {
    for (const float term : terms) total += term;
  } else if (order == 1) {
    for (std::size_t j = terms.size(); j-- > 0;) total += terms[j];
  } else {
    std::vector<float> left = terms;
    for (; left.size() > 1; left.resize((left.size() + 1) / 2)) {
      for (std::size_t j = 0; 2 * j < left.size(); ++j) {
        left[j] = left[2 * j] + (2 * j + 1 < left.size() ? left[2 * j + 1] : 0.0F);
      }
    }
    if (!left.empty()) total = left[0];
  }
  return total;
}

/// The sum of f(j) in an order.
template <class F>
inline float sum_of(const Inputs& in, int order, const F& f) {
  std::vector<float> terms;
  for (std::size_t j = 0; j < in.columns; ++j) terms.push_back(f(j));
  return sum(terms, order);
}

inline std::vector<float> scores(const Inputs& in, std::size_t i, bool fused) {
  std::vector<float> s;
  for (std::size_t j = 0; j < in.columns; ++j) {
    s.push_back(fused ? std::fma(in.scale, in.w[j], in.at(i, j))
                      : in.at(i, j) + in.scale * in.w[j]);
  }
  return s;
}

inline float peak_of(const std::vector<float>& s, bool compares) {
  float peak = -INFINITY;
  for (const float one : s) peak = compares ? (one > peak ? one : peak) : std::fmax(one, peak);
  return peak;
}

inline std::vector<float> softmax(const Inputs& in, std::size_t i, bool fused, int order,
                                  bool reciprocal) {
  std::vector<float> e = scores(in, i, fused);
  const float peak = peak_of(e, fused);
  for (float& one : e) one = std::exp(one - peak);
  const float total = sum(e, order);
  for (float& one : e) one = reciprocal ? one * (1.0F / total) : one / total;
  return e;
}

/// One pass that rescales the total. Rows that are -infinity so far add nothing.
inline std::vector<float> online_softmax(const Inputs& in, std::size_t i) {
  std::vector<float> s = scores(in, i, false);
  float peak = -INFINITY;
  float total = 0.0F;
  for (const float one : s) {
    if (one == -INFINITY) continue;
    const float most = one <= peak ? peak : one;
    total = total * std::exp(peak - most) + std::exp(one - most);
    peak = most;
  }
  for (float& one : s) one = std::exp(one - peak) / total;
  return s;
}

enum class Pass { twice, online, in_parts };

/// exp(one - other); of two infinities of one sign 1.
inline float ratio(float one, float other) { return one == other ? 1.0F : std::exp(one - other); }

/// Values with weights. Online, both sums are relative to the largest score so far.
struct WeightedSums {
  float peak;
  float total = 0.0F;
  float sum = 0.0F;

  void add(float score, float value) {
    const float most = score <= peak ? peak : score;
    const float weight = most == -INFINITY ? 0.0F : std::exp(score - most);
    total = total * ratio(peak, most) + weight;
    sum = sum * ratio(peak, most) + weight * value;
    peak = most;
  }
};

/// In parts, each of two halves has its own sums, which are merged.
inline std::vector<float> weighted_values(const Inputs& in, std::size_t i, Pass pass, int order) {
  std::vector<float> s;
  for (std::size_t j = 0; j < in.columns; ++j) s.push_back(in.at(i, j));
  const float start = pass == Pass::twice ? peak_of(s, false) : -INFINITY;
  std::vector<WeightedSums> parts(pass == Pass::in_parts ? 2 : 1, WeightedSums{start});
  for (std::size_t j = 0; j < in.columns; ++j) {
    const std::size_t at = order == 0 ? j : in.columns - 1 - j;
    parts[at % parts.size()].add(s[at], in.w[at]);
  }
  const float most =
      parts.front().peak >= parts.back().peak ? parts.front().peak : parts.back().peak;
  float total = 0.0F;
  float sum = 0.0F;
  for (const WeightedSums& part : parts) {
    total += part.total * ratio(part.peak, most);
    sum += part.sum * ratio(part.peak, most);
  }
  return {sum / total};
}

inline std::vector<float> welford(const Inputs& in, std::size_t i) {
  const auto v = [&](std::size_t j) { return in.at(i, j) + in.w[j]; };
  float mean = 0.0F;
  float squares = 0.0F;
  for (std::size_t j = 0; j < in.columns; ++j) {
    const float delta = v(j) - mean;
    mean += delta / static_cast<float>(j + 1);
    squares += delta * (v(j) - mean);
  }
  const float inverse = 1.0F / std::sqrt(squares / static_cast<float>(in.columns) + 1e-5F);
  std::vector<float> y;
  for (std::size_t j = 0; j < in.columns; ++j) y.push_back((v(j) - mean) * inverse);
  return y;
}

inline std::vector<float> layer_norm(const Inputs& in, std::size_t i, int order, bool reciprocal) {
  const float n = static_cast<float>(in.columns);
  const auto v = [&](std::size_t j) { return in.at(i, j) + in.w[j]; };
  const auto mean_of = [&](const auto& f) {
    return reciprocal ? sum_of(in, order, f) * (1.0F / n) : sum_of(in, order, f) / n;
  };
  const float mean = mean_of(v);
  const float variance = mean_of([&](std::size_t j) { return (v(j) - mean) * (v(j) - mean); });
  const float inverse = 1.0F / std::sqrt(variance + 1e-5F);
  std::vector<float> y;
  for (std::size_t j = 0; j < in.columns; ++j) y.push_back((v(j) - mean) * inverse);
  return y;
}

inline std::vector<float> rms_norm(const Inputs& in, std::size_t i, int order) {
  const float squares = sum_of(in, order, [&](std::size_t j) { return in.at(i, j) * in.at(i, j); });
  const float inverse = 1.0F / std::sqrt(squares / static_cast<float>(in.columns) + 1e-6F);
  std::vector<float> y;
  for (std::size_t j = 0; j < in.columns; ++j) {
    const float x = in.at(i, j);
    y.push_back(order == 0   ? x * inverse * in.w[j]
                : order == 1 ? x * (inverse * in.w[j])
                             : x * in.w[j] * inverse);
  }
  return y;
}

inline std::vector<float> l2_ratio(const Inputs& in, std::size_t i, int order, bool reciprocal) {
  const float squares = sum_of(in, order, [&](std::size_t j) { return in.at(i, j) * in.at(i, j); });
  std::vector<float> y;
  for (std::size_t j = 0; j < in.columns; ++j) {
    const float root = std::sqrt(squares);
    y.push_back(reciprocal ? in.at(i, j) * (1.0F / root) : in.at(i, j) / root);
  }
  return y;
}

inline std::vector<float> log_softmax(const Inputs& in, std::size_t i, int order) {
  std::vector<float> s = scores(in, i, false);
  const float peak = peak_of(s, order == 1);
  std::vector<float> e = s;
  for (float& one : e) one = std::exp(one - peak);
  const float log_total = std::log(sum(e, order));
  for (float& one : s) one = one - peak - log_total;
  return s;
}

/// The factor of a sum is applied to each term, to one factor of it, or to the sum.
inline RowKernel scaled_dot(int place, int order) {
  return [place, order](const Inputs& in, std::size_t i) {
    const float total = sum_of(in, order, [&](std::size_t j) {
      return place == 0   ? in.scale * in.at(i, j) * in.w[j]
             : place == 1 ? in.scale * (in.at(i, j) * in.w[j])
                          : in.at(i, j) * in.w[j];
    });
    return std::vector{place == 2 ? in.scale * total : total};
  };
}

/// The sum begins with the scaled first element, or that is added at the end.
inline RowKernel accumulated(bool first, int order) {
  return [first, order](const Inputs& in, std::size_t i) {
    const float start = in.scale * in.at(i, 0);
    std::vector<float> terms;
    if (first) terms.push_back(start);
    for (std::size_t j = 0; j < in.columns; ++j) terms.push_back(in.at(i, j) * in.w[j]);
    const float total = sum(terms, order);
    return std::vector{first ? total : total + start};
  };
}

inline RowKernel row_kernel(std::vector<float> (*kernel)(const Inputs&, std::size_t, int),
                            int order) {
  return [kernel, order](const Inputs& in, std::size_t i) { return kernel(in, i, order); };
}

}  // namespace warpcheck::reference
