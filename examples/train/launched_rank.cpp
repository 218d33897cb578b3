#include "train/launched_rank.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <edgewise/core/error.hpp>

namespace edgewise::train {
namespace {

char const* variable(char const* name) {
  char const* const text = std::getenv(name);
  if (!text)
    throw invalid_argument(std::string("EDGEWISE_RANK is set, but not ") + name + ": see scripts/launch-ranks");
  return text;
}

int number(char const* name) {
  std::string_view const text = variable(name);
  int value = 0;
  auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) {
    throw invalid_argument(edgewise::detail::text(name, " is ", text, ", must be a number"));
  }
  return value;
}

}  // namespace

std::optional<launched_rank> read_launched_rank() {
  if (!std::getenv("EDGEWISE_RANK")) return std::nullopt;
  launched_rank const read{number("EDGEWISE_RANK"), number("EDGEWISE_RANKS"), variable("EDGEWISE_RANKS_MEET_AT")};
  if (read.rank < 0 || read.rank >= read.num_ranks) {
    throw invalid_argument(
        edgewise::detail::text("EDGEWISE_RANK is ", read.rank, ", there are EDGEWISE_RANKS ", read.num_ranks));
  }
  return read;
}

}  // namespace edgewise::train
