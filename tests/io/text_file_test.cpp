#include <edgewise/io/text_file.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

#include "../format/message.hpp"
#include "temporary_folder.hpp"

namespace edgewise {
namespace {

using fields = std::vector<std::string_view>;

TEST_CASE("lines of Unix and Windows, the last with or without an end") {
  testing::temporary_folder const folder;
  for (std::string const content : {"a b\n\n\tc \n", "a b\r\n\r\n\tc \r\n", "a b\n\n\tc "}) {
    detail::text_file file(folder.write("a.txt", content));
    REQUIRE(file.next_line());
    CHECK(file.fields() == fields{"a", "b"});
    REQUIRE(file.next_line());
    CHECK(file.fields().empty());
    REQUIRE(file.next_line());
    CHECK(file.fields() == fields{"c"});
    CHECK(!file.next_line());
    CHECK(!file.next_line());
  }
  CHECK(!detail::text_file(folder.write("empty.txt", "")).next_line());
}

TEST_CASE("a byte-order mark is no part of the first line, and only of this") {
  testing::temporary_folder const folder;
  detail::text_file file(folder.write("a.txt",
                                      "\xef\xbb\xbf"
                                      "12\n\xef\xbb\xbf"
                                      "12\n"));
  REQUIRE(file.next_line());
  CHECK(file.integer<int>(0, "it") == 12);
  REQUIRE(file.next_line());
  CHECK(file.fields().front().size() == 5);
}

TEST_CASE("lines longer than what is read at once") {
  testing::temporary_folder const folder;
  std::string const first(100000, 'a'), second(70000, 'b');
  detail::text_file file(folder.write("a.txt", first + "\n" + second + "\r\nc"));
  REQUIRE(file.next_line());
  CHECK(file.line() == first);
  REQUIRE(file.next_line());
  CHECK(file.line() == second);
  REQUIRE(file.next_line());
  CHECK(file.line() == "c");
}

TEST_CASE("numbers that are none, or too large, are refused by line") {
  testing::temporary_folder const folder;
  auto const path = folder.write("a.txt", "\n1.5 3000000000 1e40 -inf x\n");
  detail::text_file file(path);
  REQUIRE(file.next_line_with_fields(""));
  constexpr auto accept = non_finite_numbers::accept, refuse = non_finite_numbers::refuse;
  auto const refusal = [&](auto read) { return testing::message_of<io_error>(read).substr(path.size()); };
  CHECK(refusal([&] { file.integer<int>(0, "it"); }) == ":2: it is \"1.5\", must be a 32-bit integer");
  CHECK(refusal([&] { file.integer<int>(1, "it"); }) == ":2: it is \"3000000000\", must be a 32-bit integer");
  CHECK(file.real<double>(2, "it", refuse) == 1e40);
  CHECK(refusal([&] { file.real<float>(2, "it", refuse); }) ==
        ":2: it is \"1e40\", must be finite (the option non_finite accepts others)");
  CHECK(refusal([&] { file.real<float>(3, "it", refuse); }) ==
        ":2: it is \"-inf\", must be finite (the option non_finite accepts others)");
  CHECK(file.real<float>(3, "it", accept) < 0);
  CHECK(refusal([&] { file.real<float>(4, "it", accept); }) == ":2: it is \"x\", must be a number");
}

TEST_CASE("a folder is no text") {
  testing::temporary_folder const folder;
  CHECK(testing::message_of<io_error>([&] { detail::text_file(folder.path()); }) ==
        folder.path().string() + ": is a folder, must be a file");
}

}  // namespace
}  // namespace edgewise
