// Times kernels on a GPU, in turn with cuBLAS.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/run/problem.hpp"
#include "contract/compile/variant.hpp"
#include "device/cuda/driver/direct_gpu.hpp"
#include "workflows/bench/cublas.hpp"
#include "workflows/bench/gpu_clock.hpp"
#include "workflows/bench/result.hpp"

namespace warpcheck::workflows::bench {

struct GpuOptions {
  int rounds = 30;  // measured rounds; three warm-up rounds precede them
};

class GpuBench {
 public:
  /// Throws EnvironmentError if there is no GPU. cuBLAS and NVML may be absent.
  explicit GpuBench(const GpuOptions& options);

  [[nodiscard]] std::string description() const { return gpu_.description(); }
  /// "1980 MHz at most", or why the clock is unknown.
  [[nodiscard]] std::string clock() const;

  /// Checks the variant, times its launches, those of a product in turn with those of cuBLAS, and
  /// checks it again: the case itself, of a product at some elements. `checked` is another case
  /// that is checked instead, before. The operands exist several times, and each launch takes the
  /// next ones, so that none finds its operands in the L2 cache. Throws std::runtime_error if a
  /// launch fails.
  [[nodiscard]] Result measure(const contract::Variant& variant, const campaign::Case& line,
                               const std::optional<campaign::Case>& checked);

 private:
  struct Copy;

  [[nodiscard]] std::vector<Copy> make_copies(const campaign::run::Problem& problem,
                                              bool with_cublas);
  [[nodiscard]] std::string check(const campaign::run::Problem& problem, Copy& copy);
  [[nodiscard]] std::string check_case(const contract::Variant& variant,
                                       const campaign::Case& line);
  void restore(const campaign::run::Problem& problem, const Copy& copy) const;
  /// Seconds of one launch: the mean of `count`, one copy after another.
  [[nodiscard]] double mean_time(int count, const std::function<void(int)>& start) const;
  void time_in_turn(const campaign::run::Problem& problem, std::vector<Copy>& copies,
                    CublasProduct* cublas, Result& result) const;

  GpuOptions options_;
  device::cuda::DirectGpu gpu_;
  GpuClock clock_;
  std::unique_ptr<Cublas> cublas_;
  std::string no_cublas_;  // reason why cublas_ is null
};

}  // namespace warpcheck::workflows::bench
