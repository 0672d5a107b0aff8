// The kernels, compiled for AVX2 and FMA.
#define Eigen Eigen_avx2
#define WARPCHECK_KERNELS kAvx2BlasKernels
#include "runtime/blas/kernels/eigen_kernels.hpp"
