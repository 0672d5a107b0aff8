// Calls a library that contains machine code.
#include <cufft.h>

int main() {
  cufftHandle plan;
  for (int i = 0; i < 2; ++i) cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
}
