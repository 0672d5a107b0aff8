// Textures and surfaces of a session: values, and the checks of their memory.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "tests/device/virtual/session/fixture.hpp"

namespace warpcheck::device::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A kernel with the parameters `pointer` (of the results) and `object`, in %d0. Its thread's
/// number is in %r0, also as a number in %f0.
std::string kernel(std::string_view name, std::string_view body) {
  return fmt::format(
      ".visible .entry {}(.param .u64 pointer, .param .u64 object)\n{{\n"
      "  .reg .b64 %p, %own, %d<4>;\n  .reg .b32 %r<8>;\n  .reg .f32 %f<8>;\n"
      "  ld.param.u64 %p, [pointer];\n  ld.param.u64 %d0, [object];\n"
      "  mov.u32 %r0, %tid.x;\n  mad.wide.u32 %own, %r0, 4, %p;\n  cvt.rn.f32.u32 %f0, %r0;\n"
      "{}\n  ret;\n}}\n",
      name, body);
}

class SessionTextures : public SessionTest {
 protected:
  /// Numbers 1, 2, 3 ... as an image with rows of `width` texels.
  static Image image(std::uint64_t address, std::uint32_t width, std::uint32_t height) {
    Image image;
    image.dimensions = height == 0 ? 1 : 2;
    image.levels.push_back(
        {address, width, std::max(height, 1U), 1, 4 * width, 4 * width * height});
    return image;
  }
  std::uint64_t floats(std::size_t count, const std::string& name) {
    Words words(count);
    for (std::size_t i = 0; i < count; ++i) {
      words[i] = std::bit_cast<std::uint32_t>(static_cast<float>(i + 1));
    }
    return allocate(words, name);
  }
  std::uint64_t texture(const Image& image, bool linear = false) {
    Texture made{"texture object 1", image, {}, false};
    made.sampler.linear = linear;
    return session->add_texture(std::move(made));
  }
  std::uint64_t surface(const Image& image) {
    return session->add_texture({"surface object 1", image, {}, true});
  }
  std::vector<float> numbers(std::uint64_t address, std::size_t count) {
    std::vector<float> values;
    for (const std::uint32_t word : read(address, count))
      values.push_back(std::bit_cast<float>(word));
    return values;
  }
};

const std::string kSample = kernel(
    "sample", "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d0, {%f0}];\n st.global.f32 [%own], %f1;");
const std::string kFetch = kernel(
    "fetch", "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d0, {%r0}];\n st.global.f32 [%own], %f1;");
const std::string kSample2 =
    kernel("sample2",
           "mov.f32 %f5, 0f3F000000;\n tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d0, {%f0, %f5}];\n"
           "st.global.f32 [%own], %f1;");
const std::string kWrite =
    kernel("write",
           "shl.b32 %r1, %r0, 2;\n mov.u32 %r2, 1;\n sust.b.2d.b32.trap [%d0, {%r1, %r2}], {%r0};");
const std::string kWriteInside = kernel("write_inside",
                                        "shl.b32 %r1, %r0, 2;\n mov.u32 %r2, 1;\n"
                                        "sust.b.2d.b32.zero [%d0, {%r1, %r2}], {%r0};");
const std::string kWriteSame =
    kernel("write_same", "mov.u32 %r1, 0;\n sust.b.2d.b32.trap [%d0, {%r1, %r1}], {%r0};");
const std::string kWriteFace = kernel(
    "write_face", "mov.u32 %r1, 0;\n sust.b.a2d.b32.trap [%d0, {%r0, %r1, %r1, %r1}], {%r0};");
const std::string kLoad =
    kernel("load",
           "shl.b32 %r1, %r0, 2;\n mov.u32 %r2, 0;\n"
           "suld.b.2d.b32.clamp {%r3}, [%d0, {%r1, %r2}];\n st.global.u32 [%own], %r3;");

const std::string kFetchStored = kernel("fetch_stored",
                                        "st.global.f32 [%own], %f0;\n"
                                        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d0, {%r0}];");
const std::string kFetchThenStore =
    kernel("fetch_then_store",
           "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d0, {%r0}];\n st.global.f32 [%own], %f1;");
const std::string kStoreThenLoad = kernel("store_then_load",
                                          "shl.b32 %r1, %r0, 2;\n mov.u32 %r2, 0;\n"
                                          "sust.b.2d.b32.trap [%d0, {%r1, %r2}], {%r0};\n"
                                          "suld.b.2d.b32.trap {%r3}, [%d0, {%r1, %r2}];");
