// The kernels, compiled for AVX-512.
#define Eigen Eigen_avx512
#define WARPCHECK_KERNELS kAvx512BlasKernels
#include "runtime/blas/kernels/eigen_kernels.hpp"
