// The calls of the host have the source lines of templates too.
// exits: 1
// prints: error[out-of-bounds]
// prints: launched by void run<int>(int*) at
// prints: host_stack_of_a_template_names_its_source.cu:14
// prints: host_stack_of_a_template_names_its_source.cu:20
// prints not: cudafe1
template <class T>
__global__ void store(T* x) {
  x[threadIdx.x + 1] = 1;  // finding here
}
template <class T>
void run(T* x) {
  store<<<1, 64>>>(x);
}

int main() {
  int* x;
  cudaMalloc(&x, 256);
  run(x);
  return 0;
}
