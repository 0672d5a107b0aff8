// Samples textures and surfaces in all modes, and prints what the device answers:
//
//   nvcc -arch=sm_90 record.cu -o record && ./record > ../sm_90/textures.txt
//
// A line per configuration: the instruction, the image, the sampler, and after "=" the words of the
// results in hexadecimal. tests/exec/textures_test.cpp runs the same program on the virtual device,
// and compares the lines.
#include <algorithm>

#include "images.hpp"

template <class Op>
__global__ void sample(unsigned long long handle, const Point* points, uint4* results, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) results[i] = Op::run(handle, points[i]);
}

namespace {

/// Prints the words of the results; of many, 33 to 64 at equal distances.
void print(const std::string& name, const std::vector<uint4>& results, int channels) {
  constexpr std::size_t kMost = 64;
  std::vector<unsigned> words;
  for (const uint4& result : results) {
    const unsigned all[] = {result.x, result.y, result.z, result.w};
    words.insert(words.end(), all, all + channels);
  }
  std::printf("%s =", name.c_str());
  const std::size_t distance = (words.size() + kMost - 1) / kMost;
  for (std::size_t i = 0; i < words.size(); i += distance) std::printf(" %x", words[i]);
  std::putchar('\n');
}

/// Runs the instruction at each point.
template <class Op>
std::vector<uint4> run(unsigned long long handle, const std::vector<Point>& points) {
  Point* device_points;
  uint4* device_results;
  CHECK(cudaMalloc(&device_points, points.size() * sizeof(Point)));
  CHECK(cudaMalloc(&device_results, points.size() * sizeof(uint4)));
  CHECK(cudaMemcpy(device_points, points.data(), points.size() * sizeof(Point),
                   cudaMemcpyHostToDevice));
  const int count = static_cast<int>(points.size());
  sample<Op><<<(count + 127) / 128, 128>>>(handle, device_points, device_results, count);
  CHECK(cudaGetLastError());
  std::vector<uint4> results(points.size());
  CHECK(cudaMemcpy(results.data(), device_results, points.size() * sizeof(uint4),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_points));
  CHECK(cudaFree(device_results));
  return results;
}

/// Samples a texture, or prints why the runtime refuses it.
template <class Op>
void record(const std::string& name, const Texture& texture, const std::vector<Point>& points,
            int channels) {
  if (texture.error() == cudaSuccess) {
    print(name, run<Op>(texture.handle(), points), channels);
  } else {
    std::printf("%s = %s\n", name.c_str(), cudaGetErrorName(texture.error()));
    cudaGetLastError();
  }
}

template <class Op>
void record(const Image& image, const Sampler& sampler, const std::vector<Point>& points,
            int channels = 1) {
  const Texture texture(image.resource(), sampler);
  record<Op>(std::string(Op::kForm) + " " + image.name() + " " + sampler.name(), texture, points,
             channels);
}

constexpr cudaTextureAddressMode kAddressModes[] = {cudaAddressModeClamp, cudaAddressModeBorder,
                                                    cudaAddressModeWrap, cudaAddressModeMirror};
constexpr cudaTextureFilterMode kFilters[] = {cudaFilterModePoint, cudaFilterModeLinear};

/// The weight of the second texel along a fine grid of coordinates.
void record_weights() {
  std::vector<Point> points(1200);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].x = 4.0f + 0x1p-10f * static_cast<float>(i);
  const Image image(f32(), Content::step, {16});
  record<Tex1>(image, {cudaAddressModeClamp, cudaFilterModeLinear}, points);
  for (Point& p : points) p.x /= 16.0f;
  record<Tex1>(image, {cudaAddressModeClamp, cudaFilterModeLinear, true}, points);
  Rng random(5);
  for (Point& p : points) p.x = random.unit();
  record<Tex1>(Image(f32(), Content::mantissa, {100}),
               {cudaAddressModeClamp, cudaFilterModeLinear, true}, points);
  record<Tex1>(Image(f32(), Content::mantissa, {1000}),
               {cudaAddressModeWrap, cudaFilterModePoint, true}, points);
}

