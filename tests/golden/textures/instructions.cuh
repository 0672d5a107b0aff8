// The texture and surface instructions that record.cu runs, each as a struct with the function
// `uint4 run(handle, point)`.
#pragma once

#include <cstdint>

/// The coordinates of one access; an instruction uses those that its geometry has.
struct Point {
  float x, y, z;
  float level;
  float dx[3], dy[3];  // gradients
  int i[3];            // integer coordinates
  unsigned layer;
};

#define RESULT "{%0, %1, %2, %3}, "
#define OUT "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)

#define INSTRUCTION(name, form, operands, ...)                                     \
  struct name {                                                                    \
    static constexpr const char* kForm = form;                                     \
    static __device__ uint4 run(unsigned long long handle, const Point& p) {       \
      uint4 r;                                                                     \
      asm volatile(form " " RESULT operands ";" : OUT : "l"(handle), __VA_ARGS__); \
      return r;                                                                    \
    }                                                                              \
  }

#define X "f"(p.x)
#define XY X, "f"(p.y)
#define XYZ XY, "f"(p.z)
#define I "r"(p.i[0])
#define IJ I, "r"(p.i[1])
#define IJK IJ, "r"(p.i[2])
#define LAYER "r"(p.layer)
#define LEVEL "f"(p.level)

INSTRUCTION(Tex1, "tex.1d.v4.f32.f32", "[%4, {%5}]", X);
INSTRUCTION(Tex2, "tex.2d.v4.f32.f32", "[%4, {%5, %6}]", XY);
INSTRUCTION(Tex3, "tex.3d.v4.f32.f32", "[%4, {%5, %6, %7, %7}]", XYZ);
INSTRUCTION(Tex1Unsigned, "tex.1d.v4.u32.f32", "[%4, {%5}]", X);
INSTRUCTION(Tex1Signed, "tex.1d.v4.s32.f32", "[%4, {%5}]", X);
INSTRUCTION(Fetch1, "tex.1d.v4.f32.s32", "[%4, {%5}]", I);
INSTRUCTION(Fetch1Unsigned, "tex.1d.v4.u32.s32", "[%4, {%5}]", I);
INSTRUCTION(Fetch2, "tex.2d.v4.f32.s32", "[%4, {%5, %6}]", IJ);
INSTRUCTION(Fetch3, "tex.3d.v4.f32.s32", "[%4, {%5, %6, %7, %7}]", IJK);
INSTRUCTION(TexArray1, "tex.a1d.v4.f32.f32", "[%4, {%5, %6}]", LAYER, X);
INSTRUCTION(TexArray2, "tex.a2d.v4.f32.f32", "[%4, {%5, %6, %7, %7}]", LAYER, XY);
INSTRUCTION(TexCube, "tex.cube.v4.f32.f32", "[%4, {%5, %6, %7, %7}]", XYZ);
INSTRUCTION(TexCubeArray, "tex.acube.v4.f32.f32", "[%4, {%5, %6, %7, %8}]", LAYER, XYZ);
INSTRUCTION(TexLevel1, "tex.level.1d.v4.f32.f32", "[%4, {%5}], %6", X, LEVEL);
INSTRUCTION(TexLevel2, "tex.level.2d.v4.f32.f32", "[%4, {%5, %6}], %7", XY, LEVEL);
INSTRUCTION(TexLevel3, "tex.level.3d.v4.f32.f32", "[%4, {%5, %6, %7, %7}], %8", XYZ, LEVEL);
INSTRUCTION(TexLevelArray2, "tex.level.a2d.v4.f32.f32", "[%4, {%5, %6, %7, %7}], %8", LAYER, XY,
            LEVEL);
INSTRUCTION(TexGrad1, "tex.grad.1d.v4.f32.f32", "[%4, {%5}], {%6}, {%7}", X, "f"(p.dx[0]),
            "f"(p.dy[0]));
INSTRUCTION(TexGrad2, "tex.grad.2d.v4.f32.f32", "[%4, {%5, %6}], {%7, %8}, {%9, %10}", XY,
            "f"(p.dx[0]), "f"(p.dx[1]), "f"(p.dy[0]), "f"(p.dy[1]));
