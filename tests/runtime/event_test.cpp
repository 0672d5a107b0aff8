#include "runtime/events/event.hpp"

#include <gtest/gtest.h>

#include "runtime/events/options.hpp"

namespace warpcheck::runtime {
namespace {

TEST(ExecEvent, FindingSurvivesJson) {
  FindingEvent event;
  event.finding.kind = FindingClass::race;
  event.finding.grade = Grade::same_value;
  event.finding.message = "two writes \"x\"\n\xff";
  event.finding.source = {"a.cu", 3, "st.global.u32 [%rd1], %r1", 87, {{"b.cuh", 4}}, 5, true};
  event.finding.thread = ThreadPlace{{1, 2, 3}, {4, 5, 6}};
  event.finding.memory = MemoryPlace{"allocation 1", -4, 8, true};
  event.finding.other = OtherAccess{{"c.cu", 9, "", 1, {}, 0, false}, {{7, 0, 0}, {8, 0, 0}}, true};
  event.finding.count = 12;
  event.finding.missing = MissingOrder{MissingOrder::Kind::barrier, true, false};
  event.finding.origin = Origin{{"d.cu", 2, "", 0, {}, 0, false}, {}, true};
  event.finding.same_cause = {event.finding};
  event.id = {5, 6};
  event.test = "test_a.py::test_b[\"c\"]";
  event.is_allowed = true;
  event.kernel = "_Z1kv";
  event.launch = 3;
  event.stack = {{"./program", 0x1234, "main", "", 0}};
  event.related = {{"allocation 1 allocated by", {{"./program", 1, "f", "", 0}}}};
  const auto read = event_from_json(to_json(event));
  ASSERT_TRUE(read);
  const auto& same = std::get<FindingEvent>(*read);
  EXPECT_EQ(same.id, (EventId{5, 6}));
  EXPECT_EQ(same.test, event.test);
  EXPECT_TRUE(same.is_allowed);
  EXPECT_EQ(same.finding.kind, FindingClass::race);
  EXPECT_EQ(same.finding.grade, Grade::same_value);
  EXPECT_EQ(same.finding.message, "two writes \"x\"\n\xff");
  EXPECT_EQ(same.finding.source.calls.at(0).file, "b.cuh");
  EXPECT_TRUE(same.finding.source.from_library);
  EXPECT_EQ(same.finding.thread->thread, (Dim3{4, 5, 6}));
  EXPECT_EQ(same.finding.memory->offset, -4);
  EXPECT_EQ(same.finding.other->thread.block, (Dim3{7, 0, 0}));
  EXPECT_EQ(same.finding.count, 12U);
  EXPECT_TRUE(same.finding.missing->exchanged);
  EXPECT_EQ(same.finding.origin->source.line, 2U);
  EXPECT_EQ(same.finding.same_cause.at(0).memory->name, "allocation 1");
  EXPECT_EQ(same.stack.at(0).offset, 0x1234U);
  EXPECT_EQ(same.related.at(0).frames.at(0).function, "f");
  EXPECT_EQ(to_json(*read), to_json(event_from_json(to_json(*read)).value()));
}

TEST(ExecEvent, ReplySurvivesJson) {
  const Reply reply{{5, 6}, Reply::Kind::note, "a \"text\"\n"};
  const auto read = reply_from_json(to_json(reply));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, reply.id);
  EXPECT_EQ(read->kind, reply.kind);
  EXPECT_EQ(read->text, reply.text);
  EXPECT_FALSE(reply_from_json("{\"id\": [1"));
}

TEST(ExecEvent, PartOfALineIsNoEvent) {
  const std::string line = to_json(TotalsEvent{1, 2, 3, 4, 5});
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_FALSE(event_from_json(line.substr(0, size))) << size;
  }
  EXPECT_TRUE(event_from_json(line));
}

TEST(ExecEvent, OptionsSurviveJson) {
  ExecOptions options;
  options.events = "/tmp/a b";
  options.replies = "/tmp/c";
  options.kernels = "reduce*";
  options.gpu = "a100";
  options.seconds = 1.5;
  options.leaks = true;
  options.limits = {1, 2, 3, 4};
  EXPECT_EQ(to_json(options_from_json(to_json(options))), to_json(options));
}

}  // namespace
}  // namespace warpcheck::runtime
