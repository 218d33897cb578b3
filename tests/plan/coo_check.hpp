// Judges scattering where edges arrive in any order: exact sums must be right and the same to the bit, others right.
#pragma once

#include "check_case.hpp"

namespace edgewise::testing {

/// Operands are drawn on the grid by the case, and adjoints here: float sums of their products are exact in any order.
template <class Case, class T, class Run>
void check_scattered(Run const& run) {
  static_assert(Case::values == draw::grid, "check_scattered: only sums of multiples of 1/16 are exact in any order");
  random_stream random(Case::name);
  auto const check = [&](test_graph const& graph, width w, array_layout layout = {}, bool wide_offsets = false) {
    if (!fits<Case>(graph)) return;
    auto request = draw_request<Case, T>(graph, extents_of<Case>(w), random);
    request.grad_out = draw_values<T>(request.grad_out.size(), draw::grid, random);
    request.layout = layout;
    request.wide_offsets = wide_offsets;
    check_request<Case, T>(run, request);
  };
  for (auto const& graph : program_battery()) {
    for (width const w : {width{1, 3}, width{4, 8}}) check(graph, w);
  }
  static auto const few = multi_edges();
  for (width const w : all_widths()) {
    if (w.channels <= 300) check(few, w);
  }
  static auto const middle = directed();
  for (width const w : {width{3, 5}, width{2, 33}, width{1, 64}, width{3, 12}, width{1, 300}}) check(middle, w);
  check(middle, {1, 16}, {.row_padding = 4});
  check(middle, {4, 8}, {.row_padding = 3});
  check(middle, {1, 16}, {.row_padding = 4, .offset = 1});
  check(middle, {1, 33}, {.row_padding = 0, .offset = 1});
  if constexpr (has_wide_offsets<Case>) check(middle, {2, 12}, {}, true);
}

/// Everything that `check_result` asks for but the same bits again: sums are added as edges arrive.
template <class Case, class T, class Run>
void check_all_but_bits(Run const& run, run_request<T> request) {
  if (!is_sampled()) return;
  INFO(Case::name << " on " << request.graph->name << ", " << request.extents.heads << " x "
                  << request.extents.channels);
  auto const expected = reference_of<Case>(request);
  for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
    auto result = run(request);
    for (auto const& other : {result.out_again, result.out_without_saved}) {
      using stored = typename stored_output<Case, T>::type;
      CHECK(compare(values_stored_as<stored>(other), expected.out, rule_for<Case, T>()));
    }
    result.out_again = result.out_without_saved = result.out;
    result.gradients_again = result.gradients;
    check_result<Case>(request, result, expected);
  }
}

/// `check_all_but_bits` on graphs, with rows of some widths on each, and of many widths on small ones.
template <class Case, class T, class Run>
void check_inexact_scattered(Run const& run, std::vector<test_graph> const& graphs) {
  random_stream random(std::string(Case::name) + " over coo");
  for (auto const& graph : graphs) {
    for (width const w : {width{1, 3}, width{4, 8}}) {
      check_all_but_bits<Case>(run, draw_request<Case, T>(graph, extents_of<Case>(w), random));
    }
  }
  static auto const few = multi_edges();
  for (width const w : all_widths()) {
    if (w.channels <= 300) check_all_but_bits<Case>(run, draw_request<Case, T>(few, extents_of<Case>(w), random));
  }
  static auto const middle = directed();
  for (width const w : {width{2, 33}, width{9, 4}, width{40, 3}, width{3, 12}}) {
    check_all_but_bits<Case>(run, draw_request<Case, T>(middle, extents_of<Case>(w), random));
  }
}

}  // namespace edgewise::testing
