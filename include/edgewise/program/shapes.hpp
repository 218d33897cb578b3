// Shapes of operands, outputs and gradients: checked against the graph and each other, with errors that name both.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include <edgewise/core/error.hpp>
#include <edgewise/core/extents.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/format/graph_traits.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/overlap.hpp>

namespace edgewise::inline v0::detail {

template <class View>
std::string shape_text(View const& view) {
  if constexpr (vec_length < View >> 0) {
    if (View::kind == operand_kind::per_row) return text("[", view.rows, ", ", vec_length<View>, "]");
    return text("[", view.rows, ", ", view.heads, ", ", vec_length<View>, "]");
  }
  if constexpr (View::kind == operand_kind::wide)
    return text("[", view.rows, ", ", view.heads, ", ", view.channels, "]");
  if constexpr (View::kind == operand_kind::per_head) return text("[", view.rows, ", ", view.heads, "]");
  if constexpr (View::kind == operand_kind::per_channel) return text("[", view.rows, ", ", view.channels, "]");
  return text("[", view.rows, "]");
}

inline constexpr bool kind_has_heads(operand_kind kind) {
  return kind == operand_kind::wide || kind == operand_kind::per_head;
}
inline constexpr bool kind_has_channels(operand_kind kind) {
  return kind == operand_kind::wide || kind == operand_kind::per_channel;
}

/// Rows that an operand in a role must have, and what they are, for messages.
inline std::int64_t rows_of_role(role r, graph_counts counts) {
  switch (r) {
    case role::source:
      return counts.sources;
    case role::destination:
      return counts.destinations;
    case role::edge:
      return counts.edges;
    case role::relation:
      return counts.types;
    default:
      return 1;
  }
}
/// What rows of a role are; null for a parameter, whose one row is not the graph's.
inline char const* rows_name(role r) {
  switch (r) {
    case role::source:
      return "sources";
    case role::destination:
      return "destinations";
    case role::edge:
      return "edges";
    case role::relation:
      return "edge types";
    default:
      return nullptr;
  }
}

/// Throws unless a view has these rows, well laid out. `name()` is called for a message alone: what runs every step
/// builds no strings.
template <class View, class Name>
void check_view(View const& view, std::int64_t rows, char const* rows_are, Name const& name) {
  if (view.rows != rows) {
    if (!rows_are) throw invalid_argument(text(name, ": has ", view.rows, " rows, a parameter has 1"));
    throw invalid_argument(text(name, ": has ", view.rows, " rows, the graph has ", rows, " ", rows_are));
  }
  if (view.heads < 1 || view.channels < 1) {
    throw invalid_argument(text(name, ": has shape ", shape_text(view), ", heads and channels must be at least 1"));
  }
  if (view.rows > 1 && view.row_stride < view.row_size()) {
    throw invalid_argument(
        text(name, ": has row stride ", view.row_stride, ", its rows have ", view.row_size(), " elements"));
  }
  constexpr auto element_bytes = static_cast<std::int64_t>(sizeof(*view.data));
  bool const is_far = view.row_stride > std::numeric_limits<std::int32_t>::max() / element_bytes;
  bool const is_address = view.row_stride <= largest_size && view.row_stride >= -largest_size;
  if ((view.rows > 1 && is_far) || !is_address) {  // of a single row it means nothing, but its bytes are computed
    throw invalid_argument(text(name, ": rows are ", view.row_stride, " elements apart, more than 2 GiB"));
  }
  if (view.rows > 1 && view.rows > largest_size / (view.row_stride * element_bytes)) {
    throw invalid_argument(text(name, ": has ", view.rows, " rows, ", view.row_stride * element_bytes,
                                " bytes apart, more than memory can have"));
  }
  if (view.data == nullptr && view.rows > 0) throw invalid_argument(text(name, ": is bound to a null pointer"));
}

/// Throws where a graph has fewer than no vertices or edges.
inline void check_counts(graph_counts counts) {
  if (counts.sources < 0 || counts.destinations < 0 || counts.edges < 0) {
    throw invalid_argument(text("graph: has ", counts.sources, " sources, ", counts.destinations, " destinations and ",
                                counts.edges, " edges, none of which may be negative"));
  }
}

/// Elements of a row at most, each head's channels rounded up to a power of two: several such rows, and their bytes,
/// are counted in 32 bits.
inline constexpr std::int64_t most_row_elements = std::int64_t{1} << 27;
/// Throws where rows have more.
inline void check_row_size(row_extents extents) {
  std::int64_t channels = 1;
  while (channels < extents.channels) channels *= 2;
  if (extents.heads * channels > most_row_elements) {
    throw invalid_argument(
        text("bindings: rows of ", extents.heads, " heads x ", extents.channels,
             " channels have more than 2^27 elements, each head's channels rounded up to a power of two"));
  }
}

/// Names that would drop the same elements: those of one program, MostNames at most, take streams of their own.
template <int MostNames>
class stream_checker {
public:
  using name_of = std::string (*)();
  void add(random_numbers_view const& numbers, name_of name) {
    if (numbers.stream == no_stream) return;
    if (numbers.data == nullptr) throw invalid_argument(name() + ": is bound to a null pointer");
    for (int i = 0; i < count_; ++i) {
      named const& other = seen_[i];
      if (other.numbers.data == numbers.data && other.numbers.stream == numbers.stream) {
        throw invalid_argument(text(name, ": is bound to stream ", numbers.stream, " of its random state, as is ",
                                    other.name, "; they would drop the same elements: give each its own stream"));
      }
    }
    seen_[count_++] = {numbers, name};
  }

private:
  struct named {
    random_numbers_view numbers;
    name_of name;
  };
  named seen_[MostNames] = {};
  int count_ = 0;
};

/// Takes heads and channels over from an operand, or checks them against those found before.
struct extents_finder {
  row_extents extents{0, 0};
  using name_of = std::string (*)();
  name_of heads_from = nullptr;
  name_of channels_from = nullptr;