template <class Op>
void record_addressing(const Extent& extent, int layers, std::size_t count) {
  const Image image(f32(), Content::mantissa, extent, layers);
  for (const bool normalized : {false, true}) {
    const auto points = points_in(extent, layers, normalized, count, 10 + normalized);
    for (const auto filter : kFilters) {
      for (const auto address : kAddressModes) {
        record<Op>(image, {address, filter, normalized}, points);
      }
    }
  }
}

template <class Op>
void record_contents(const Extent& extent, std::size_t count) {
  const auto points = points_in(extent, 1, false, count, 30);
  for (const auto content : {Content::step, Content::range, Content::special}) {
    record<Op>(Image(f32(), content, extent), {cudaAddressModeClamp, cudaFilterModeLinear}, points);
    record<Op>(Image(f16(), content, extent), {cudaAddressModeBorder, cudaFilterModeLinear},
               points);
  }
}

void record_formats() {
  const Extent extent{9, 7};
  const auto points = points_in(extent, 1, false, 40, 40);
  for (const int channels : {1, 2, 4}) {
    for (const auto address : {cudaAddressModeClamp, cudaAddressModeBorder}) {
      for (const Format& format : {f32(channels), f16(channels)}) {
        const Image image(format, Content::mantissa, extent);
        for (const auto filter : kFilters) record<Tex2>(image, {address, filter}, points, 4);
      }
      for (const int bits : {8, 16}) {
        for (const Format& format : {u(bits, channels), s(bits, channels)}) {
          const Image image(format, Content::step, extent);
          for (const auto filter : kFilters) {
            record<Tex2>(image, {address, filter, false, true}, points, 4);
          }
        }
      }
      const Extent line{30};
      const auto on_line = points_in(line, 1, false, 24, 41);
      for (const int bits : {8, 16, 32}) {
        record<Tex1Unsigned>(Image(u(bits, channels), Content::step, line), {address}, on_line, 4);
        record<Tex1Signed>(Image(s(bits, channels), Content::step, line), {address}, on_line, 4);
      }
    }
  }
  for (const auto filter : kFilters) {
    record<Tex2>(Image(u(8, 4), Content::step, {16, 16}),
                 {cudaAddressModeClamp, filter, true, true, true},
                 points_in({16, 16}, 1, true, 200, 42), 4);
  }
  for (const int bits : {8, 16}) {  // all values of 8 bits, and weights of integers
    std::vector<Point> line(1024);
    for (std::size_t i = 0; i < line.size(); ++i)
      line[i].x = 0.25f * static_cast<float>(i) + 0x1p-8f * static_cast<float>(i % 61);
    for (const Format& format : {u(bits), s(bits)}) {
      record<Tex1>(Image(format, Content::step, {256}),
                   {cudaAddressModeClamp, cudaFilterModeLinear, false, true}, line);
    }
  }
}

void record_cubes() {
  const auto points = directions(3, 300, 50);
  const Extent face{8, 8};
  for (const auto filter : kFilters) {
    for (const bool seamless : {false, true}) {
      Sampler sampler{cudaAddressModeClamp, filter, true};
      sampler.seamless = seamless;
      record<TexCube>(Image(f32(), Content::mantissa, face, 0, cudaArrayCubemap), sampler, points);
      record<TexCubeArray>(Image(f32(), Content::step, face, 3, cudaArrayCubemap), sampler, points);
    }
  }
}

