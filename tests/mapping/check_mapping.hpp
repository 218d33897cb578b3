// The laws of mappings on programs: every edge once, and results that depend on the mapping by rounding at most.
#pragma once

#include "mapped.hpp"
#include "plan/check_case.hpp"
#include "support/sample.hpp"

namespace edgewise::testing {

/// Runs `exact_sum` with a mapping and compares all bits. `run` is run_on_host<Case, float> or run_on_device<Case,
/// float>.
template <class Case, class Run>
void check_every_edge_once(Run const& run, std::vector<test_graph> const& graphs = mapping_graphs()) {
  random_stream random("every edge once");
  for (auto const& graph : graphs) {
    // Groups of 2, 4, 8, 16 and 32 threads, rows not aligned, two tiles.
    for (width const w : {width{1, 8}, {1, 16}, {1, 32}, {4, 16}, {1, 128}, {1, 3}, {1, 33}, {1, 300}}) {
      if (!is_sampled()) continue;
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto request = draw_request<Case, float>(graph, w, random);
      request.grad_out = draw_values<float>(request.grad_out.size(), draw::grid, random);
      auto const expected = reference_of<Case>(request);
      for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
        auto const result = run(request);
        CHECK(result.damage == "");
        CHECK(result.num_allocations == 0);
        CHECK(compare(result.out, expected.out, exactly));
        for (int k = 0; k < 2; ++k) {
          INFO("gradient of operand " << k << ", set " << request.asked_set);
          asked_gradient const asked{k, asked_gradient::whole, request.asked_set == 1};
          CHECK(compare(result.gradients.at(k), expected_gradient(expected, request, asked), exactly));
        }
      }
    }
  }
}

/// A case against its reference on what mappings split differently; repetitions give the same bits.
template <class Case, class Run>
void check_mapping(Run const& run, std::vector<test_graph> const& graphs = mapping_graphs()) {
  random_stream random(std::string(Case::name) + ", mapped");
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    for (width const w : {width{1, 3}, width{1, 16}, width{4, 8}, width{2, 32}}) {
      check_request<Case, float>(run, draw_request<Case, float>(graph, extents_of<Case>(w), random));
    }
  }
}

/// A case against its reference on rows that tiles of 64 elements divide or end in a part of one, and on rows that are
/// not aligned and stay whole.
template <class Case, class Run>
void check_tiles(Run const& run, std::vector<test_graph> const& graphs, bool wide_offsets = false) {
  random_stream random(std::string(Case::name) + ", in tiles");
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    for (width const w : {width{1, 128}, width{4, 64}, width{1, 132}, width{1, 129}}) {
      auto request = draw_request<Case, float>(graph, extents_of<Case>(w), random);
      request.wide_offsets = wide_offsets;
      check_request<Case, float>(run, request);
    }
  }
}

/// Two ways to run a case give the same bits on every graph. Multiples of 1/16 as the output's adjoint make the
/// gradients of extrema exact sums, whatever their order: that of arguments that differ would show.
template <class Case, class First, class Second>
void check_same_bits(First const& first, Second const& second, draw adjoints = draw::uniform,
                     std::vector<test_graph> const& graphs = mapping_graphs(),
                     std::vector<width> const& widths = {{1, 3}, {1, 16}, {4, 16}}) {
  random_stream random(std::string(Case::name) + ", same bits");
  for (auto const& graph : graphs) {
    if (!fits<Case>(graph)) continue;
    for (width const w : widths) {
      if (!is_sampled()) continue;
      INFO(graph.name << ", " << w.heads << " x " << w.channels);
      auto request = draw_request<Case, float>(graph, extents_of<Case>(w), random);
      request.grad_out = draw_values<float>(request.grad_out.size(), adjoints, random);
      for (request.asked_set = 0; request.asked_set < num_gradient_sets<Case>; ++request.asked_set) {
        auto const a = first(request);
        auto const b = second(request);
        CHECK(same_bits(a.out, b.out));
        CHECK(same_bits(a.gradients, b.gradients));
      }
    }
  }
}

}  // namespace edgewise::testing