const std::string kLoadThenStore = kernel("load_then_store",
                                          "shl.b32 %r1, %r0, 2;\n mov.u32 %r2, 0;\n"
                                          "suld.b.2d.b32.trap {%r3}, [%d0, {%r1, %r2}];\n"
                                          "sust.b.2d.b32.trap [%d0, {%r1, %r2}], {%r3};");

TEST_F(SessionTextures, LinearFilterMixesNeighbours) {
  const ModuleId module = load(kSample);
  const std::uint64_t results = allocate(16, "results");
  const std::uint64_t object = texture(image(floats(4, "texels"), 4, 0), true);
  EXPECT_THAT(texts(launch(module, "sample", 4, results, object).findings), IsEmpty());
  EXPECT_THAT(numbers(results, 4), ElementsAre(1.0F, 1.5F, 2.5F, 3.5F));
}

TEST_F(SessionTextures, IntegerCoordinatesCountTexels) {
  const ModuleId module = load(kFetch);
  const std::uint64_t results = allocate(16, "results");
  const std::uint64_t object = texture(image(floats(4, "texels"), 4, 0));
  EXPECT_THAT(texts(launch(module, "fetch", 4, results, object).findings), IsEmpty());
  EXPECT_THAT(numbers(results, 4), ElementsAre(1.0F, 2.0F, 3.0F, 4.0F));
}

TEST_F(SessionTextures, UndefinedTexelsMakeResultsUndefined) {
  const ModuleId module = load(kSample);
  const std::uint64_t results = allocate(16, "results");
  const std::uint64_t texels = allocate(16, "texels");
  EXPECT_FALSE(session->fill(texels, std::byte{0}, 12));
  const std::uint64_t object = texture(image(texels, 4, 0), true);
  EXPECT_THAT(launch(module, "sample", 3, results, object).findings, IsEmpty());
  EXPECT_THAT(
      texts(launch(module, "sample", 4, results, object).findings),
      ElementsAre("uninitialized-read: an undefined value is stored to byte 12 of results"));
}

TEST_F(SessionTextures, FreedMemoryIsUseAfterFree) {
  const ModuleId module = load(kSample);
  const std::uint64_t texels = floats(4, "texels");
  const std::uint64_t object = texture(image(texels, 4, 0));
  EXPECT_EQ(session->free(texels), FreeResult::freed);
  EXPECT_THAT(
      texts(launch(module, "sample", 1, allocate(4, "results"), object).findings),
      ElementsAre("use-after-free: 4-byte load from byte 0 of texels, which was freed before"));
}

TEST_F(SessionTextures, ImageLargerThanItsMemoryIsOutOfBounds) {
  const ModuleId module = load(kFetch);
  const std::uint64_t object = texture(image(floats(4, "texels"), 5, 0));
  EXPECT_THAT(texts(launch(module, "fetch", 5, allocate(20, "results"), object).findings),
              ElementsAre("out-of-bounds: 4-byte load from byte 16 of texels, which has 16 bytes"));
}

TEST_F(SessionTextures, DestroyedObjectIsUseAfterFree) {
  const ModuleId module = load(kSample);
  const std::uint64_t object = texture(image(floats(4, "texels"), 4, 0));
  EXPECT_TRUE(session->destroy_texture(object));
  EXPECT_FALSE(session->destroy_texture(object));
  EXPECT_THAT(texts(launch(module, "sample", 1, allocate(4, "results"), object).findings),
              ElementsAre("use-after-free: texture object 1 was destroyed before the launch"));
}

TEST_F(SessionTextures, NumberThatIsNoObjectIsAnInvalidCall) {
  const ModuleId module = load(kSample);
  const std::uint64_t zero = 0;
  EXPECT_THAT(texts(launch(module, "sample", 1, allocate(4, "results"), zero).findings),
              ElementsAre("invalid-call: 0x0 is no texture object"));
}

TEST_F(SessionTextures, InstructionForAnotherShapeIsAnInvalidCall) {
  const ModuleId module = load(kSample2);
  const std::uint64_t object = texture(image(floats(4, "texels"), 4, 0));
  EXPECT_THAT(
      texts(launch(module, "sample2", 1, allocate(4, "results"), object).findings),
      ElementsAre("invalid-call: the instruction reads a 2-d image, but texture object 1 is "
                  "a 1-d image"));
}

