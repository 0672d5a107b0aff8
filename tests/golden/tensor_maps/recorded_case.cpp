#include "tests/golden/tensor_maps/recorded_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

namespace warpcheck::golden::tensor_maps {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kGlobalBytes = std::size_t{1} << 18;
constexpr std::size_t kSharedBytes = std::size_t{24} << 10;

template <class T, std::size_t N>
void read_list(const std::string& text, std::array<T, N>& values) {
  std::istringstream list(text);
  std::string value;
  for (T& element : values) {
    if (!std::getline(list, value, ',')) return;
    element = static_cast<T>(std::stoll(value));
  }
}

RecordedCase read_case(const std::string& line) {
  RecordedCase recorded;
  recorded.line = line;
  std::istringstream words(line);
  int kind = 0;
  words >> kind;
  recorded.kind = static_cast<Kind>(kind);
  std::map<std::string, std::string> field;
  for (std::string name, value; words >> name >> value;) {
    field[name] = value;
    if (name == "result") break;
  }
  words >> recorded.state >> recorded.hash;
  const auto number = [&](const char* name) {
    return static_cast<std::uint32_t>(std::stoul(field.at(name)));
  };
  device::TensorMap& map = recorded.map;
  map.im2col = recorded.kind == Kind::im2col || recorded.kind == Kind::im2col_slices ||
               recorded.kind == Kind::store_im2col || recorded.kind == Kind::encode_im2col;
  map.type = number("type");
  map.rank = number("rank");
  map.address = number("past");
  read_list(field.at("dims"), map.dims);
  read_list(field.at("strides"), map.strides);
  read_list(field.at("box"), map.box);
  read_list(field.at("steps"), map.steps);
  read_list(field.at("lower"), map.lower);
  read_list(field.at("upper"), map.upper);
  map.channels = number("channels");
  map.pixels = number("pixels");
  map.interleave = number("interleave");
  map.swizzle = number("swizzle");
  map.promotion = number("promotion");
  map.fill = number("fill");
  read_list(field.at("at"), recorded.place.at);
  read_list(field.at("offset"), recorded.place.offset);
  recorded.place.shared = number("shared");
  recorded.reduction = static_cast<semantics::BulkReduction>(number("op"));
  recorded.result = std::stoi(field.at("result"));
  return recorded;
}

/// The global memory before each copy, as the recorder fills it.
Bytes global_memory() {
  Bytes bytes(kGlobalBytes);
  for (std::uint64_t i = 0; i < kGlobalBytes; i += 8) {
    std::uint64_t word = i + 0x9E3779B97F4A7C15;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9;
    word = (word ^ word >> 27) * 0x94D049BB133111EB;
    word ^= word >> 31;
    std::memcpy(&bytes[i], &word, sizeof word);
  }
  return bytes;
}

Bytes shared_memory(bool loads) {
  Bytes bytes(kSharedBytes, std::byte{0xa5});
  for (std::uint32_t i = 0; i < kSharedBytes && !loads; ++i) {
    bytes[i] = static_cast<std::byte>(i * 2654435761U >> 13);
  }
  return bytes;
}

void load(const RecordedCase& recorded, const Bytes& global, Bytes& shared) {
  for (const auto& chunk : semantics::tensor_box(recorded.map, recorded.place)) {
    std::array<std::byte, 16> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const bool inside = i >= chunk.first && i < chunk.end;
      bytes[i] = inside ? global.at(chunk.address + i) : semantics::fill_of(recorded.map, i);
    }
    const std::span inside(bytes.begin() + chunk.first, bytes.begin() + chunk.end);
    semantics::convert_loaded(recorded.map, inside);
    std::copy(bytes.begin(), bytes.end(),
              shared.begin() + static_cast<std::ptrdiff_t>(recorded.place.shared + chunk.shared));
  }
}

void store(const RecordedCase& recorded, const Bytes& shared, Bytes& global) {
  const std::size_t size = device::tensor_element_bytes(recorded.map.type);
  const auto reduce = recorded.kind == Kind::reduce
                          ? semantics::bulk_reduction(recorded.reduction, recorded.map.type)
                          : nullptr;
  for (const auto& chunk : semantics::stored_box(recorded.map, recorded.place)) {
    for (std::size_t i = chunk.first; i < chunk.end; i += size) {
      std::uint64_t value = 0;
      std::uint64_t old = 0;
      std::memcpy(&value, &shared.at(recorded.place.shared + chunk.shared + i), size);
      std::memcpy(&old, &global.at(chunk.address + i), size);
      if (reduce != nullptr) value = reduce(old, value);
      std::memcpy(&global.at(chunk.address + i), &value, size);
    }
  }
}

}  // namespace

std::vector<RecordedCase> read_cases(const std::string& file) {
  std::ifstream stream(file);
  std::vector<RecordedCase> cases;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != '#') cases.push_back(read_case(line));
  }
  return cases;
}

std::vector<std::byte> memory_after(const RecordedCase& recorded) {
  const bool loads = recorded.kind < Kind::store;
  Bytes global = global_memory();
  Bytes shared = shared_memory(loads);
  if (loads) {
    load(recorded, global, shared);
    return shared;
  }
  store(recorded, shared, global);
  return global;
}

std::string hash_of(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace warpcheck::golden::tensor_maps
