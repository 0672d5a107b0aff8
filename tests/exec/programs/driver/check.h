// The check of errors of the driver API.
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                 \
  do {                                              \
    if (const CUresult result = (call)) {           \
      const char* name = nullptr;                   \
      cuGetErrorName(result, &name);                \
      std::printf("line %d: %s\n", __LINE__, name); \
      std::exit(7);                                 \
    }                                               \
  } while (false)