INSTRUCTION(TexGrad3, "tex.grad.3d.v4.f32.f32",
            "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", XYZ, "f"(p.dx[0]),
            "f"(p.dx[1]), "f"(p.dx[2]), "f"(p.dy[0]), "f"(p.dy[1]), "f"(p.dy[2]));
INSTRUCTION(GatherRed, "tld4.r.2d.v4.f32.f32", "[%4, {%5, %6}]", XY);
INSTRUCTION(GatherAlpha, "tld4.a.2d.v4.f32.f32", "[%4, {%5, %6}]", XY);
INSTRUCTION(GatherGreenUnsigned, "tld4.g.2d.v4.u32.f32", "[%4, {%5, %6}]", XY);

// Surfaces: the first coordinate is in bytes.
#define SURFACE_LOAD(name, form, operands, ...)                                         \
  struct name {                                                                         \
    static constexpr const char* kForm = form;                                          \
    static __device__ uint4 run(unsigned long long handle, const Point& p) {            \
      uint4 r = {0, 0, 0, 0};                                                           \
      asm volatile(form " {%0}, " operands ";" : "=r"(r.x) : "l"(handle), __VA_ARGS__); \
      return r;                                                                         \
    }                                                                                   \
  }
SURFACE_LOAD(LoadClamp1, "suld.b.1d.b32.clamp", "[%1, {%2}]", I);
SURFACE_LOAD(LoadZero1, "suld.b.1d.b32.zero", "[%1, {%2}]", I);
SURFACE_LOAD(LoadClamp2, "suld.b.2d.b32.clamp", "[%1, {%2, %3}]", IJ);
SURFACE_LOAD(LoadZero2, "suld.b.2d.b32.zero", "[%1, {%2, %3}]", IJ);
SURFACE_LOAD(LoadClamp3, "suld.b.3d.b32.clamp", "[%1, {%2, %3, %4, %4}]", IJK);
SURFACE_LOAD(LoadZero3, "suld.b.3d.b32.zero", "[%1, {%2, %3, %4, %4}]", IJK);
SURFACE_LOAD(LoadClampArray1, "suld.b.a1d.b32.clamp", "[%1, {%2, %3}]", LAYER, I);
SURFACE_LOAD(LoadZeroArray1, "suld.b.a1d.b32.zero", "[%1, {%2, %3}]", LAYER, I);
SURFACE_LOAD(LoadClampArray2, "suld.b.a2d.b32.clamp", "[%1, {%2, %3, %4, %4}]", LAYER, IJ);
SURFACE_LOAD(LoadZeroArray2, "suld.b.a2d.b32.zero", "[%1, {%2, %3, %4, %4}]", LAYER, IJ);

#define SURFACE_STORE(name, form, operands, ...)                                              \
  struct name {                                                                               \
    static constexpr const char* kForm = form;                                                \
    static __device__ uint4 run(unsigned long long handle, const Point& p) {                  \
      asm volatile(form " " operands ", {%1};" ::"l"(handle), "r"(p.layer + 1), __VA_ARGS__); \
      return uint4{0, 0, 0, 0};                                                               \
    }                                                                                         \
  }
SURFACE_STORE(StoreClamp1, "sust.b.1d.b32.clamp", "[%0, {%2}]", I);
SURFACE_STORE(StoreZero1, "sust.b.1d.b32.zero", "[%0, {%2}]", I);
SURFACE_STORE(StoreClamp2, "sust.b.2d.b32.clamp", "[%0, {%2, %3}]", IJ);
SURFACE_STORE(StoreZero2, "sust.b.2d.b32.zero", "[%0, {%2, %3}]", IJ);

/// Formatted stores: values of 32 bits are converted to the format of the surface.
struct StoreFormatted {
  static constexpr const char* kForm = "sust.p.2d.v4.b32.clamp";
  static __device__ uint4 run(unsigned long long handle, const Point& p) {
    asm volatile("sust.p.2d.v4.b32.clamp [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(handle),
                 "r"(p.i[0]), "r"(p.i[1]), "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.level));
    return uint4{0, 0, 0, 0};
  }
};
