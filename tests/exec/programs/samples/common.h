// The check of errors that such programs have, and their arguments: a size, or the word "defect".
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../timing.hpp"

#define CHECK(call)                                                                          \
  do {                                                                                       \
    const cudaError_t error_ = (call);                                                       \
    if (error_ != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));   \
      std::exit(EXIT_FAILURE);                                                               \
    }                                                                                        \
  } while (0)

inline bool has_defect(int argc, char** argv) {
  return argc > 1 && std::strcmp(argv[1], "defect") == 0;
}

inline int size_or(int size, int argc, char** argv) {
  const int given = argc > 1 ? std::atoi(argv[1]) : 0;
  return given > 0 ? given : size;
}