  template <class View>
  void add(View const& view, name_of name) {
    if (kind_has_heads(View::kind)) merge(extents.heads, heads_from, view.heads, name, "heads");
    if (kind_has_channels(View::kind)) merge(extents.channels, channels_from, view.channels, name, "channels");
  }

private:
  static void merge(int& extent, name_of& from, int found, name_of name, char const* what) {
    if (extent == 0) {
      extent = found;
      from = name;
    } else if (extent != found) {
      throw invalid_argument(text(name, ": has ", found, " ", what, ", ", from, " has ", extent));
    }
  }
};

/// Throws where two dropouts of a program would drop the same elements.
template <class Leaves>
struct streams_of;
template <class... Leaf>
struct streams_of<type_list<Leaf...>> {
  template <class Set>
  static void check([[maybe_unused]] Set const& in) {
    [[maybe_unused]] stream_checker<(1 + ... + (is_random_leaf<Leaf> ? 1 : 0))> streams;
    auto const add = [&]<class L>(type_tag<L>) {
      if constexpr (is_random_leaf<L>) streams.add(view_for<L>(in), leaf_name<L>);
    };
    (add(type_tag<Leaf>{}), ...);
  }
};
template <class Leaves, class Set>
void check_streams(Set const& in) {
  streams_of<Leaves>::check(in);
}

/// Checks every operand against the graph and returns the program's heads and channels (1 where no operand has them).
template <class Leaves, class Set>
row_extents check_operands(Set const& in, graph_counts counts);
template <class Leaves, class Set>
struct operand_checker;
template <class... Leaf, class Set>
struct operand_checker<type_list<Leaf...>, Set> {
  static row_extents check(Set const& in, graph_counts counts) {
    check_counts(counts);
    extents_finder finder;
    check_streams<type_list<Leaf...>>(in);
    (check_one<Leaf>(in, counts, finder), ...);
    if (finder.extents.heads == 0) finder.extents.heads = 1;
    if (finder.extents.channels == 0) finder.extents.channels = 1;
    check_row_size(finder.extents);
    return finder.extents;
  }

private:
  template <class L>
  static void check_one([[maybe_unused]] Set const& in, [[maybe_unused]] graph_counts counts,
                        [[maybe_unused]] extents_finder& finder) {
    if constexpr (!is_random_leaf<L> && !is_number_leaf<L>) {
      auto const& view = view_for<L>(in);
      check_view(view, rows_of_role(L::role_of, counts), rows_name(L::role_of), leaf_name<L>);
      finder.add(view, leaf_name<L>);
    }
  }
};
template <class Leaves, class Set>
row_extents check_operands(Set const& in, graph_counts counts) {
  return operand_checker<Leaves, Set>::check(in, counts);
}
/// Checks every operand, also against the extents of an existing plan.
template <class Leaves, class Set>
void check_extents(Set const& in, row_extents planned, graph_counts counts) {
  row_extents const found = check_operands<Leaves>(in, counts);
  if (found.heads != planned.heads || found.channels != planned.channels) {
    throw invalid_argument(text("bindings: operands have ", found.heads, " heads x ", found.channels,
                                " channels, the plan was made for ", planned.heads, " x ", planned.channels));
  }
}

/// Checks an output. parts: those of a program that ends in concat, whose rows have the extents of all of them.
template <class View>
void check_output(View const& view, row_extents extents, std::int64_t rows, char const* name,
                  char const* rows_are = "destinations", int parts = 1) {
  check_view(view, rows, rows_are, [name] { return std::string(name); });
  bool const heads_differ = kind_has_heads(View::kind) && view.heads != extents.heads;
  bool const channels_differ = kind_has_channels(View::kind) && view.channels != extents.channels;
  if (heads_differ || channels_differ) {
    std::string const rows_have = parts > 1 ? text("the ", parts, " parts of a row have ") : "the program's rows have ";
    throw invalid_argument(text(name, ": has shape ", shape_text(view), ", ", rows_have, extents.heads, " heads x ",
                                extents.channels, " channels"));
  }
}

/// When a row of the output is written: after everything that its value depends on was read, by who read it, or at any
/// time, as the parts of a concatenation: a thread stores them where others may still read.
enum class writes { after_its_row, at_once };

/// Throws where the output shares memory with an operand that is read after some of the output was written. Rows that
/// only the same row of the output reads may be overwritten in place.
template <class Leaves, writes Written>
struct output_overlap;
template <class... Leaf, writes Written>
struct output_overlap<type_list<Leaf...>, Written> {
  template <class View, class Set>
  static void check(View const& result, Set const& in) {
    (check_one<Leaf>(result, in), ...);
  }

private:
  template <class L, class View, class Set>
  static void check_one([[maybe_unused]] View const& result, [[maybe_unused]] Set const& in) {
    if constexpr (!is_random_leaf<L> && !is_number_leaf<L>) {
      auto const& operand = view_for<L>(in);
      using operand_view_type = std::remove_cvref_t<decltype(operand)>;
      bool const in_place = Written == writes::after_its_row && L::role_of == role::destination &&
                            operand_view_type::kind == View::kind &&
                            (result.rows <= 1 || operand.row_stride == result.row_stride) &&
                            sizeof(*operand.data) == sizeof(*result.data) && begin_together(operand, result);
      if (!in_place && share_memory(operand, result)) {
        throw invalid_argument(
            text("out: ", shared_memory_text(operand, result), leaf_name<L>(), ", which is read while out is written"));
      }
    }
  }
};
template <class Leaves, writes Written, class View, class Set>
void check_not_operand(View const& result, Set const& in) {
  output_overlap<Leaves, Written>::check(result, in);
}

/// The view of a program's value, or of its adjoint, has the kind of the value.
template <operand_kind Viewed, operand_kind Value>
struct require_kind {
  static_assert(Value != operand_kind::wide || Viewed == Value,
                "out, grad_out: the program's value is wide, its view wide(data, rows, heads, channels)");
  static_assert(Value != operand_kind::per_head || Viewed == Value,
                "out, grad_out: the program's value is a number per head, its view per_head(data, rows, heads)");
  static_assert(Value != operand_kind::per_channel || Viewed == Value,
                "out, grad_out: the program's value has no heads, its view is per_channel(data, rows, channels)");
  static_assert(Value != operand_kind::per_row || Viewed == Value,
                "out, grad_out: the program's value is a number per row, its view per_row(data, rows)");
  static constexpr bool ok = true;
};

/// An output has the kind of the program's value and a storage type that its accumulator is rounded to.
template <class View, operand_kind Kind, class Accumulator>
struct require_output {
  static_assert(require_kind<View::kind, Kind>::ok);
  static_assert(std::is_same_v<accumulator_t<typename View::value_type>, Accumulator>,
                "out: the output of operands of double is stored as double, that of others as float, bfloat16 or "
                "float16, and of with_tangent as the operands (core/scalar.hpp)");
  static constexpr bool ok = true;
};

/// The adjoint of the output is stored as the output was: passes read both. Which of the types that was is not known
/// before the call.
template <class View, operand_kind Kind, class Accumulator>
struct require_output_gradient {
  static_assert(require_kind<View::kind, Kind>::ok);
  static_assert(std::is_same_v<accumulator_t<typename View::value_type>, Accumulator>,
                "grad_out: the adjoint of the output is stored as the output: double for operands of double, float, "
                "bfloat16 or float16 for others (core/scalar.hpp)");
  static constexpr bool ok = true;
};

/// Channels of the longest chunk: 8 of two bytes are a 16-byte word.
inline constexpr int longest_chunk = 8;

/// The channels of the longest chunk that rows allow to move as words of 16 bytes, or of its size where that is less:
/// 8, 4, 2 or 1. Chunks lie in rows as a whole.
constexpr int chunk_of_rows(int channels, std::int64_t element_bytes, std::uintptr_t address, std::int64_t row_bytes) {
  for (int const chunk : {longest_chunk, 4, 2}) {
    std::int64_t const bytes = chunk * element_bytes;
    std::int64_t const word = bytes < 16 ? bytes : 16;
    if (channels % chunk == 0 && static_cast<std::int64_t>(address % 16) % word == 0 && row_bytes % word == 0)
      return chunk;
  }
  return 1;
}
/// The channels of the longest chunk of rows of `elements` elements that are one axis and begin at multiples of 16
/// bytes, where the last chunk may reach into the gap behind the row, `row_stride` elements from its start: by less
/// than 16 bytes, as stored and as summed.
constexpr int chunk_of_gapped_rows(std::int64_t elements, std::int64_t element_bytes, std::int64_t accumulator_bytes,
                                   std::uintptr_t address, std::int64_t row_stride) {
  std::int64_t const chunk = 16 / accumulator_bytes;
  bool const begins_words = address % 16 == 0 && row_stride * element_bytes % 16 == 0;
  bool const has_room = (elements + chunk - 1) / chunk * chunk <= row_stride;
  return begins_words && has_room ? static_cast<int>(chunk) : 1;
}
constexpr int smaller(int a, int b) { return a < b ? a : b; }

/// The longest chunk that a view's rows allow. ReadsGaps: rows are one axis, and gaps behind them may be read.
template <bool ReadsGaps = false, class View>
int chunk_of(View const& view) {
  if constexpr (!(View::kind == operand_kind::wide || View::kind == operand_kind::per_channel)) {
    return longest_chunk;
  } else {
    using element = std::remove_const_t<typename View::value_type>;
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(element));
    auto const address = reinterpret_cast<std::uintptr_t>(view.data);
    int const whole = chunk_of_rows(view.channels, bytes, address, view.rows <= 1 ? 0 : view.row_stride * bytes);
    if constexpr (ReadsGaps && View::kind == operand_kind::wide) {
      if (view.rows <= 1) return whole;  // strides of single rows mean nothing
      constexpr auto accumulator_bytes = static_cast<std::int64_t>(sizeof(accumulator_t<element>));
      int const gapped = chunk_of_gapped_rows(view.row_size(), bytes, accumulator_bytes, address, view.row_stride);
      return whole > gapped ? whole : gapped;
    } else {
      return whole;
    }
  }
}

