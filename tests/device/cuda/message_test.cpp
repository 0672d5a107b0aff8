#include "device/cuda/message.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace rc {

using warpcheck::Dim3;
using namespace warpcheck::device::cuda;

template <>
struct Arbitrary<Dim3> {
  static Gen<Dim3> arbitrary() {
    return gen::build<Dim3>(gen::set(&Dim3::x), gen::set(&Dim3::y), gen::set(&Dim3::z));
  }
};

template <>
struct Arbitrary<Parameter> {
  static Gen<Parameter> arbitrary() {
    return gen::map(gen::tuple(gen::arbitrary<std::vector<std::uint8_t>>(),
                               gen::arbitrary<std::vector<std::uint64_t>>()),
                    [](const auto& parts) {
                      const auto& [bytes, targets] = parts;
                      Parameter parameter;
                      for (const std::uint8_t byte : bytes)
                        parameter.bytes.push_back(std::byte{byte});
                      for (const std::uint64_t target : targets) {
                        if (bytes.size() < 8) break;
                        parameter.pointers.push_back({target % (bytes.size() - 7), target});
                      }
                      parameter.is_tensor_map = bytes.size() % 2 == 1;
                      return parameter;
                    });
  }
};

template <>
struct Arbitrary<KernelCall> {
  static Gen<KernelCall> arbitrary() {
    return gen::build<KernelCall>(gen::set(&KernelCall::entry), gen::set(&KernelCall::grid),
                                  gen::set(&KernelCall::block), gen::set(&KernelCall::shared_bytes),
                                  gen::set(&KernelCall::parameters),
                                  gen::set(&KernelCall::cluster));
  }
};

template <>
struct Arbitrary<Request> {
  static Gen<Request> arbitrary() {
    return gen::build<Request>(
        gen::set(&Request::kind,
                 gen::element(Request::Kind::load, Request::Kind::run, Request::Kind::run_singly)),
        gen::set(&Request::program), gen::set(&Request::ptx), gen::set(&Request::image_bytes),
        gen::set(&Request::calls, gen::scale(0.3, gen::arbitrary<std::vector<KernelCall>>())));
  }
};

template <>
struct Arbitrary<Reply> {
  static Gen<Reply> arbitrary() {
    return gen::build<Reply>(
        gen::set(&Reply::status, gen::element(Reply::Status::done, Reply::Status::unknown_program,
                                              Reply::Status::rejected, Reply::Status::failed)),
        gen::set(&Reply::result), gen::set(&Reply::call), gen::set(&Reply::text),
        gen::set(&Reply::seconds), gen::set(&Reply::gpus));
  }
};

}  // namespace rc

namespace warpcheck::device::cuda {
namespace {

RC_GTEST_PROP(Message, RequestSurvivesEncoding, (const Request& request)) {
  RC_ASSERT(decode_request(encode(request)) == request);
}

RC_GTEST_PROP(Message, ReplySurvivesEncoding, (const Reply& reply)) {
  RC_ASSERT(decode_reply(encode(reply)) == reply);
}

RC_GTEST_PROP(Message, ShorterOrLongerMessageIsRefused, (const Request& request)) {
  auto bytes = encode(request);
  const auto length = *rc::gen::inRange<std::size_t>(0, bytes.size());
  RC_ASSERT_THROWS_AS((void)decode_request(std::span(bytes).first(length)), std::runtime_error);
  bytes.push_back(std::byte{0});
  RC_ASSERT_THROWS_AS((void)decode_request(bytes), std::runtime_error);
}

RC_GTEST_PROP(Message, ArbitraryBytesAtMostThrow, (const std::vector<std::uint8_t>& raw)) {
  try {
    (void)decode_request(std::as_bytes(std::span(raw)));
    (void)decode_reply(std::as_bytes(std::span(raw)));
  } catch (const std::runtime_error&) {
  }
}

TEST(Message, HugeCountIsRefusedBeforeAllocation) {
  auto bytes = encode(Request{});
  std::fill(bytes.end() - 8, bytes.end(), std::byte{0xFF});  // the number of calls
  EXPECT_THROW((void)decode_request(bytes), std::runtime_error);
}

}  // namespace
}  // namespace warpcheck::device::cuda