TEST_F(SessionTextures, SurfaceStoresReachTheImage) {
  const ModuleId module = load(kWrite);
  const std::uint64_t texels = floats(8, "texels");
  EXPECT_THAT(
      launch(module, "write", 4, allocate(4, "results"), surface(image(texels, 4, 2))).findings,
      IsEmpty());
  EXPECT_THAT(read(texels + 16, 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(numbers(texels, 2), ElementsAre(1.0F, 2.0F));
}

TEST_F(SessionTextures, SurfaceStoreOnePastTheRowIsOutOfBounds) {
  const ModuleId module = load(kWrite + kWriteInside);
  const std::uint64_t object = surface(image(floats(12, "texels"), 4, 3));
  const std::uint64_t results = allocate(4, "results");
  EXPECT_THAT(texts(launch(module, "write", 5, results, object).findings),
              ElementsAre("out-of-bounds: 4-byte surface store to byte 16 of row 1 of surface "
                          "object 1, which has 3 rows of 16 bytes"));
  EXPECT_THAT(launch(module, "write_inside", 5, results, object).findings, IsEmpty());
}

TEST_F(SessionTextures, FacesOfACubeAreLayersOfASurface) {
  const ModuleId module = load(kWriteFace);
  const std::uint64_t texels = allocate(6 * 16, "texels");
  Image cube = image(texels, 2, 2);
  cube.cube = true;
  const std::uint64_t object = surface(cube);
  EXPECT_THAT(texts(launch(module, "write_face", 6, allocate(4, "results"), object).findings),
              IsEmpty());
  EXPECT_THAT(read(texels + 5 * 16, 1), ElementsAre(5));
  EXPECT_THAT(
      texts(launch(module, "write_face", 7, allocate(4, "more"), object).findings),
      ElementsAre(HasSubstr("byte 0 of row 0 of layer 6 of surface object 1, which has 2 rows "
                            "of 8 bytes in each of 6 layers")));
}

TEST_F(SessionTextures, SurfaceLoadsAreClamped) {
  const ModuleId module = load(kLoad);
  const std::uint64_t results = allocate(16, "results");
  const std::uint64_t object = surface(image(allocate(Words{7, 8, 9, 10}, "texels"), 2, 2));
  EXPECT_THAT(launch(module, "load", 4, results, object).findings, IsEmpty());
  EXPECT_THAT(read(results, 4), ElementsAre(7, 8, 8, 8));
}

TEST_F(SessionTextures, FetchOfWhatItsKernelHasWrittenIsARace) {
  const ModuleId module = load(kFetchStored + kFetchThenStore);
  const std::uint64_t texels = floats(4, "texels");
  const std::uint64_t object = texture(image(texels, 4, 0));
  EXPECT_THAT(
      texts(launch(module, "fetch_stored", 4, texels, object).findings),
      ElementsAre(AllOf(HasSubstr("race: thread (0, 0, 0) reads 4-byte element 0 of texels"),
                        HasSubstr("not coherent with writes of its kernel"))));
  // The order of a fetch and a later store counts.
  EXPECT_THAT(texts(launch(module, "fetch_then_store", 4, texels, object).findings), IsEmpty());
}

TEST_F(SessionTextures, SurfaceLoadOfWhatItsKernelHasWrittenIsARace) {
  const ModuleId module = load(kStoreThenLoad + kLoadThenStore);
  const std::uint64_t results = allocate(16, "results");
  const std::uint64_t object = surface(image(allocate(Words{7, 8, 9, 10}, "texels"), 4, 1));
  EXPECT_THAT(
      texts(launch(module, "store_then_load", 4, results, object).findings),
      ElementsAre(AllOf(HasSubstr("race: thread (0, 0, 0) reads 4-byte element 0 of texels"),
                        HasSubstr("not coherent with writes of its kernel"))));
  EXPECT_THAT(texts(launch(module, "load_then_store", 4, results, object).findings), IsEmpty());
}

TEST_F(SessionTextures, SurfaceStoresOfOneTexelRace) {
  const ModuleId module = load(kWriteSame);
  const std::uint64_t object = surface(image(floats(8, "texels"), 4, 2));
  const auto findings =
      texts(launch(module, "write_same", 64, allocate(4, "results"), object).findings);
  ASSERT_FALSE(findings.empty());
  EXPECT_THAT(findings.front(), HasSubstr("race: "));
  EXPECT_THAT(findings.front(), HasSubstr("element 0 of texels"));
}

}  // namespace
}  // namespace warpcheck::device::test