/// The longest chunk of rows that are written: gaps count only where they are the view's own.
template <bool WritesGaps, class View>
int chunk_of_written(View const& view) {
  if constexpr (WritesGaps) {
    if (view.is_padded) return chunk_of<true>(view);
  }
  return chunk_of(view);
}

template <class Bound, class View>
operand_pointer<Bound> operand_pointer_of(View const& view) {
  std::int64_t const stride = view.rows > 1 ? view.row_stride : 0;  // of a single row it means nothing
  return {component_address<typename Bound::leaf>(view.data),
          static_cast<std::int32_t>(stride * static_cast<std::int64_t>(sizeof(*view.data)))};
}

/// A view's rows from this element on.
template <class View>
View rows_from(View view, std::int64_t element) {
  if (view.data != nullptr) view.data += element;
  return view;
}
/// Sets the pointers of leaves that are parts of a view's rows, `part_elements` elements each.
template <class... Bound, class Pointers, class View>
void fill_parts(type_list<Bound...>, Pointers& pointers, View const& view, std::int64_t part_elements) {
  std::int64_t first = 0;
  ((pointers.template of<Bound>() = operand_pointer_of<Bound>(rows_from(view, first)), first += part_elements), ...);
}

/// The numbers that edges or rows have in the whole graph, of a set that binds them.
template <random_owner Owner, class... Binding>
std::int64_t const* numbers_of_rows(binding_set<Binding...> const& in) {
  std::int64_t const* found = nullptr;
  for_each_index_on_host<static_cast<int>(sizeof...(Binding))>([&](auto i) {
    auto const& view = get<decltype(i)::value>(in.items).view;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(view)>, renumbered_random_view>) {
      found = Owner == random_owner::edge ? view.edge_numbers : view.row_numbers;
    }
  });
  return found;
}

