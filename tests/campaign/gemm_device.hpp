// A device whose "kernel" is a C++ function, which is correct or has a defect.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::testing {

/// One launch: the arguments of the kernel and access to its buffers. f32, row-major.
class Call {
 public:
  Call(const contract::Contract& contract, const device::Job& job, const device::Launch& launch,
       std::size_t number, device::Outcome& outcome,
       std::map<std::pair<std::size_t, std::size_t>, unsigned>& writers);

  [[nodiscard]] std::int64_t size(contract::ArgumentWord word) const { return sizes_.at(word); }

  std::int64_t m = 0, n = 0, k = 0, lda = 0, ldb = 0, ldc = 0;
  float alpha = 1.0F;
  float beta = 0.0F;
  std::uint64_t schedule = 0;
  std::uint64_t instruction_budget = 0;
  std::size_t number = 0;                      // number of the launch in its job
  std::map<std::string, std::size_t> buffers;  // the arguments, by "A", "B" ...
  std::size_t number_of_a = SIZE_MAX;          // the buffer that a() loads; SIZE_MAX: no argument
  std::size_t number_of_b = SIZE_MAX;

  /// Accesses element `index` of a buffer ("A"). Outside the allocation, reports an out-of-bounds
  /// finding; a load then returns 0.
  float load(const std::string& buffer, std::int64_t index, unsigned line = 3);
  void store(const std::string& buffer, std::int64_t index, float value, unsigned line = 7);
  /// Reports a finding of the device.
  void report(FindingClass kind, const std::string& buffer, std::int64_t index, std::size_t bytes,
              unsigned line, unsigned ptx_line = 0);

  /// Sets the grade of the last finding.
  void set_grade(Grade grade) { outcome_.findings.back().grade = grade; }

  /// Reports that the device cannot execute an instruction.
  void report_unsupported(const std::string& form, unsigned line);

  /// Reports a race of two writes.
  void report_race(bool benign, unsigned line, unsigned other_line);

  float a(std::int64_t i, std::int64_t p) { return load(number_of_a, i * lda + p, 3); }
  float b(std::int64_t p, std::int64_t j) { return load(number_of_b, p * ldb + j, 3); }
  void c(std::int64_t i, std::int64_t j, float sum);  // the correct epilogue

 private:
  [[nodiscard]] std::size_t number_of(const std::string& buffer) const;
  float load(std::size_t buffer, std::int64_t index, unsigned line);
  /// Returns the address of an element in the contents of its buffer; null if it is outside.
  [[nodiscard]] std::byte* place_of(std::size_t buffer, std::int64_t index);

  /// A buffer of the job, and its bytes during the launch.
  struct Place {
    const device::Buffer* buffer;
    std::byte* bytes;
    std::size_t size;  // bytes of the allocation, with padding
  };

  const device::Job& job_;
  device::Outcome& outcome_;
  std::vector<Place> places_;
  std::map<std::pair<std::size_t, std::size_t>, unsigned>& writers_;
  std::map<contract::ArgumentWord, std::int64_t> sizes_;
};

using Kernel = std::function<void(Call&)>;

/// D = alpha A B + beta C. Each element is one sum in ascending order of k.
void right(Call& call);

/// The same for the first `terms` terms and the elements for which `owns` is true.
void gemm(Call& call, std::int64_t terms,
          const std::function<bool(std::int64_t, std::int64_t)>& owns = {});

class GemmDevice final : public device::Device {
 public:
  GemmDevice(const contract::Variant& variant, Kernel kernel)
      : variant_(variant), kernel_(std::move(kernel)) {}

  bool sparse = false;

  [[nodiscard]] bool is_sparse() const override { return sparse; }
  [[nodiscard]] std::string_view name() const override { return "virtual"; }
  [[nodiscard]] std::string description() const override { return "functions of a test"; }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string& ptx,
                                                            const std::string& file) override;
  [[nodiscard]] device::Outcome run(const device::Program& program,
                                    const device::Job& job) override;

 private:
  const contract::Variant& variant_;
  Kernel kernel_;
};

/// Returns a variant of f32, row-major, with alpha, beta, all leading dimensions, 16 x 16 tiles and
/// further lines of its contract.
[[nodiscard]] contract::Variant blas_variant(const std::string& more = "");

/// Returns a variant that takes only the operands and m, n and k.
[[nodiscard]] contract::Variant plain_variant(const std::string& more = "");

/// Returns the variant of a contract.
[[nodiscard]] contract::Variant variant_of(const std::string& contract);

}  // namespace warpcheck::campaign::testing
