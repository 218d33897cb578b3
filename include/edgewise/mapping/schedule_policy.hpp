// The schedule of a plan as one value: printed, read back, and given to another plan.
#pragma once

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include <edgewise/core/error.hpp>
#include <edgewise/mapping/work_split.hpp>

namespace edgewise::inline v0 {

/// How the rows of a plan's groupings are split: all that its mapping decided, as numbers. A plan is made from it
/// again, whatever decided then: `kernel.plan(exec, in, policy)`. The same policy and inputs give the same bits.
/// `by_source` has no effect where the graph is not grouped by source.
template <class Split>
struct schedule_policy {
  Split by_destination{};
  Split by_source{};

  bool operator==(schedule_policy const&) const = default;
};

namespace detail {

inline constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

inline std::string number_text(std::int64_t number) { return number == no_bound ? "all" : std::to_string(number); }
inline std::string number_text(row_order order) {
  switch (order) {
    case row_order::degree:
      return "degree";
    case row_order::windows:
      return "windows";
    case row_order::short_windows:
      return "short_windows";
    default:
      return "stored";
  }
}
inline std::string number_text(block_size size) {
  return size == block_size::chosen ? "chosen" : std::to_string(threads_of_block(size));
}
inline std::string number_text(group_threads threads) { return threads == group_threads::half ? "half" : "all"; }
inline std::string number_text(piece_order pieces) { return pieces == piece_order::in_place ? "in_place" : "ahead"; }
inline std::string number_text(tile_use tiles) { return tiles == tile_use::left ? "left" : "taken"; }

/// Reads what `number_text` wrote; false where the text is none.
inline bool read_number(std::string_view text, std::int64_t& number) {
  if (text == "all") {
    number = no_bound;
    return true;
  }
  number = 0;
  for (char const digit : text) {
    if (digit < '0' || digit > '9' || number > (no_bound - 9) / 10) return false;
    number = 10 * number + (digit - '0');
  }
  return !text.empty() && number > 0;
}
inline bool read_number(std::string_view text, row_order& order) {
  for (row_order const known : {row_order::stored, row_order::degree, row_order::windows, row_order::short_windows}) {
    order = known;
    if (text == number_text(known)) return true;
  }
  return false;
}
inline bool read_number(std::string_view text, block_size& size) {
  for (block_size const known :
       {block_size::chosen, block_size::threads_32, block_size::threads_64, block_size::threads_128}) {
    size = known;
    if (text == number_text(known)) return true;
  }
  return false;
}
inline bool read_number(std::string_view text, group_threads& threads) {
  threads = text == "half" ? group_threads::half : group_threads::all;
  return text == number_text(threads);
}
inline bool read_number(std::string_view text, piece_order& pieces) {
  pieces = text == "in_place" ? piece_order::in_place : piece_order::ahead;
  return text == number_text(pieces);
}

inline bool read_number(std::string_view text, tile_use& tiles) {
  tiles = text == "left" ? tile_use::left : tile_use::taken;
  return text == number_text(tiles);
}

template <class Split>
std::string split_text(Split const& split) {
  std::string result = Split::name;
  Split::for_each_number(
      split, [&](char const* name, auto number) { result += detail::joined(' ', name, '=', number_text(number)); });
  return result;
}

/// The words of a policy's text, one after the other; throws `invalid_argument` at the first that does not fit.
class policy_reader {
public:
  explicit policy_reader(std::string_view text) : text_(text), words_{std::string(text)} {}

  void expect(std::string_view wanted) {
    std::string const word = next();
    if (word != wanted) refuse(word, wanted);
  }
  template <class Split>
  void read(Split& split) {
    expect(Split::name);
    Split::for_each_number(split, [&](char const* name, auto& number) {
      std::string const word = next();
      std::string const begin = std::string(name) + "=";
      if (word.rfind(begin, 0) != 0 || !read_number(std::string_view(word).substr(begin.size()), number)) {
        refuse(word, begin + "...");
      }
    });
  }
  void expect_end() {
    std::string const word = next();
    if (!word.empty()) refuse(word, "its end");
  }

private:
  std::string next() {
    std::string word;
    words_ >> word;
    return word;
  }
  [[noreturn]] void refuse(std::string const& word, std::string_view wanted) const {
    throw invalid_argument(text("parse_policy: '", text_, "' has ", word.empty() ? "an end" : "'" + word + "'",
                                " where ", wanted, " is due"));
  }

  std::string_view text_;
  std::istringstream words_;
};

/// Refuses numbers that no schedule can have.
template <class Split>
void check_split(Split const& split) {
  Split::for_each_number(split, [&](char const* name, auto number) {
    if constexpr (std::is_same_v<decltype(number), std::int64_t>) {
      if (number <= 0)
        throw invalid_argument(text("plan: ", Split::name, " with ", name, " = ", number, ", which is not positive"));
    }
  });
  if constexpr (is_tile_split<Split>) check_split(split.rows);
  if constexpr (std::is_same_v<Split, row_split>) {
    auto const require_tile = [](char const* name, std::int64_t tile) {
      if (tile != least_tile && tile != 2 * least_tile && tile != no_bound) {
        throw invalid_argument(text("plan: row_split with ", name, " = ", tile,
                                    ", which is not 64, 128 or all: what groups of threads hold"));
      }
    };
    require_tile("tile", split.tile);
    require_tile("dot_tile", split.dot_tile);
  }
}

}  // namespace detail

/// The policy as one line, such as
///   by_destination row_split max_edges=64 order=stored partitions=1 tile=all dot_tile=all block=chosen threads=all
///   pieces=ahead by_source row_split max_edges=64 order=stored partitions=1 tile=all dot_tile=all block=chosen
///   threads=all pieces=ahead
template <class Split>
std::string to_string(schedule_policy<Split> const& policy) {
  return "by_destination " + detail::split_text(policy.by_destination) + " by_source " +
         detail::split_text(policy.by_source);
}

/// Reads what `to_string` wrote. Throws `invalid_argument` naming the first word that does not fit.
template <class Split>
schedule_policy<Split> parse_policy(std::string_view text) {
  schedule_policy<Split> policy;
  detail::policy_reader reader(text);
  reader.expect("by_destination");
  reader.read(policy.by_destination);
  reader.expect("by_source");
  reader.read(policy.by_source);
  reader.expect_end();
  return policy;
}

}  // namespace edgewise::inline v0
