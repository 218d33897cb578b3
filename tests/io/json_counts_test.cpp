#include <edgewise/io/json_counts.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/catch.hpp"

#include "../format/message.hpp"

namespace edgewise {
namespace {

constexpr std::array<std::string_view, 2> keys = {"n", "m"};

std::optional<std::int64_t> count(std::string const& json, char const* key = "n") {
  return detail::json_object("meta.json", json, keys).count(key);
}
std::string refusal(std::string const& json) {
  return testing::message_of<io_error>([&] { count(json); });
}

TEST_CASE("counts in every form that JSON has for them") {
  CHECK(count("{\"n\": 30}") == 30);
  CHECK(count("{\"n\": 3e1}") == 30);
  CHECK(count("{\"n\": 3E+1}") == 30);
  CHECK(count("{\"n\": 300e-1}") == 30);
  CHECK(count("{\"n\": 30.0}") == 30);
  CHECK(count("{\"n\": 0.03e3}") == 30);
  CHECK(count("{\"n\": -0}") == 0);
  CHECK(count("{\"n\": 0e999999999999999999999}") == 0);
  CHECK(count("{\"n\": 2147483647}") == 2147483647);
  CHECK(count("{\"n\": 2147483647" + std::string(30, '0') + "e-30}") == 2147483647);
  CHECK(!count("{}"));
  CHECK(count("\xef\xbb\xbf {\"n\": 1}\r\n") == 1);
}

TEST_CASE("only keys of the outermost object count, however they are written") {
  CHECK(count("{\"raw\": {\"n\": 9}, \"n\": 6}") == 6);
  CHECK(!count("{\"raw\": [{\"n\": 9}], \"text\": \"\\\"n\\\": 9\"}"));
  CHECK(count("{\"\\u006e\": 6, \"\\u6e00\": 7}") == 6);
  CHECK(count("{\"a\": [1, \"x\", null, true, [], {}, -1.5e-3, NaN, -Infinity], \"n\"\n:\t6}") == 6);
  CHECK(count("{\"a\": 1, \"a\": 2, \"n\": 6}") == 6);
  CHECK(count("{\"n\": 6, \"m\": false}") == 6);
}

TEST_CASE("values that are no counts are refused by line and key") {
  CHECK(refusal("{\n\"n\": -5}") == "meta.json:2: n is -5, must be an integer in [0, 2147483647]");
  for (std::string const value : {"2.5", "1e-1", "1e40", "1e999999999999999999999", "2147483648", "1099511627776",
                                  "4611686018427387904", "9223372036854775808", "99999999999999999999", "\"6\"", "null",
                                  "true", "[6]", "{\"n\": 6}", "NaN", "-Infinity", "-1e0"}) {
    CAPTURE(value);
    CHECK(refusal("{\"n\": " + value + "}") ==
          "meta.json:1: n is " + value + ", must be an integer in [0, 2147483647]");
  }
  CHECK(refusal("{\"n\": " + std::string(70, '9') + "}") ==
        "meta.json:1: n is " + std::string(60, '9') + "..., must be an integer in [0, 2147483647]");
  CHECK(refusal("{\"n\": 1,\n \"n\": 1}") == "meta.json:2: n is there twice");
}

TEST_CASE("what is no JSON is refused by line") {
  CHECK(refusal("") == "meta.json:1: must be one JSON object");
  CHECK(refusal("[1]") == "meta.json:1: must be one JSON object");
  CHECK(refusal("{\"n\": 1}\n{}") == "meta.json:2: goes on after its JSON object");
  CHECK(refusal("{\"n\": 1") == "meta.json:1: a comma or } must follow a value of a JSON object");
  CHECK(refusal("{\"n\" 1}") == "meta.json:1: a colon must follow the key of a JSON object");
  CHECK(refusal("{\"n\": 1,}") == "meta.json:1: a key of a JSON object must be a string");
  CHECK(refusal("{n: 1}") == "meta.json:1: a key of a JSON object must be a string");
  CHECK(refusal("{\"a\": [1, 2}") == "meta.json:1: a comma or ] must follow a value of a JSON array");
  CHECK(refusal("{\"a\": \"x") == "meta.json:1: a JSON string does not end");
  CHECK(refusal("{\"a\": \"x\n\"}") == "meta.json:1: a control character in a JSON string");
  CHECK(refusal("{\"a\": \"\\x41\"}") == "meta.json:1: an escape that JSON does not have");
  CHECK(refusal("{\"a\": \"\\u00g1\"}") == "meta.json:1: an escape that JSON does not have");
  CHECK(refusal("{\"a\": \"\\") == "meta.json:1: an escape that JSON does not have");
  for (std::string const value :
       {"", "01", "+1", ".5", "1.", "1e", "1e+", "--1", "0x1", "nul", "'x'", "1_0", "1 2", "]"}) {
    CAPTURE(value);
    CHECK(refusal("{\"n\": " + value + "}").find("meta.json:1: ") == 0);
  }
  CHECK(refusal("{\"a\": " + std::string(100000, '[') + "}") == "meta.json:1: JSON nested in more than 200 levels");
  CHECK(count("{\"a\": " + std::string(150, '[') + std::string(150, ']') + "}") == std::nullopt);
}

}  // namespace
}  // namespace edgewise
