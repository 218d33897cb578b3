#include "workload_device_test.hpp"

#include <edgewise/edgewise.cuh>

#include "program/attention_cases.hpp"
#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {

/// Answers with what it is told.
struct telling {
  static constexpr char const* name = "telling";
  row_split split(workload work) const {
    return {.max_edges = 1000 + work.groups.half,
            .threads = work.groups.has_softmax ? group_threads::half : group_threads::all};
  }
};

namespace {

struct h;
struct w;

template <class Program, class In>
told ask(device_graph<> const& arrays, Program const& program, In const& in) {
  device_stream const stream;
  auto const policy =
      fuse(graph{arrays.csr(), arrays.csc()}, telling{}, program).plan(cuda{.stream = stream.get()}, in).policy();
  stream.synchronize();
  bool const has_softmax = policy.by_destination.threads == group_threads::half;
  return {policy.by_destination.max_edges - 1000, policy.by_source.max_edges - 1000, has_softmax};
}

template <class T>
told ask_sum(test_graph const& edges, width rows) {
  device_graph<> const arrays(edges);
  // Plans read no operands.
  auto const vertices =
      upload(std::vector<T>(static_cast<std::size_t>(edges.num_sources) * rows.heads * rows.channels));
  auto const weights = upload(std::vector<float>(static_cast<std::size_t>(edges.num_edges())));
  return ask(arrays, gather<sum>(edge<w> * src<h>),
             bindings(bind<h>(wide(vertices.data(), edges.num_sources, rows.heads, rows.channels)),
                      bind<w>(per_row(weights.data(), edges.num_edges()))));
}

}  // namespace

told told_of_sum(test_graph const& edges, width rows) { return ask_sum<float>(edges, rows); }
told told_of_bfloat16_sum(test_graph const& edges, width rows) { return ask_sum<bfloat16>(edges, rows); }
told told_of_float16_sum(test_graph const& edges, width rows) { return ask_sum<float16>(edges, rows); }

told told_of_transformer(test_graph const& edges, width rows) {
  device_graph<> const arrays(edges);
  auto const vertices =
      upload(std::vector<float>(static_cast<std::size_t>(edges.num_sources) * rows.heads * rows.channels));
  auto const all = wide(vertices.data(), edges.num_sources, rows.heads, rows.channels);
  return ask(arrays, transformer::program, bindings(bind<q>(all), bind<k>(all), bind<v>(all)));
}

bool has_half_groups_at_all() { return !edgewise::detail::has_few_geometries; }

}  // namespace edgewise::testing
