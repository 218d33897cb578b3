#include <edgewise/tuning/tuning_cache.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

using namespace edgewise;

namespace {

/// A path of its own for each test, removed with it.
class temporary_file {
public:
  explicit temporary_file(char const* name)
      : path_((std::filesystem::temp_directory_path() / (std::string("edgewise_tuning_") + name)).string()) {
    std::filesystem::remove(path_);
  }
  temporary_file(char const* name, std::string const& content) : temporary_file(name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~temporary_file() { std::filesystem::remove(path_); }

  std::string const& path() const { return path_; }
  std::string content() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

private:
  std::string path_;
};

}  // namespace

TEST_CASE("tuning_cache: remembers in memory", "[tuning]") {
  tuning_cache cache;
  CHECK_FALSE(cache.find("a"));
  cache.remember("a", "first");
  cache.remember("b", "other");
  cache.remember("a", "second");
  CHECK(cache.find("a").value() == "second");
  CHECK(cache.size() == 2);
  CHECK(cache.warning().empty());
  CHECK_THROWS_AS(cache.remember("a\tb", "policy"), invalid_argument);
  CHECK_THROWS_AS(cache.remember("a", "policy\n"), invalid_argument);
  CHECK_THROWS_AS(cache.remember("", "policy"), invalid_argument);
}

TEST_CASE("tuning_cache: a file holds what every program that names it chose", "[tuning]") {
  temporary_file const file("shared");
  tuning_cache first(file.path());
  CHECK(first.warning().empty());
  CHECK_FALSE(std::filesystem::exists(file.path()));  // nothing to write yet
  first.remember("key one", "policy one");
  tuning_cache second(file.path());
  second.remember("key two", "policy two");
  first.remember("key one", "policy three");
  CHECK(file.content() == "edgewise tuning 1\nkey one\tpolicy one\nkey two\tpolicy two\nkey one\tpolicy three\n");
  tuning_cache const third(file.path());
  CHECK(third.find("key one").value() == "policy three");
  CHECK(third.find("key two").value() == "policy two");
  CHECK(third.warning().empty());
}

TEST_CASE("tuning_cache: lines that are none are skipped, with their numbers", "[tuning]") {
  temporary_file const file("broken", "edgewise tuning 1\nno tab\nkey\tpolicy\n\tno key\nno policy\t\nhalf\tpol");
  tuning_cache cache(file.path());
  CHECK(cache.size() == 1);
  CHECK(cache.find("key").value() == "policy");
  for (char const* line : {":2: ", ":4: ", ":5: ", ":6: "}) CHECK_THAT(cache.warning(), Catch::Contains(line));
  CHECK_THAT(cache.warning(), !Catch::Contains(":3: "));
  cache.remember("next", "policy");  // not behind the half line
  CHECK(tuning_cache(file.path()).find("next").value() == "policy");
}

TEST_CASE("tuning_cache: a file of another kind is left as it is", "[tuning]") {
  for (std::string const content : {"{\"key\": 1}\n", "edgewise tuning 2\nkey\tpolicy\n", "\n"}) {
    temporary_file const file("foreign", content);
    tuning_cache cache(file.path());
    CHECK(cache.size() == 0);
    CHECK_THAT(cache.warning(), Catch::Contains("it is left as it is"));
    cache.remember("key", "policy");
    CHECK(cache.find("key").value() == "policy");
    CHECK(file.content() == content);
  }
}

TEST_CASE("tuning_cache: an empty file becomes one, a path that cannot be written is none", "[tuning]") {
  temporary_file const file("empty", "");
  tuning_cache(file.path()).remember("key", "policy");
  CHECK(tuning_cache(file.path()).find("key").value() == "policy");

  tuning_cache cache("/no such folder/tuning");
  CHECK(cache.warning().empty());
  cache.remember("key", "policy");
  CHECK_THAT(cache.warning(), Catch::Contains("/no such folder/tuning: cannot be written"));
  CHECK(cache.find("key").value() == "policy");
}
