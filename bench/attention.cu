// bench_attention: graph transformer, without and with features of edges, GAT and GATv2, forward and backward (all
// gradients). Peers are compared with by
// tables.py --recorded: their times were taken in other programs.
#include <string>

#include <edgewise/core/float16.hpp>

#include "edgewise_attention.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"

namespace {

using namespace edgewise::bench;

constexpr char const* description =
    "Times out[v,h,:] = sum_e softmax(score_e)[h] * value[source of e,h,:] and all its gradients for four scores.\n"
    "Reports device time of one launch: many launches in one CUDA graph, median of the replays, warm L2. Every result "
    "is\nchecked before it is timed.";

template <class T>
void measure(benchmark::State& state, device_session& s, std::string const& graph, attention_shape shape,
             std::string const& pass) {
  bool const backward = pass == "backward";
  attention_case<T> problem(s.graph(graph), shape, s.stream);
  result r;
  r.graph = graph;
  r.op = form_name(shape.form);
  r.heads = shape.heads;
  r.channels = shape.channels;
  r.dtype = element<T>::name;
  r.pass = pass;
  r.impl = "edgewise";
  bool const has_feature = shape.has_feature();
  r.cost = has_feature ? edge_attention_cost(problem, backward) : attention_cost(problem, backward);
  measure_fastest(state, s, r,
                  has_feature ? edgewise_edge_attention(problem, backward, s.stream)
                              : edgewise_attention(problem, backward, s.stream),
                  [&](launch_function const& f) { return problem.check(backward, f); });
}

template <class T>
void register_cases(device_session& s, std::string const& graph) {
  for (attention_form form :
       {attention_form::transformer, attention_form::gat, attention_form::gatv2, attention_form::edge_transformer}) {
    for (std::string const& pass : s.chosen.passes) {
      for (row_shape const& shape : s.chosen.shapes) {
        attention_shape const of{form, shape.heads, shape.channels};
        register_case(s,
                      edgewise::detail::text(form_name(form), "/", graph, "/", pass, "/", element<T>::name,
                                             "/heads:", shape.heads, "/channels:", shape.channels),
                      [=, &s](benchmark::State& state) { measure<T>(state, s, graph, of, pass); });
      }
    }
  }
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward", "backward"}, {"f32", "f16", "bf16"}));
  for_each_graph_and_type(
      s.chosen, [&]<class T>(std::string const& graph, edgewise::type_tag<T>) { register_cases<T>(s, graph); });
  return run_session(s, argv[0]);
}

}  // namespace

int main(int argc, char** argv) { return edgewise::bench::run_program("bench_attention", argc, argv, run); }
