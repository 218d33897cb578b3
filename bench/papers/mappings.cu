// bench_mappings: access to neighbors' features by mapping and width, as Seastar's figure 12 (EuroSys 2021) asks on
// reddit: what feature-adaptive groups and sorting by degree bring. papers/README.md says what is left out.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../edgewise_program.cuh"
#include "../harness/device_session.cuh"
#include "../harness/program.hpp"
#include "../harness/spot_check.hpp"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times out[v,:] = sum of feature[source of e,:], the access to all neighbors' features, with whole rows and with "
    "cut "
    "rows,\nas stored and in the order of degree, cut rows taken from a queue, and equal shares of the edges. Every "
    "result is checked before "
    "it "
    "is timed.\nThe figure's widths: --names reddit --channels 1,2,4,8,16,32,64,128,256,602";

struct feature;
constexpr auto neighbor_sum = gather<sum>(src<feature>);

class access_case {
public:
  access_case(device_graph const& graph, std::int32_t channels, cudaStream_t stream)
      : graph_(&graph),
        channels_(channels),
        stream_(stream),
        features_(random_array<float>(static_cast<std::size_t>(graph.num_sources()) * channels, feature_seed, stream)),
        out_(make_array<float>(static_cast<std::size_t>(graph.num_destinations()) * channels, stream)) {}

  auto inputs() const { return bindings(bind<feature>(wide(features_.data(), graph_->num_sources(), channels_))); }
  auto output() { return wide(out_.data(), graph_->num_destinations(), channels_); }
  plan_cost cost() { return program_cost(*graph_, neighbor_sum, inputs(), output(), output(), false); }

  template <class Mapping>
  candidate with(char const* name, Mapping const& mapping) {
    auto const kernel = fuse(edgewise::graph{graph_->csr()}, mapping, neighbor_sum);
    auto const memory = make_counted_memory();
    return {name,
            [in = inputs(), y = output(), kernel, memory, stream = stream_]() -> launch_function {
              cuda const exec{.stream = stream, .memory = memory.get()};
              auto plan = std::make_shared<decltype(kernel.plan(exec, in))>(kernel.plan(exec, in));
              return [memory, plan, in, y](cudaStream_t s) { plan->forward(cuda{.stream = s}, in, edgewise::out(y)); };
            },
            memory};
  }

  /// Poisons the output, runs `launch` once and compares sampled rows with float64. Synchronises.
  verdict check(launch_function const& launch) {
    poison(out_, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    error_meter meter(element<float>::epsilon);
    auto const one = [](std::uint64_t) { return 1.0; };
    auto const value = [](std::uint64_t i) { return double{random_value(feature_seed, i)}; };
    host_grouping const& rows = graph_->host().by_destination;
    for (std::int32_t row : sampled_rows(rows, num_sampled_rows)) {
      auto const expected = weighted_sum_row(rows, row, channels_, one, value);
      auto const values = download(out_, static_cast<std::size_t>(row) * channels_, channels_, stream_);
      for (std::size_t channel = 0; channel < values.size(); ++channel) {
        meter.add(values[channel], expected.values[channel], expected.magnitudes[channel], expected.terms);
      }
    }
    return {meter.passed(), meter.worst_error()};
  }

private:
  static constexpr std::uint64_t feature_seed = 2;
  static constexpr int num_sampled_rows = 60;

  device_graph const* graph_;
  std::int32_t channels_;
  cudaStream_t stream_;
  device_buffer<float> features_, out_;
};

candidate variant_of(access_case& problem, std::string const& impl) {
  if (impl == "whole") return problem.with("whole", vertex_balanced{});
  if (impl == "whole, by degree") return problem.with("whole, by degree", vertex_balanced{.order = row_order::degree});
  if (impl == "cut") return problem.with("cut", feature_adaptive_group{});
  if (impl == "cut, by degree")
    return problem.with("cut, by degree", feature_adaptive_group{.order = row_order::degree});
  if (impl == "queue") return problem.with("queue", work_queue{.order = row_order::stored});
  if (impl == "queue, by degree") return problem.with("queue, by degree", work_queue{});
  return problem.with("equal shares", edge_balanced{});
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (int const channels : s.chosen.channels) {
      for (std::string const impl :
           {"whole", "whole, by degree", "cut", "cut, by degree", "queue", "queue, by degree", "equal shares"}) {
        register_case(s, edgewise::detail::text("neighbor_sum/", graph, "/channels:", channels, "/", impl),
                      [=, &s](benchmark::State& state) {
                        access_case problem(s.graph(graph), channels, s.stream);
                        result r;
                        r.graph = graph;
                        r.op = "neighbor_sum";
                        r.channels = channels;
                        r.dtype = "f32";
                        r.pass = "forward";
                        r.impl = impl;
                        r.cost = problem.cost();
                        measure_fastest(state, s, r, {variant_of(problem, impl)},
                                        [&](launch_function const& f) { return problem.check(f); });
                      });
      }
    }
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_mappings", argc, argv, edgewise::bench::run);
}
