// Programs that edges may be scattered for.
#pragma once

#include <type_traits>

#include <edgewise/pass/coo_forward_pass.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/stashing_program.hpp>

namespace edgewise::inline v0::detail {

/// What edges that are not grouped add to each other's rows.
template <class Accumulator>
struct require_plain_numbers {
  static_assert(!has_tangent<Accumulator>,
                "with_tangent: rows over graph{coo} are added to by many edges at a time, which numbers with tangents "
                "cannot be; convert with to_csr (core/with_tangent.hpp)");
  static constexpr bool ok = true;
};

/// One gather with nothing above it and no virtual self edge?
template <class Program>
inline constexpr bool is_one_gather =
    Program::num_aggregations == 1 && !Program::has_self &&
    std::is_same_v<typename Program::epilogue_type, leaf<role::destination, aggregation_value<0>>>;

constexpr bool is_extremum_form(scatter_form form) {
  return form == scatter_form::largest || form == scatter_form::smallest;
}

/// May edges be scattered for a program?
template <class Program, class Accumulator>
constexpr bool is_scatterable() {
  constexpr scatter_form form = aggregation_scatter_form<only_aggregation<Program>>;
  return is_one_gather<Program> && form != scatter_form::none && stashed_of<Program>::type::size == 0 &&
         handing_of<Program> == handing::never && (!is_extremum_form(form) || std::is_same_v<Accumulator, float>);
}

/// Refuses, reason by reason, a program that has none.
template <class Program, class Accumulator>
struct require_scatter {
  static constexpr bool is_one_gather = detail::is_one_gather<Program>;
  static constexpr scatter_form form = aggregation_scatter_form<only_aggregation<Program>>;
  static_assert(is_one_gather,
                "graph{coo}: edges that are not grouped are scattered into one gather with nothing above it and no "
                "with_self; convert with to_csr for this program (plan/coo_program.hpp)");
  static_assert(
      !is_one_gather || form != scatter_form::none,
      "graph{coo}: this gather has no atomic form, only sum (of a softmax too), max and min have; convert with to_csr "
      "(gather/scatter_form.hpp)");
  static_assert(
      !is_extremum_form(form) || std::is_same_v<Accumulator, float>,
      "graph{coo}: max and min are scattered as 64-bit words of a float and its edge; store operands as float or "
      "convert with to_csr (pass/scatter_word.hpp)");
  static_assert(stashed_of<Program>::type::size == 0,
                "stash: over graph{coo} everything is computed again; convert with to_csr to keep values of edges "
                "(program/stash.hpp)");
  static_assert(handing_of<Program> == handing::never,
                "hand_over: over graph{coo} nothing is handed from one traversal to another; convert with to_csr "
                "(program/hand_over.hpp)");
  static constexpr bool ok = true;
};

}  // namespace edgewise::inline v0::detail