void record_levels() {
  const Extent line{40};
  const Extent plane{32, 16};
  const Extent box{16, 8, 12};
  for (const auto filter : kFilters) {
    for (const auto mip_filter : kFilters) {
      Sampler sampler{cudaAddressModeWrap, filter, true};
      sampler.mip_filter = mip_filter;
      sampler.most_level = 10;
      const auto on_line = points_in(line, 1, true, 150, 60);
      const auto on_plane = points_in(plane, 3, true, 200, 61);
      const auto in_box = points_in(box, 1, true, 150, 62);
      const Image image1(f32(), Content::mantissa, line, 0, 0, 5);
      const Image image2(f32(), Content::mantissa, plane, 0, 0, 6);
      const Image image3(f32(), Content::mantissa, box, 0, 0, 4);
      record<TexLevel1>(image1, sampler, on_line);
      record<TexLevel2>(image2, sampler, on_plane);
      record<TexLevel3>(image3, sampler, in_box);
      record<TexLevelArray2>(Image(f32(), Content::mantissa, plane, 3, 0, 6), sampler, on_plane);
      record<TexGrad1>(image1, sampler, on_line);
      record<TexGrad2>(image2, sampler, on_plane);
      record<TexGrad3>(image3, sampler, in_box);
      record<Tex2>(image2, sampler, on_plane);
      sampler.bias = 0.75f;
      sampler.least_level = 0.5f;
      sampler.most_level = 2.25f;
      record<TexLevel2>(image2, sampler, on_plane);
      record<TexGrad2>(image2, sampler, on_plane);
      record<Tex2>(image2, sampler, on_plane);
    }
  }
  std::vector<Point> fine(1100);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    fine[i].x = fine[i].y = 0.5f;
    fine[i].level = 0x1p-9f * static_cast<float>(i);
    fine[i].dx[0] = 0x1p-5f * std::ldexp(1.0f + 0x1p-7f * static_cast<float>(i % 128),
                                         static_cast<int>(i / 128));
  }
  Sampler sampler{cudaAddressModeWrap, cudaFilterModePoint, true};
  sampler.mip_filter = cudaFilterModeLinear;
  sampler.most_level = 10;
  const Image image(f32(), Content::mantissa, plane, 0, 0, 6);
  record<TexLevel2>(image, sampler, fine);
  record<TexGrad2>(image, sampler, fine);
}

void record_gathers() {
  const Extent plane{9, 7};
  for (const bool normalized : {false, true}) {
    const auto points = points_in(plane, 1, normalized, 100, 70);
    for (const auto address : kAddressModes) {
      for (const auto filter : kFilters) {
        const Sampler sampler{address, filter, normalized};
        record<GatherRed>(Image(f32(), Content::mantissa, plane, 0, cudaArrayTextureGather),
                          sampler, points, 4);
      }
    }
    Sampler sampler{cudaAddressModeBorder, cudaFilterModePoint, normalized};
    record<GatherGreenUnsigned>(Image(u(16, 2), Content::step, plane, 0, cudaArrayTextureGather),
                                sampler, points, 4);
    sampler.to_float = true;
    record<GatherAlpha>(Image(s(8, 4), Content::step, plane, 0, cudaArrayTextureGather), sampler,
                        points, 4);
    record<GatherAlpha>(Image(u(8, 1), Content::step, plane, 0, cudaArrayTextureGather), sampler,
                        points, 4);
  }
}

