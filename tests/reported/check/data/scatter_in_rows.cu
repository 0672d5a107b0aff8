// Tokens go to experts whose numbers differ within a token.
/* warpcheck
[[operation]]
name    = "gates"
extents = ["tokens", "chosen", "experts"]
inputs.gate   = { shape = ["tokens", "chosen"] }
inputs.expert = { shape = ["tokens", "chosen"], integer = true, distinct = "rows", range = [0, "experts - 1"] }
inputs.old    = { shape = ["tokens", "experts"] }
outputs.y     = { shape = ["tokens", "experts"], updates = "old" }
define  = """
  y[t,e] = select(any(k: expert[t,k] == e), sum(k: gate[t,k] where expert[t,k] == e), old[t,e])
"""
[[variant]]
name      = "gates"
operation = "gates"
kernel    = "k"
arguments = ["gate", "expert", "y", "chosen", "experts"]
block     = [32]
grid      = ["tokens"]
requires  = ["experts >= chosen"]
*/
__global__ void k(const float* gate, const int* expert, float* y, int chosen, int experts) {
  const size_t row = blockIdx.x;
  for (int i = threadIdx.x; i < chosen; i += 32) {
    y[row * experts + expert[row * chosen + i]] = gate[row * chosen + i];
  }
}
