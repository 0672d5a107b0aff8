// The kernels, compiled for every CPU.
#define WARPCHECK_KERNELS kBaselineBlasKernels
#include "runtime/blas/kernels/eigen_kernels.hpp"
