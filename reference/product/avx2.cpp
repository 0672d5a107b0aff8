// The kernels, compiled for AVX2 and FMA.
#define Eigen Eigen_avx2
#define WARPCHECK_KERNELS kAvx2Kernels
#include "reference/product/eigen_kernels.hpp"
