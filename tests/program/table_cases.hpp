// The table of {source, destination, edge} x {copy, add, sub, mul, div, dot} x gathers, one program per cell.
#pragma once

#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/mathematics.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/sum.hpp>

#include "plan/program_case.hpp"

namespace edgewise::testing {

struct on_source;
struct on_destination;
struct on_edge;

namespace table {

enum class operand_pair { source, destination, edge, source_destination, source_edge, destination_edge };
enum class operation { copy, add, sub, mul, div, dot };

template <operand_pair P>
inline constexpr bool is_single =
    P == operand_pair::source || P == operand_pair::destination || P == operand_pair::edge;

template <operand_pair P>
constexpr auto first() {
  if constexpr (P == operand_pair::destination || P == operand_pair::destination_edge) return dst<on_destination>;
  if constexpr (P == operand_pair::edge) return edge<on_edge>;
  if constexpr (P == operand_pair::source || P == operand_pair::source_destination || P == operand_pair::source_edge) {
    return src<on_source>;
  }
}
template <operand_pair P>
constexpr auto second() {
  if constexpr (P == operand_pair::source_destination) return dst<on_destination>;
  if constexpr (P == operand_pair::source_edge || P == operand_pair::destination_edge) return edge<on_edge>;
}

using at_source = operand<on_source, rows_of::source, operand_kind::wide>;
using at_destination = operand<on_destination, rows_of::destination, operand_kind::wide>;
using at_edge = operand<on_edge, rows_of::edge, operand_kind::wide>;
template <operand_pair P>
auto find_operands() {
  if constexpr (P == operand_pair::source) return std::tuple<at_source>{};
  if constexpr (P == operand_pair::destination) return std::tuple<at_destination>{};
  if constexpr (P == operand_pair::edge) return std::tuple<at_edge>{};
  if constexpr (P == operand_pair::source_destination) return std::tuple<at_source, at_destination>{};
  if constexpr (P == operand_pair::source_edge) return std::tuple<at_source, at_edge>{};
  if constexpr (P == operand_pair::destination_edge) return std::tuple<at_destination, at_edge>{};
}

/// Divisors are moved away from 0. The same function makes messages and reads them in float64.
template <operation Op, class A, class B>
constexpr auto combine(A const& a, B const& b) {
  if constexpr (Op == operation::add) return a + b;
  if constexpr (Op == operation::sub) return a - b;
  if constexpr (Op == operation::mul) return a * b;
  if constexpr (Op == operation::div) return a / (b + 2.0);
}

template <operand_pair P, operation Op>
constexpr auto message() {
  if constexpr (Op == operation::copy) {
    return first<P>();
  } else if constexpr (Op == operation::dot) {
    return dot(first<P>(), second<P>());
  } else {
    return combine<Op>(first<P>(), second<P>());
  }
}

}  // namespace table

/// One cell, compiled for one width: the widths are other tests' matter.
template <class Gather, table::operation Op, table::operand_pair P>
struct table_cell {
  using extents = static_extents<2, 12>;
  static constexpr char const* name = "a cell of the table";
  static constexpr auto message = table::message<P, Op>();
  static constexpr auto program = gather<Gather>(message);
  static constexpr bool repeats_terms = true;  // a destination's gradient is that of all its edges
  static constexpr operand_kind out_kind = Op == table::operation::dot ? operand_kind::per_head : operand_kind::wide;
  using operands = decltype(table::find_operands<P>());
  using gradients = std::conditional_t<table::is_single<P>, std::tuple<gradient_set<whole<0>>>,
                                       std::tuple<gradient_set<whole<0>, whole<(table::is_single<P> ? 0 : 1)>>>>;

  static auto reference(auto const& row) {
    auto const read = [](auto const& at) {
      if constexpr (Op == table::operation::copy) {
        return at(0);
      } else if constexpr (Op == table::operation::dot) {
        return at.sum_channels([](auto const& channel) { return channel(0) * channel(1); });
      } else {
        return table::combine<Op>(at(0), at(1));
      }
    };
    if constexpr (std::is_same_v<Gather, sum>) return row.sum(read);
    if constexpr (std::is_same_v<Gather, mean>) return row.mean(read);
    if constexpr (std::is_same_v<Gather, max>) return row.max(read);
    if constexpr (std::is_same_v<Gather, min>) return row.min(read);
    if constexpr (std::is_same_v<Gather, prod>) return row.prod(read);
  }
};

namespace table {

/// Calls f(type_tag<table_cell>) for the 18 cells of a gather.
template <class Gather, class F>
void for_each_cell(F const& f) {
  using enum operand_pair;
  auto const copy = [&]<operand_pair... P>() { (f(type_tag<table_cell<Gather, operation::copy, P>>{}), ...); };
  copy.template operator()<source, destination, edge>();
  auto const row = [&]<operand_pair P>() {
    [&]<operation... Op>() { (f(type_tag<table_cell<Gather, Op, P>>{}), ...); }
    .template operator()<operation::add, operation::sub, operation::mul, operation::div, operation::dot>();
  };
  row.template operator()<source_destination>();
  row.template operator()<source_edge>();
  row.template operator()<destination_edge>();
}

}  // namespace table
}  // namespace edgewise::testing
