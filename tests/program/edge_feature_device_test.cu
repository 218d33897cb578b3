#include "edge_feature_device_test.hpp"

#include <algorithm>

#include "edge_feature_cases.hpp"
#include "plan/device_machine.cuh"
#include "support/count_launches.cuh"

namespace edgewise::testing {

template run_result<float> run_on_device<attention_of_edge_features>(run_request<float> const&);

edge_feature_launches count_edge_features(test_graph const& graph, int heads, int channels) {
  int const sources = graph.num_sources, destinations = graph.num_destinations, edges = graph.num_edges();
  auto const size = static_cast<std::size_t>(std::max({sources, destinations, edges}) * heads * channels);
  device_graph<> const arrays(graph);
  device_array<float> const values(std::vector<float>(size, 0.5f));
  device_array<random_state> const random(std::vector<random_state>{mask_state});
  guarded_device_output<float> result(size), dq(size), dk(size), dv(size), dek(size), dev(size), db(size);
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  auto const rows = [&](auto* data, int count) { return wide(data, count, heads, channels); };
  auto const in = bindings(bind<q>(rows(values.data(), destinations)), bind<k>(rows(values.data(), sources)),
                           bind<v>(rows(values.data(), sources)), bind<ek>(rows(values.data(), edges)),
                           bind<ev>(rows(values.data(), edges)), bind<b>(per_head(values.data(), edges, heads)),
                           bind<drop>(random_numbers(random.data(), 5)));
  auto const plan = fuse(edgewise::graph{arrays.csr(), arrays.csc()}, automatic{}, attention_of_edge_features::program)
                        .plan(exec, in);
  auto saved = plan.make_saved(exec);
  edge_feature_launches counts;
  counts.forward =
      count_launches(stream.get(), [&] { plan.forward(exec, in, out(rows(result.data(), destinations)), saved); });
  counts.backward = count_launches(stream.get(), [&] {
    plan.backward(exec, in, saved, grad_out(rows(values.data(), destinations)), grad<q>(rows(dq.data(), destinations)),
                  grad<k>(rows(dk.data(), sources)), grad<v>(rows(dv.data(), sources)),
                  grad<ek>(rows(dek.data(), edges)), grad<ev>(rows(dev.data(), edges)),
                  grad<b>(per_head(db.data(), edges, heads)));
  });
  return counts;
}

}  // namespace edgewise::testing
