#include "reference/product/product.hpp"

#include "base/vectorized.hpp"

namespace warpcheck::reference {

std::vector<Vectors> available_vectors() {
  std::vector<Vectors> available = {Vectors::baseline};
  if (cpu_has_avx2()) available.push_back(Vectors::avx2);
  if (cpu_has_avx512()) available.push_back(Vectors::avx512);
  return available;
}

Vectors widest_vectors() {
  if (cpu_has_avx512()) return Vectors::avx512;
  return cpu_has_avx2() ? Vectors::avx2 : Vectors::baseline;
}

const ProductKernels& kernels([[maybe_unused]] Vectors vectors) {
#if defined(__x86_64__)
  if (vectors == Vectors::avx512) return kAvx512Kernels;
  if (vectors == Vectors::avx2) return kAvx2Kernels;
#endif
  return kBaselineKernels;
}

}  // namespace warpcheck::reference
