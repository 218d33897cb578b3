// What docs/design.md says that a plan takes, in bytes, and graphs to hold it to.
#pragma once

#include <algorithm>

#include "check_case.hpp"
#include "gather/max_cases.hpp"
#include "gather/prod_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "gather/sum_cases.hpp"
#include "host_slots.hpp"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

/// A program's bytes per row, as the table of docs/design.md gives them for float, in words of 4 bytes: for each
/// element of the output and for each head.
struct bytes_of_program {
  int saved_words = 0;       ///< per element
  int saved_head_words = 0;  ///< per head
  int prepared_words = 0;
  int prepared_head_words = 0;
  int state_words = 1;  ///< per element of a slot, forward
  int state_head_words = 0;
  int gradient_words = 1;   ///< per element of a slot, backward: the most that one grouping's operands have
  int parameter_words = 0;  ///< per element of one row
  int argument_words = 0;   ///< per element of a source's operand: sums of gradients along argument edges
};

template <class Case>
inline constexpr bytes_of_program bytes_of{};
template <>
inline constexpr bytes_of_program bytes_of<mean_of_weighted>{.prepared_words = 1};
template <class Gather>
inline constexpr bytes_of_program bytes_of<extremum_of_weighted<Gather>>{
    .saved_words = 2, .state_words = 2, .argument_words = 2};
template <>
inline constexpr bytes_of_program bytes_of<product_of_neighbors>{
    .saved_words = 2, .prepared_words = 1, .state_words = 2};
template <>
inline constexpr bytes_of_program bytes_of<deviation_of_weighted>{
    .saved_words = 2, .prepared_words = 1, .state_words = 4};
template <>
inline constexpr bytes_of_program bytes_of<gat>{
    .saved_head_words = 2, .prepared_head_words = 1, .state_head_words = 2, .gradient_words = 2};
template <>
inline constexpr bytes_of_program bytes_of<relu_of_biased_sum>{
    .saved_words = 1, .prepared_words = 1, .parameter_words = 1};
template <>
inline constexpr bytes_of_program bytes_of<mean_and_self>{.prepared_words = 1};
template <>
inline constexpr bytes_of_program bytes_of<attention_layer>{.saved_words = 1,
                                                            .saved_head_words = 2,
                                                            .prepared_words = 1,
                                                            .prepared_head_words = 1,
                                                            .state_head_words = 2,
                                                            .gradient_words = 2,
                                                            .parameter_words = 1};

/// Rounding of up to four arrays to 256 bytes.
inline constexpr std::size_t rounding = 4 * 256;

inline std::size_t bytes_in_rows(std::size_t rows, width w, int words, int head_words) {
  return 4 * rows * static_cast<std::size_t>(w.heads) * static_cast<std::size_t>(words * w.channels + head_words);
}

template <class Case>
std::size_t most_saved(test_graph const& graph, width w) {
  auto const of = bytes_of<Case>;
  return bytes_in_rows(graph.num_destinations, w, of.saved_words, of.saved_head_words) + rounding;
}

/// Slots of a device: at most half a slot per row, each rounded to 16 bytes per array, and one counter per tile of 128
/// channels.
template <class Case>
std::size_t most_workspace(test_graph const& graph, width w, bool cuts_rows, int num_partials) {
  auto const of = bytes_of<Case>;
  std::size_t const slots = cuts_rows
                                ? static_cast<std::size_t>(std::max(graph.num_destinations, graph.num_sources)) / 2
                                : most_host_slots(graph);
  std::size_t const forward = bytes_in_rows(slots, w, of.state_words, of.state_head_words) + slots * 3 * 16;
  std::size_t const backward = bytes_in_rows(graph.num_destinations, w, of.prepared_words, of.prepared_head_words) +
                               bytes_in_rows(slots, w, of.gradient_words, 0) + slots * 3 * 16 + rounding;
  std::size_t const counters = 4 * slots * static_cast<std::size_t>(w.heads * ((w.channels + 127) / 128));
  std::size_t const partials =
      static_cast<std::size_t>(num_partials) * (bytes_in_rows(1, w, of.parameter_words, 0) + 16);
  std::size_t const picked =
      of.argument_words > 0 ? bytes_in_rows(graph.num_sources, w, of.argument_words, 0) + rounding : 0;
  return std::max(forward, backward) + counters + partials + picked;
}

/// The same vertices with few and with twenty times as many edges, each with hubs that devices cut.
inline std::vector<test_graph> few_and_many_edges() { return {random_skewed(400, 2000), random_skewed(400, 40000)}; }

/// Schedule: 32 bytes per piece, and a counter, of both groupings.
inline std::size_t most_schedule(test_graph const& graph) {
  return 40 * static_cast<std::size_t>(graph.num_destinations + graph.num_sources) / 2 + 64;
}

/// What a plan on a device takes while it reads the degrees of both groupings, before it takes anything else.
inline constexpr std::size_t most_while_reading = 36 * 1024;

/// Holds a case to its bounds. `cuts_rows`: on a device.
template <class Case, class Run>
void check_memory(Run const& run, bool cuts_rows, int num_partials) {
  random_stream random("memory");
  for (auto const& graph : few_and_many_edges()) {
    for (width const w : {width{1, 64}, width{4, 16}}) {
      auto const extents = extents_of<Case>(w);
      auto request = draw_request<Case, float>(graph, extents, random);
      request.asked_set = 0;
      INFO(Case::name << ", " << graph.num_edges() << " edges, " << w.heads << " x " << w.channels);
      auto const result = run(request);
      CHECK(result.num_allocations == 0);
      CHECK(result.saved_bytes <= most_saved<Case>(graph, extents));
      CHECK(result.workspace_bytes <= most_workspace<Case>(graph, extents, cuts_rows, num_partials));
      // Nothing else is ever taken: no copy, nothing of the size of the edges.
      std::size_t const kept = result.saved_bytes + result.workspace_bytes;
      CHECK(result.peak_bytes <=
            (cuts_rows ? std::max(kept + most_schedule(graph), most_while_reading) : kept + most_host_tables(graph)));
    }
  }
}

}  // namespace edgewise::testing
