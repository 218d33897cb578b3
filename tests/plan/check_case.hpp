// Judges runs of cases: values and gradients against the reference, and what every run must leave alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/core/error.hpp>
#include <edgewise/program/layout.hpp>
#include <edgewise/program/units.hpp>

#include "program_case.hpp"
#include "reference_row.hpp"
#include "support/graphs.hpp"
#include "support/random.hpp"
#include "support/sample.hpp"
#include "support/tolerance.hpp"

namespace edgewise::testing {

template <class Case>
constexpr draw draw_of() {
  if constexpr (requires { Case::values; }) {
    return Case::values;
  } else {
    return draw::uniform;
  }
}

template <class T>
std::vector<T> draw_values(std::size_t size, draw how, random_stream& random) {
  std::vector<T> values(size);
  for (T& x : values) {
    switch (how) {
      case draw::uniform:
        x = from_double<T>(random.uniform(-1, 1));
        break;
      case draw::grid:
        x = from_double<T>((random.below(33) - 16) / 16.0);
        break;
      case draw::factors: {
        double const size_of_factor = random.below(16) == 0 ? 0 : random.uniform(0.5, 1.5);
        x = from_double<T>(random.below(2) == 0 ? -size_of_factor : size_of_factor);
      }
    }
  }
  return values;
}

/// Numbers as storage of type S holds them.
template <class S, class T>
std::vector<T> rounded_values(std::vector<T> values) {
  for (T& x : values) x = static_cast<T>(rounded_to<S>(to_double(x)));
  return values;
}
template <class S, class T>
std::vector<S> values_stored_as(std::vector<T> const& values) {
  std::vector<S> result;
  for (T const& x : values) result.push_back(from_double<S>(to_double(x)));
  return result;
}

/// Fresh operands and an adjoint for a case.
template <class Case, class T>
run_request<T> draw_request(test_graph const& graph, width extents, random_stream& random) {
  run_request<T> request{.graph = &graph, .extents = extents};
  [&]<int... I>(std::integer_sequence<int, I...>) {
    auto const draw_operand = [&]<class O, class S>(O const&, std::type_identity<S>) {
      request.operands.push_back(rounded_values<S>(
          draw_values<T>(num_rows(O::rows, graph) * row_elements<O>(extents), draw_of<Case>(), random)));
    };
    (draw_operand(std::tuple_element_t<I, typename Case::operands>{},
                  std::type_identity<typename stored_operand<Case, T, I>::type>{}),
     ...);
  }
  (std::make_integer_sequence<int, num_operands<Case>>{});
  request.grad_out = rounded_values<typename stored_output<Case, T>::type>(draw_values<T>(
      static_cast<std::size_t>(num_out_rows<Case>(graph)) * out_extents<Case>(extents).elements(Case::out_kind),
      draw::uniform, random));
  return request;
}

template <class T>
reference::operands widened_operands(run_request<T> const& request) {
  reference::operands wide;
  for (auto const& values : request.operands) wide.push_back(widened(values));
  return wide;
}

template <class Case, class T>
reference::program_values reference_of(run_request<T> const& request) {
  return reference::evaluate<Case>(*request.graph, request.extents, widened_operands(request),
                                   widened(request.grad_out));
}

/// Equal to the bit, NaN and signs of zeros included.
template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
template <class T>
bool same_bits(std::vector<std::vector<T>> const& a, std::vector<std::vector<T>> const& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return false;
  }
  return true;
}

/// What an asked gradient must be.
template <class T>
expected_values expected_gradient(reference::program_values const& expected, run_request<T> const& request,
                                  asked_gradient const& asked) {
  expected_values gradient = asked.of == asked_gradient::whole    ? expected.whole(asked.operand)
                             : asked.of == asked_gradient::source ? expected.by_role.at(2 * asked.operand)
                                                                  : expected.by_role.at(2 * asked.operand + 1);
  // A destination-only operand is in its natural place; only vertex operands have a second one.
  if (asked.of == asked_gradient::destination && gradient.size() == 0)
    gradient = expected.by_role.at(2 * asked.operand);
  if (asked.accumulates) {
    auto const start = widened(request.operands.at(asked.operand));
    for (std::size_t i = 0; i < start.size(); ++i) {
      gradient.value[i] += start[i];
      gradient.scale[i] += std::abs(start[i]);
      gradient.terms[i] += 1;
    }
  }
  return gradient;
}

