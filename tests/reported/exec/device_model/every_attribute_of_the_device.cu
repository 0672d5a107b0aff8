// Each attribute of the headers has a value; those without a model are as an H200 returns them.
// exits: 0
// prints: 147 attributes
// prints: 0 findings
#include <cstdio>

struct Recorded {
  cudaDeviceAttr attribute;
  int value;
};

int attribute_of(cudaDeviceAttr attribute) {
  int value = -2;
  return cudaDeviceGetAttribute(&value, attribute, 0) == cudaSuccess ? value : -2;
}

int main() {
  int known = 0;
  for (int i = 1; i <= 147; ++i) known += attribute_of(cudaDeviceAttr(i)) != -2;
  std::printf("%d attributes\n", known);
  const Recorded recorded[] = {{cudaDevAttrMaxTexture1DWidth, 131072},
                               {cudaDevAttrMaxTexture3DDepth, 16384},
                               {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
                               {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
                               {cudaDevAttrSurfaceAlignment, 512},
                               {cudaDevAttrHostNativeAtomicSupported, 0},
                               {cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
                               {cudaDevAttrClusterLaunch, 1},
                               {cudaDevAttrMemSyncDomainCount, 4},
                               {cudaDevAttrNumaId, -1},
                               {cudaDevAttrIpcEventSupport, 1},
                               {cudaDevAttrMaxPitch, 2147483647},
                               {cudaDevAttrMaxBlocksPerMultiprocessor, 32},
                               {cudaDevAttrReservedSharedMemoryPerBlock, 1024}};
  for (const Recorded& one : recorded) {
    if (attribute_of(one.attribute) != one.value) return one.attribute;
  }
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  if (p.maxTexture3D[2] != 16384 || p.maxSurface2DLayered[2] != 2048 || p.clusterLaunch != 1 ||
      p.sharedMemPerBlockOptin != 232448 || p.maxThreadsDim[2] != 64 || p.maxGridSize[1] != 65535) {
    return 200;
  }
  int value = 5;
  if (cudaDeviceGetAttribute(&value, cudaDeviceAttr(148), 0) != cudaErrorInvalidValue) return 201;
  std::size_t limit = 0;
  if (cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity) != cudaSuccess || limit != 64) {
    return 202;
  }
  if (cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth) != cudaErrorUnsupportedLimit) {
    return 203;
  }
  int can = 5;
  if (cudaDeviceCanAccessPeer(&can, 0, 0) != cudaSuccess || can != 0) return 204;
  if (cudaDeviceCanAccessPeer(&can, 0, 1) != cudaErrorInvalidDevice) return 205;
  if (cudaDeviceEnablePeerAccess(0, 0) != cudaErrorPeerAccessUnsupported) return 206;
  return 0;
}
