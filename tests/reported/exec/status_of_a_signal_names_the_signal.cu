// A program that a signal ends has the status 128 + its number, and the message names it.
// exits: 139
// prints: the program was ended by signal 11 (Segmentation fault)
#include <csignal>

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  std::raise(SIGSEGV);
  return 0;
}
