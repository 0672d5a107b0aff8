// A program that returns 207 has exited: no signal has ended it.
// exits: 207
// prints: the program exited with status 207
// prints not: signal
__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  return 207;
}