/// Where a row adds one number again and again, rounding errors point the same way and grow faster than by the square
/// root; even so an edge missing from 5000 is flagged.
template <class Case, class T>
tolerance_rule rule_for() {
  if constexpr (requires { Case::repeats_terms; }) return {.k = 16};
  return {.k = sizeof(T) == sizeof(double) ? 8.0 : 4.0};  // the reference itself rounds to double
}

/// All aggregations of a program, of each unit.
template <class Program>
struct aggregations_of {
  using type = typename Program::aggregation_types;
};
template <class... Unit>
struct aggregations_of<edgewise::detail::unit_program<Unit...>> {
  using type = concat_types<typename Unit::aggregation_types...>;
};
template <class Case>
using case_aggregations = typename aggregations_of<
    std::remove_cvref_t<decltype(edgewise::detail::lower_units<recompute>(Case::program))>>::type;

/// The backward pass of a softmax reads the output as it was stored (docs/numerics.md).
template <class Case, class T>
double epsilon_of_read_output() {
  bool const reads = []<class... Aggregation>(type_list<Aggregation...>) {
    return (Aggregation::is_softmax || ...);
  }(case_aggregations<Case>{});
  return reads ? number_format_of<typename stored_output<Case, T>::type>().epsilon : 0;
}

/// Numbers that a case multiplies are rounded to `multiplied_as`, where it has one (docs/numerics.md).
template <class Case>
double epsilon_of_factors() {
  if constexpr (requires { typename Case::multiplied_as; }) {
    return number_format_of<typename Case::multiplied_as>().epsilon;
  } else {
    return 0;
  }
}

/// What a run of a case must keep, without the case's type: judging is compiled once, not once per case.
template <class T>
struct case_promises {
  using compare_function = comparison (*)(std::vector<T> const&, expected_values const&, tolerance_rule const&);
  tolerance_rule rule;
  compare_function compare_out;
  tolerance_rule rule_of_gradients;
  std::vector<compare_function> compare_gradient;  // by operand
  std::vector<std::vector<asked_gradient>> sets;
  bool is_deterministic;
};

/// Compares values as storage of type S holds them.
template <class S, class T>
comparison compare_stored(std::vector<T> const& actual, expected_values const& expected, tolerance_rule const& rule) {
  return compare(values_stored_as<S>(actual), expected, rule);
}

template <class Case, class T>
case_promises<T> promises_of() {
  using compare_function = typename case_promises<T>::compare_function;
  auto rule = rule_for<Case, T>();
  auto rule_of_gradients = rule;
  rule.epsilon_of_read = epsilon_of_factors<Case>();
  rule_of_gradients.epsilon_of_read = std::max(epsilon_of_factors<Case>(), epsilon_of_read_output<Case, T>());
  auto const compare_gradient = []<int... I>(std::integer_sequence<int, I...>) {
    return std::vector<compare_function>{compare_stored<typename stored_gradient<Case, T, I>::type, T>...};
  }
  (std::make_integer_sequence<int, num_operands<Case>>{});
  auto const sets = []<class... S>(std::tuple<S...>*) {
    return std::vector<std::vector<asked_gradient>>{describe(S{})...};
  }(static_cast<typename Case::gradients*>(nullptr));
  return {.rule = rule,
          .compare_out = compare_stored<typename stored_output<Case, T>::type, T>,
          .rule_of_gradients = rule_of_gradients,
          .compare_gradient = compare_gradient,
          .sets = sets,
          .is_deterministic = std::is_same_v<typename sums_of<Case>::type, deterministic>};
}

/// Judges one run. The whole library's promises for every run: right values, nothing written outside of rows, nothing
/// allocated, and the same bits again, with and without a saved state.
template <class T>
void check_promises(case_promises<T> const& promises, run_request<T> const& request, run_result<T> const& result,
                    reference::program_values const& expected) {
  CHECK(result.damage == "");
  CHECK(result.num_allocations == 0);
  CHECK(promises.compare_out(result.out, expected.out, promises.rule));
  CHECK(same_bits(result.out, result.out_without_saved));
  CHECK(same_bits(result.out, result.out_again));
  if (request.asked_set < 0) return;
  auto const& asked = promises.sets.at(request.asked_set);
  REQUIRE(result.gradients.size() == asked.size());
  for (std::size_t k = 0; k < asked.size(); ++k) {
    INFO("gradient " << k << " of set " << request.asked_set << ": operand " << asked[k].operand);
    CHECK(promises.compare_gradient.at(asked[k].operand)(
        result.gradients[k], expected_gradient(expected, request, asked[k]), promises.rule_of_gradients));
  }
  if (promises.is_deterministic) CHECK(same_bits(result.gradients, result.gradients_again));
}
template <class Case, class T>
void check_result(run_request<T> const& request, run_result<T> const& result,
                  reference::program_values const& expected) {
  check_promises(promises_of<Case, T>(), request, result, expected);
}

