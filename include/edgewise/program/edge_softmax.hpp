// softmax over the edges of a row, stage by stage: where edges are weighed, and not only summed, a row's normalizer
// comes first.
#pragma once

#include <edgewise/core/extents.hpp>
#include <edgewise/core/softmax_normalizer.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/lower.hpp>

namespace edgewise::inline v0 {

namespace operation {

/// An edge's weight from its score and its row's normalizer; no gradient is asked of it but through
/// `edge_softmax_aggregation`.
struct softmax_weight {
  static constexpr char const* name = "softmax_weight";
  static constexpr int flops = 4;
  template <class T>
  EDGEWISE_HD T value(T score, softmax_normalizer<T> const& row) const {
    return detail::softmax_weight(score, row);
  }
};

/// p * x; where p is 0, as it is on masked edges, 0 whatever x is.
struct weigh {
  static constexpr char const* name = "weigh";
  static constexpr int flops = 1;
  template <class T>
  EDGEWISE_HD T value(T p, T x) const {
    return p == T(0) ? T(0) : p * x;
  }
  template <int I>
  static constexpr unsigned reads = I == 0 ? 2u : 1u;
  template <int I, class T>
  EDGEWISE_HD T pull(T adjoint, T, T p, T) const {
    static_assert(I == 1, "weigh: only what is weighed has a derivative here");
    return p == T(0) ? T(0) : adjoint * p;
  }
};

}  // namespace operation

namespace detail {

template <int I>
using normalizer_leaf = leaf<role::destination, aggregation_field<I, normalizer_field>>;
template <int I>
using inner_leaf = leaf<role::destination, aggregation_field<I, inner_field>>;

/// softmax(score) given the row's normalizer, field of aggregation I.
template <int I, class Score>
constexpr auto weight_of(Score const& score) {
  return make_node(operation::softmax_weight{}, score, normalizer_leaf<I>{});
}
/// softmax(score) * value, given the row's normalizer.
template <int I, class Score, class Value>
constexpr auto weigh_value(Score const& score, Value const& value) {
  return make_node(operation::weigh{}, weight_of<I>(score), value);
}
template <int I, class Score>
constexpr auto weigh_value(Score const& score, one const&) {
  return weight_of<I>(score);
}

/// The program whose value is a row's normalizer.
template <class Score>
constexpr auto normalizer_program(Score const& score) {
  using aggregation = normalizer_aggregation<Score>;
  using program =
      lowered_program<leaf<role::destination, aggregation_value<0>>, type_list<aggregation>, type_list<no_self>>;
  return program{{}, {{{aggregation{score}}}}, {}};
}

/// The program of the inner products: the gradient of a factor of all values of a row, sum over edges of p * <g,
/// value>.
template <class Score, class Value>
constexpr auto inner_program(Score const& score, Value const& value) {
  return program_of_message(make_node(operation::weigh{}, weigh_value<0>(score, value), inner_leaf<0>{}));
}

/// The program that stores an edge program's values, after a softmax's normalizers.
template <class Message>
constexpr auto store_program(edge_program<edge_aggregation<Message>> const& program) {
  return program;
}
template <class Score, class Value>
constexpr auto store_program(edge_program<edge_softmax_aggregation<Score, Value>> const& program) {
  auto const& aggregation = get<0>(program.aggregations);
  return program_of_message(weigh_value<0>(aggregation.score, aggregation.value));
}

/// Does a list of bound leaves hold the number of an edge? Scores that are dropped are few, and keep whole rows.
template <class Table>
inline constexpr bool reads_numbers = false;
template <class... Bound>
inline constexpr bool reads_numbers<type_list<Bound...>> = (is_number_leaf<typename Bound::leaf> || ...);

/// Does a score with these bound leaves take fewer heads and channels than its program's rows? Where no leaf has
/// channels, all channels of a head would compute the same.
template <class Table>
inline constexpr bool has_own_extents =
    !table_kinds<Table>::any_wide && !table_kinds<Table>::any_per_channel && !reads_numbers<Table>;
/// The heads and channels that a score takes. Kind: the score's.
template <operand_kind Kind, class Table>
constexpr row_extents score_extents(row_extents extents) {
  if (!has_own_extents<Table>) return extents;
  return {Kind == operand_kind::per_head ? extents.heads : 1, 1};
}

}  // namespace detail
}  // namespace edgewise::inline v0