/// Integer coordinates, in arrays and in linear memory.
void record_fetches() {
  const auto points = points_in({9, 7, 5}, 1, false, 60, 80);
  for (const auto address : {cudaAddressModeClamp, cudaAddressModeBorder}) {
    record<Fetch1>(Image(f32(), Content::mantissa, {9}), {address}, points);
    record<Fetch2>(Image(f32(), Content::mantissa, {9, 7}), {address}, points);
    record<Fetch3>(Image(f32(), Content::mantissa, {9, 7, 5}), {address}, points);
  }
  unsigned char* memory;
  std::size_t pitch = 256;
  CHECK(cudaMalloc(&memory, 7 * pitch));
  const auto bytes = texels(u(8), Content::step, 7 * pitch, 90);
  CHECK(cudaMemcpy(memory, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  for (const Format& format : {u(8), u(16, 2), u(32, 4), s(8, 4)}) {
    cudaResourceDesc linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = memory;
    linear.res.linear.desc = format.desc();
    linear.res.linear.sizeInBytes = 9 * format.bytes();
    const Texture texture(linear, {});
    record<Fetch1Unsigned>("tex.1d.v4.u32.s32 linear memory " + format.name(), texture, points, 4);
  }
  for (const auto filter : kFilters) {
    for (const bool normalized : {false, true}) {
      cudaResourceDesc rows = {};
      rows.resType = cudaResourceTypePitch2D;
      rows.res.pitch2D.devPtr = memory;
      rows.res.pitch2D.desc = u(16, 2).desc();
      rows.res.pitch2D.width = 9;
      rows.res.pitch2D.height = 7;
      rows.res.pitch2D.pitchInBytes = pitch;
      const Sampler sampler{normalized ? cudaAddressModeWrap : cudaAddressModeBorder, filter,
                            normalized, true};
      const Texture texture(rows, sampler);
      record<Tex2>("tex.2d.v4.f32.f32 pitched memory u16x2 9x7 " + sampler.name(), texture,
                   points_in({9, 7}, 1, normalized, 60, 81), 2);
    }
  }
  CHECK(cudaFree(memory));
}

template <class Op>
void record_surface(const Extent& extent, int layers, const Format& format = u(32)) {
  const Image image(format, Content::step, extent, layers, cudaArraySurfaceLoadStore);
  const Surface surface(image);
  auto points = points_in(extent, std::max(layers, 1), false, 64, 100);
  for (Point& p : points) p.i[0] = static_cast<int>(4u * static_cast<unsigned>(p.i[0]));
  print(std::string(Op::kForm) + " " + image.name(), run<Op>(surface.handle(), points), 1);
}

/// Stores one value, and prints the array.
template <class Op>
void record_store(const Extent& extent, const Format& format, int x, int y, const Point& values) {
  const Image image(format, Content::step, extent, 0, cudaArraySurfaceLoadStore);
  const std::size_t rows = extent.height == 0 ? 1 : extent.height;
  const std::size_t row = extent.width * format.bytes();
  {
    const Surface surface(image);
    std::vector<Point> points(1, values);
    points[0].i[0] = x;
    points[0].i[1] = y;
    points[0].layer = 0xabcdef;
    run<Op>(surface.handle(), points);
  }
  std::vector<uint4> texels(row * rows / 4);
  std::vector<unsigned> words(row * rows / 4);
  CHECK(cudaMemcpy2DFromArray(words.data(), row, image.array, 0, 0, row, rows,
                              cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < words.size(); ++i) texels[i].x = words[i];
  print(std::string(Op::kForm) + " " + image.name() + " at " + std::to_string(x) + ", " +
            std::to_string(y),
        texels, 1);
}

void record_surfaces() {
  record_surface<LoadClamp1>({9}, 0);
  record_surface<LoadZero1>({9}, 0);
  record_surface<LoadClamp2>({9, 7}, 0);
  record_surface<LoadZero2>({9, 7}, 0);
  record_surface<LoadClamp3>({9, 7, 5}, 0);
  record_surface<LoadZero3>({9, 7, 5}, 0);
  record_surface<LoadClampArray1>({9}, 3);
  record_surface<LoadZeroArray1>({9}, 3);
  record_surface<LoadClampArray2>({9, 7}, 3);
  record_surface<LoadZeroArray2>({9, 7}, 3);
  for (const int x : {0, 8, 12, 16, -4, 400}) {
    record_store<StoreClamp1>({4}, u(32), x, 0, {});
    record_store<StoreZero1>({4}, u(32), x, 0, {});
    for (const int y : {0, 2, 3, -1}) {
      record_store<StoreClamp2>({4, 3}, u(32), x, y, {});
      record_store<StoreZero2>({4, 3}, u(32), x, y, {});
    }
  }
  const Point values[] = {
      {0.3f, 0.6f, 1.0f, 0.9f}, {-0.5f, 2.0f, 0.001f, NAN}, {1e9f, -1e9f, 0.0f, 70000.0f}};
  for (const Point& value : values) {
    for (const Format& format :
         {u(8, 4), s(8, 4), u(16, 2), s(16, 4), u(32), s(32, 2), f32(4), f16(4)}) {
      record_store<StoreFormatted>({4, 2}, format, 1, 1, value);
    }
  }
}

}  // namespace

int main() {
  int driver = 0;
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaDriverGetVersion(&driver));
  std::printf("# %s, driver of CUDA %d.%d\n", properties.name, driver / 1000, driver % 1000 / 10);
  record_weights();
  record_addressing<Tex1>({9}, 0, 160);
  record_addressing<Tex2>({9, 7}, 0, 160);
  record_addressing<Tex3>({9, 7, 5}, 0, 160);
  record_addressing<TexArray1>({9}, 3, 80);
  record_addressing<TexArray2>({9, 7}, 3, 80);
  record_contents<Tex1>({9}, 160);
  record_contents<Tex2>({9, 7}, 240);
  record_contents<Tex3>({9, 7, 5}, 240);
  record_formats();
  record_cubes();
  record_levels();
  record_gathers();
  record_fetches();
  record_surfaces();
}
