// Calls a library that contains machine code, whose kernels a runtime of its own or that of the
// program registers.
#ifdef WITH_NCCL
#include <nccl.h>

int main() {
  ncclUniqueId id;
  ncclComm_t communicator;
  ncclGetUniqueId(&id);
  ncclCommInitRank(&communicator, 1, id, 0);
}
#else
#include <cufft.h>

int main() {
  cufftHandle plan;
  for (int i = 0; i < 2; ++i) cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
}
#endif
