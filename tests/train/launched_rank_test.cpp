#include "train/launched_rank.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include "train/launched_rank.cpp"  // the trainer is a program, so there is no library to link

namespace edgewise::train {
namespace {

/// The environment with some variables of scripts/launch-ranks, and without the others.
class environment {
public:
  explicit environment(std::vector<std::pair<char const*, char const*>> const& variables) {
    clear();
    for (auto const& [name, value] : variables) ::setenv(name, value, 1);
  }
  ~environment() { clear(); }

private:
  static void clear() {
    for (char const* const name : {"EDGEWISE_RANK", "EDGEWISE_RANKS", "EDGEWISE_RANKS_MEET_AT"}) ::unsetenv(name);
  }
};

TEST_CASE("launched rank: is what the script says", "[train]") {
  {
    environment const none({});
    CHECK(!read_launched_rank());
  }
  environment const second({{"EDGEWISE_RANK", "1"}, {"EDGEWISE_RANKS", "2"}, {"EDGEWISE_RANKS_MEET_AT", "/tmp/x/id"}});
  auto const read = read_launched_rank();
  REQUIRE(read);
  CHECK(read->rank == 1);
  CHECK(read->num_ranks == 2);
  CHECK(read->meeting_file == "/tmp/x/id");
}

TEST_CASE("launched rank: what the script does not say is refused", "[train]") {
  {
    environment const alone({{"EDGEWISE_RANK", "0"}, {"EDGEWISE_RANKS", "2"}});
    CHECK_THROWS_WITH(read_launched_rank(),
                      "EDGEWISE_RANK is set, but not EDGEWISE_RANKS_MEET_AT: see scripts/launch-ranks");
  }
  for (char const* const text : {"", "x", "1x", "99999999999"}) {
    INFO(text);
    environment const bad({{"EDGEWISE_RANK", text}, {"EDGEWISE_RANKS", "2"}, {"EDGEWISE_RANKS_MEET_AT", "id"}});
    CHECK_THROWS_AS(read_launched_rank(), invalid_argument);
  }
  for (char const* const rank : {"2", "-1"}) {
    environment const outside({{"EDGEWISE_RANK", rank}, {"EDGEWISE_RANKS", "2"}, {"EDGEWISE_RANKS_MEET_AT", "id"}});
    CHECK_THROWS_WITH(read_launched_rank(), std::string("EDGEWISE_RANK is ") + rank + ", there are EDGEWISE_RANKS 2");
  }
}

}  // namespace
}  // namespace edgewise::train
