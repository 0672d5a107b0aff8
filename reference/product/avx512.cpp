// The kernels, compiled for AVX-512.
#define Eigen Eigen_avx512
#define WARPCHECK_KERNELS kAvx512Kernels
#include "reference/product/eigen_kernels.hpp"