/// Runs a case with every set of gradients and judges all of it. `run` is run_on_host<Case, T> or run_on_device<Case,
/// T>.
template <class Case, class T, class Run>
void check_whole_request(Run const& run, run_request<T> request) {
  INFO(Case::name << " on " << request.graph->name << ", " << request.extents.heads << " x " << request.extents.channels
                  << ", row padding " << request.layout.row_padding << ", offset " << request.layout.offset);
  auto const expected = reference_of<Case>(request);
  for (request.asked_set = -1; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
    check_result<Case>(request, run(request), expected);
  }
}

/// `check_whole_request`, if the request is sampled.
template <class Case, class T, class Run>
void check_request(Run const& run, run_request<T> const& request) {
  if (is_sampled()) check_whole_request<Case>(run, request);
}

/// Checks that values and gradients are the same to the bit for any number of threads. `request`: with a set of
/// gradients.
template <class Run, class T>
void check_any_threads(Run const& run, run_request<T> request) {
  request.threads = 1;
  auto const one = run(request);
  for (int const threads : {2, 3, 7, 16}) {
    request.threads = threads;
    auto const more = run(request);
    INFO(threads << " threads");
    CHECK(same_bits(one.out, more.out));
    CHECK(same_bits(one.gradients, more.gradients));
  }
}

/// Rows of every length below, at and above what vectors, chunks and groups hold.
inline std::vector<width> all_widths() {
  return {{1, 1},    {1, 3}, {1, 7}, {1, 8}, {1, 32}, {1, 33}, {1, 64}, {1, 128}, {1, 200}, {1, 256}, {1, 602},
          {1, 1433}, {4, 8}, {8, 8}, {3, 5}, {2, 33}, {4, 64}, {3, 12}, {8, 32},  {4, 128}, {6, 40},  {3, 602}};
}

/// A graph with its edges turned around.
inline test_graph reversed(test_graph const& graph, std::string name) {
  edge_list edges;
  for (int k = 0; k < graph.num_edges(); ++k) edges.push_back({graph.destinations[k], graph.sources[k]});
  return make_test_graph(std::move(name), graph.num_destinations, graph.num_sources, edges);
}

/// The battery, and one source of 5000 edges.
inline std::vector<test_graph> const& program_battery() {
  static std::vector<test_graph> const graphs = [] {
    auto all = battery();
    all.push_back(reversed(one_hub(), "one hub, reversed"));
    return all;
  }();
  return graphs;
}

template <class Case>
constexpr bool needs_square() {
  return []<class... O>(std::tuple<O...>*) {
    return ((O::rows == rows_of::vertex) || ...);
  }(static_cast<typename Case::operands*>(nullptr));
}

/// The extents that a case can have at a width: operands of few axes have fewer.
template <class Case>
width extents_of(width w) {
  bool heads = false, channels = false;
  [&]<class... O>(std::tuple<O...>*) {
    heads = (has_heads(O::kind) || ...);
    channels = (has_channels(O::kind) || ...);
  }(static_cast<typename Case::operands*>(nullptr));
  return {heads ? w.heads : 1, channels ? w.channels : 1};
}

template <class Case>
bool fits(test_graph const& graph) {
  return graph.is_square() || !needs_square<Case>();
}

/// A graph, a width, and how arrays are laid out.
struct battery_run {
  test_graph const* graph;
  width extents;
  array_layout layout = {};
  bool wide_offsets = false;
  laid_out lays_out = {};
};