/// Sets the pointer of one leaf; returns the longest chunk that its rows allow.
template <bool ReadsGaps = false, class Bound, class Set>
int fill_operand([[maybe_unused]] operand_pointer<Bound>& pointer, [[maybe_unused]] Set const& in) {
  if constexpr (is_number_leaf<typename Bound::leaf>) {
    if constexpr (requires { pointer.numbers; }) pointer.numbers = numbers_of_rows<Bound::leaf::owner>(in);
    return longest_chunk;
  } else if constexpr (is_random_leaf<typename Bound::leaf>) {
    auto const& numbers = view_for<typename Bound::leaf>(in);
    pointer = {numbers.data, numbers.stream};
    return longest_chunk;
  } else {
    auto const& view = view_for<typename Bound::leaf>(in);
    pointer = operand_pointer_of<Bound>(view);
    return chunk_of<ReadsGaps>(view);
  }
}
/// Sets the pointers of the leaves of Table; returns the longest chunk that all their rows allow.
template <class Table, bool ReadsGaps = false, class Pointers, class Set>
int fill_operands(Pointers& pointers, Set const& in) {
  return [&]<class... Bound>(type_list<Bound...>) {
    int chunk = longest_chunk;
    ((chunk = smaller(chunk, fill_operand<ReadsGaps>(pointers.template of<Bound>(), in))), ...);
    return chunk;
  }(Table{});
}

/// The most tiles that any geometry cuts a row into. Groups hold 128 channels or more; where every head has a power of
/// two of them, more than half of that is in use.
inline int most_tiles(row_extents extents) { return extents.heads * ceil_div(extents.channels, 64); }

}  // namespace edgewise::inline v0::detail
