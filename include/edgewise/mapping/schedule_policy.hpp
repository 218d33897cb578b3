// The schedule of a plan as one value: printed, read back, and given to another plan.
#pragma once

#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include <edgewise/core/error.hpp>
#include <edgewise/mapping/deal.hpp>

namespace edgewise {

/// How the rows of a plan's groupings are dealt: all that its mapping decided, as numbers. A plan is made from it
/// again, whatever decided then: `kernel.plan(exec, in, policy)`. The same policy and inputs give the same bits.
/// `by_source` has no effect where the graph is not grouped by source.
template <class Deal>
struct schedule_policy {
  Deal by_destination{};
  Deal by_source{};

  bool operator==(schedule_policy const&) const = default;
};

namespace detail {

template <class Deal>
inline constexpr char const* deal_name = nullptr;
template <>
inline constexpr char const* deal_name<row_pieces> = "row_pieces";
template <>
inline constexpr char const* deal_name<whole_rows> = "whole_rows";
template <>
inline constexpr char const* deal_name<queued_rows> = "queued_rows";
template <>
inline constexpr char const* deal_name<edge_shares> = "edge_shares";

/// Calls f(name, number) for every number of a deal, in the order of its text.
template <class Pieces, class F>
requires std::is_same_v<std::remove_const_t<Pieces>, row_pieces>
void for_each_number(Pieces& deal, F const& f) {
  f("longest", deal.longest);
  f("order", deal.order);
  f("partitions", deal.partitions);
  f("tile", deal.tile);
  f("contraction", deal.contraction);
  f("block", deal.block);
  f("threads", deal.threads);
  f("pieces", deal.pieces);
}
template <class Rows, class F>
requires std::is_same_v<std::remove_const_t<Rows>, whole_rows>
void for_each_number(Rows& deal, F const& f) { f("order", deal.order); }
template <class Rows, class F>
requires std::is_same_v<std::remove_const_t<Rows>, queued_rows>
void for_each_number(Rows& deal, F const& f) {
  f("longest", deal.longest);
  f("order", deal.order);
}
template <class Shares, class F>
requires std::is_same_v<std::remove_const_t<Shares>, edge_shares>
void for_each_number(Shares& deal, F const& f) { f("length", deal.length); }

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

template <class Deal>
std::string deal_text(Deal const& deal) {
  std::string result = deal_name<Deal>;
  for_each_number(
      deal, [&](char const* name, auto number) { result += detail::joined(' ', name, '=', number_text(number)); });
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
  template <class Deal>
  void read(Deal& deal) {
    expect(deal_name<Deal>);
    for_each_number(deal, [&](char const* name, auto& number) {
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
template <class Deal>
void check_deal(Deal const& deal) {
  for_each_number(deal, [&](char const* name, auto number) {
    if constexpr (std::is_same_v<decltype(number), std::int64_t>) {
      if (number <= 0)
        throw invalid_argument(
            text("plan: ", deal_name<Deal>, " with ", name, " = ", number, ", which is not positive"));
    }
  });
  if constexpr (std::is_same_v<Deal, row_pieces>) {
    auto const require_tile = [](char const* name, std::int64_t tile) {
      if (tile != least_tile && tile != 2 * least_tile && tile != no_bound) {
        throw invalid_argument(text("plan: row_pieces with ", name, " = ", tile,
                                    ", which is not 64, 128 or all: what groups of threads hold"));
      }
    };
    require_tile("tile", deal.tile);
    require_tile("contraction", deal.contraction);
  }
}

}  // namespace detail

/// The policy as one line: by_destination row_pieces longest=64 order=stored partitions=1 tile=all contraction=all
/// block=chosen threads=all pieces=ahead by_source row_pieces longest=64 order=stored partitions=1 tile=all
/// contraction=all block=chosen threads=all pieces=ahead
template <class Deal>
std::string to_string(schedule_policy<Deal> const& policy) {
  return "by_destination " + detail::deal_text(policy.by_destination) + " by_source " +
         detail::deal_text(policy.by_source);
}

/// Reads what `to_string` wrote. Throws `invalid_argument` naming the first word that does not fit.
template <class Deal>
schedule_policy<Deal> parse_policy(std::string_view text) {
  schedule_policy<Deal> policy;
  detail::policy_reader reader(text);
  reader.expect("by_destination");
  reader.read(policy.by_destination);
  reader.expect("by_source");
  reader.read(policy.by_source);
  reader.expect_end();
  return policy;
}

}  // namespace edgewise