/// Every graph at some widths, every width on some graphs, and rows that are padded, shifted or have 64-bit offsets.
inline std::vector<battery_run> battery_runs(std::vector<test_graph> const& graphs) {
  std::vector<battery_run> runs;
  for (auto const& graph : graphs) {
    for (width const w : {width{1, 3}, width{4, 8}}) runs.push_back({&graph, w});
  }
  static auto const multi = multi_edges();
  static auto const few = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  // dot takes the reference channels^2 steps
  for (width const w : all_widths()) runs.push_back({w.channels > 300 ? &few : &multi, w});
  static auto const middle = directed();
  // {2, 5} to {4, 1}: heads of few channels that four threads hold.
  for (width const w :
       {width{3, 5}, width{2, 33}, width{1, 64}, width{3, 12}, width{3, 48}, width{2, 5}, width{3, 3}, width{4, 1}})
    runs.push_back({&middle, w});
  runs.push_back({&middle, {1, 16}, {.row_padding = 4}});
  runs.push_back({&middle, {4, 8}, {.row_padding = 3}});
  runs.push_back({&middle, {1, 16}, {.row_padding = 4, .offset = 1}});
  runs.push_back({&middle, {1, 33}, {.row_padding = 0, .offset = 1}});
  // Gaps that fill rows up to whole words, and may be written or not.
  for (width const w : {width{1, 7}, width{3, 5}, width{1, 33}, width{1, 101}, width{1, 602}}) {
    int const gap = (w.heads * w.channels + 3) / 4 * 4 - w.heads * w.channels;
    runs.push_back({w.channels > 300 ? &few : &middle, w, {.row_padding = gap, .is_padded = true}});
  }
  for (width const w : {width{1, 7}, width{3, 5}, width{1, 33}, width{1, 101}})
    runs.push_back({&middle, w, {.row_padding = (w.heads * w.channels + 3) / 4 * 4 - w.heads * w.channels}});
  runs.push_back({&middle, {1, 7}, {.row_padding = 1, .offset = 1, .is_padded = true}});
  // One of the arrays has no gaps.
  for (laid_out const lays_out : {laid_out{.operands = false}, laid_out{.output = false}, laid_out{.gradients = false}})
    runs.push_back({&middle, {1, 7}, {.row_padding = 1, .is_padded = true}, false, lays_out});
  runs.push_back({&middle, {2, 12}, {}, true});
  return runs;
}

template <class Case, class T, class Run>
void check_case(Run const& run, std::vector<test_graph> const& graphs = program_battery()) {
  random_stream random(Case::name);
  for (auto const& at : battery_runs(graphs)) {
    if (!fits<Case>(*at.graph) || (at.wide_offsets && !has_wide_offsets<Case>)) continue;
    auto request = draw_request<Case, T>(*at.graph, extents_of<Case>(at.extents), random);
    request.layout = at.layout;
    request.lays_out = at.lays_out;
    request.wide_offsets = at.wide_offsets;
    check_request<Case, T>(run, request);
  }
}

/// Rows that devices cut into pieces, at widths of one and of several tiles.
template <class Case, class T, class Run>
void check_cut_rows(Run const& run) {
  random_stream random(std::string(Case::name) + ", cut rows");
  // A dot takes the reference channels^2 steps.
  constexpr bool is_square_in_channels = edgewise::detail::any_aggregation_sums_channels<case_aggregations<Case>>;
  static std::vector<test_graph> const graphs{one_hub(), reversed(one_hub(), "one hub, reversed"), random_skewed()};
  for (auto const& graph : graphs) {
    for (width const w : is_square_in_channels ? std::vector<width>{{1, 16}, {2, 33}}
                                               : std::vector<width>{{1, 33}, {1, 256}, {8, 32}, {3, 12}, {1, 602}}) {
      check_request<Case, T>(run, draw_request<Case, T>(graph, extents_of<Case>(w), random));
    }
    for (width const w : {width{1, 5}, width{1, 7}, width{1, 318}}) {  // the last one in two tiles, as floats
      if (is_square_in_channels && w.channels > 100) continue;
      auto filled_up = draw_request<Case, T>(graph, extents_of<Case>(w), random);
      filled_up.layout = {.row_padding = (w.channels + 3) / 4 * 4 - w.channels, .is_padded = w.channels != 5};
      check_request<Case, T>(run, filled_up);
    }
  }
}

/// Rows wider than any group: gradients that sum over channels or heads are added up tile by tile.
template <class Case, class T, class Run>
void check_wide_rows(Run const& run) {
  random_stream random(std::string(Case::name) + ", wide rows");
  auto const graph = make_test_graph("few edges", 3, 3, {{0, 1}, {2, 1}, {1, 0}, {1, 1}});
  for (width const w : {width{1, 20000}, width{2, 9000}}) {
    check_request<Case, T>(run, draw_request<Case, T>(graph, extents_of<Case>(w), random));
  }
}

}  // namespace edgewise::testing
