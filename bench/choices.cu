// bench_choices: what `automatic` and `autotune` choose against the fastest of a sweep of schedules, for the weighted
// sum and the graph transformer.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <edgewise/tuning/autotune.cuh>

#include "edgewise_attention.cuh"
#include "edgewise_spmm.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"

namespace edgewise::bench {
namespace {

constexpr char const* description =
    "Times the weighted sum (--channels, gradient of the features) and the graph transformer (--shapes, all gradients) "
    "with\n"
    "at most 46 schedules: rows cut at 16 to 1024 edges, at quantiles of the degrees or never, as stored, by degree or "
    "in\n"
    "windows, pieces in the place of their rows, whole rows, 4 to 16 partitions, tiles of 64 elements, blocks of 32 to "
    "128\n"
    "threads, and equal shares. The three fastest and what `automatic` and `autotune` chose are checked and timed "
    "again in turns.";

/// The schedules of the sweep, each a candidate by `add(name, mapping, policy...)`. Rows are cut where slots stay below
/// two rows of features per row.
template <class Add>
void for_each_schedule(device_graph const& g, Add const& add) {
  std::int64_t const mean = g.num_edges() / std::max(g.num_destinations(), 1);
  add("automatic", automatic{});  // the second candidate, behind autotune
  for (row_order const order : {row_order::stored, row_order::degree, row_order::windows}) {
    std::string const by = order == row_order::degree    ? ", by degree"
                           : order == row_order::windows ? ", in windows"
                                                         : "";
    for (std::int64_t const longest : {16, 32, 64, 256, 1024}) {
      if (longest <= mean) continue;
      row_split const split{.max_edges = longest, .order = order};
      add("cut " + std::to_string(longest) + by, automatic{}, schedule_policy<row_split>{split, split});
    }
    row_split const never{.order = order};
    add("never cut" + by, automatic{}, schedule_policy<row_split>{never, never});
    for (double const quantile : {0.99, 0.999}) {
      add("quantile " + std::to_string(quantile).substr(0, 5) + by, degree_aware{.quantile = quantile, .order = order});
    }
    add("whole rows" + by, vertex_balanced{.order = order});
  }
  for (row_order const order : {row_order::stored, row_order::windows, row_order::short_windows}) {
    std::string const by = order == row_order::stored    ? ""
                           : order == row_order::windows ? ", in windows"
                                                         : ", in short windows";
    for (std::int64_t const longest :
         {std::max<std::int64_t>(64, 3 * mean / 2), std::max<std::int64_t>(256, 3 * mean)}) {
      row_split const split{.max_edges = longest, .order = order, .pieces = piece_order::in_place};
      add("cut " + std::to_string(longest) + " in place" + by, automatic{}, schedule_policy<row_split>{split, split});
    }
  }
  for (std::int64_t const partitions : {4, 8, 16}) {
    row_split const split{
        .max_edges = std::max<std::int64_t>(512, 4 * mean), .order = row_order::windows, .partitions = partitions};
    add(std::to_string(partitions) + " partitions", automatic{}, schedule_policy<row_split>{split, split});
  }
  for (row_order const order : {row_order::degree, row_order::windows}) {
    row_split const split{.max_edges = std::max<std::int64_t>(512, 4 * mean), .order = order, .tile = least_tile};
    add(order == row_order::degree ? "tiles, by degree" : "tiles, in windows", automatic{},
        schedule_policy<row_split>{split, split});
  }
  for (block_size const block : {block_size::threads_32, block_size::threads_64, block_size::threads_128}) {
    row_split const split{.max_edges = std::max<std::int64_t>(64, 4 * mean), .block = block};
    add("blocks of " + std::to_string(threads_of_block(block)), automatic{}, schedule_policy<row_split>{split, split});
  }
  for (std::int64_t const length : {64, 256, 1024}) {
    edge_split const split{.length = length};
    add("shares of " + std::to_string(length), edge_balanced{}, schedule_policy<edge_split>{split, split});
  }
}

template <class Program, class Inputs, class Out, class OutGrad, class... Grads>
std::vector<candidate> sweep(device_graph const& g, Program const& program, Inputs const& in, Out const& y,
                             OutGrad const& dy, bool backward, cudaStream_t stream, Grads const&... grads) {
  std::vector<candidate> candidates;
  auto const tune = [=, &g](cuda const& exec) {
    auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, automatic{}, program);
    tuning_cache cache;
    if (backward)
      return kernel.plan(exec, in, autotune(exec, cache, kernel, in, edgewise::out(y), grad_out(dy), grads...).policy);
    return kernel.plan(exec, in, autotune(exec, cache, kernel, in, edgewise::out(y)).policy);
  };
  candidates.push_back(plan_candidate("autotuned", tune, in, y, dy, backward, stream, grads...));
  for_each_schedule(g, [&](std::string const& name, auto const& mapping, auto const&... policy) {
    auto const kernel = fuse(edgewise::graph{g.csr(), g.csc()}, mapping, program);
    candidates.push_back(plan_candidate(
        name, [=](cuda const& exec) { return kernel.plan(exec, in, policy...); }, in, y, dy, backward, stream,
        grads...));
  });
  return candidates;
}

/// Times all candidates, then the three fastest and the first two (`autotune`, `automatic`) in turns, and adds a row
/// for each of these two and one for the fastest. `r` comes with what names the case.
template <class Check>
void measure(device_session& s, result r, std::vector<candidate> const& candidates, Check const& check) {
  timing_options const quick{.replay_ms = 3, .warm_replays = 1, .replays = 5};
  for (candidate const& c : candidates) {
    launch_function const launch = c.prepare();
    r.variants_ms[c.name] = time_in_graph(s.stream, launch, quick).median_ms;
  }
  std::vector<candidate const*> finalists;
  for (candidate const& c : candidates) finalists.push_back(&c);
  std::stable_sort(finalists.begin() + 2, finalists.end(), [&](candidate const* a, candidate const* b) {
    return r.variants_ms.at(a->name) < r.variants_ms.at(b->name);
  });
  finalists.resize(std::min<std::size_t>(finalists.size(), 5));

  std::vector<launch_function> launches;
  for (candidate const* c : finalists) {
    launches.push_back(c->prepare());
    verdict const v = check(launches.back());
    r.error = std::max(r.error, v.error);
    if (!v.passed) {
      std::cerr << r.op << ' ' << r.graph << ' ' << r.pass << ": wrong result of " << c->name << '\n';
      s.failed = true;
    }
  }
  std::vector<std::unique_ptr<captured_launches>> captured;
  int const count = choose_launches(s.stream, launches[0], {});
  for (auto const& launch : launches) captured.push_back(std::make_unique<captured_launches>(s.stream, launch, count));
  std::vector<std::vector<double>> samples(captured.size());
  for (int turn = -1; turn < 5; ++turn) {
    for (std::size_t k = 0; k < captured.size(); ++k) {
      double const ms = captured[k]->replay_ms();
      if (turn >= 0) samples[k].push_back(ms);
    }
  }
  std::vector<timing> times;
  for (auto const& of_one : samples) times.push_back(summarize(of_one, count));
  std::size_t best = 0;
  for (std::size_t k = 1; k < times.size(); ++k) best = times[k].median_ms < times[best].median_ms ? k : best;
  auto const add = [&](char const* impl, std::size_t k) {
    r.impl = impl;
    r.variant = finalists[k]->name;
    r.time = times[k];
    r.bounds = s.bounds(r.cost);
    s.rows.push_back(r);
  };
  add("autotuned", 0);
  add("automatic", 1);
  add("best", best);
  std::printf("%-9s %-13s %-11s %dx%-4d best %9.4f ms (%s)  automatic %.3f  autotuned %.3f\n", r.graph.c_str(),
              r.op.c_str(), r.pass.c_str(), r.heads, r.channels, times[best].median_ms, finalists[best]->name.c_str(),
              times[1].median_ms / times[best].median_ms, times[0].median_ms / times[best].median_ms);
  std::fflush(stdout);
}

void measure_weighted_sum(device_session& s, std::string const& graph, int channels, bool backward) {
  device_graph const& g = s.graph(graph);
  weighted_sum_case<float> problem(g, channels, s.stream);
  pass const p = backward ? pass::grad_source : pass::forward;
  result r;
  r.graph = graph;
  r.op = "weighted_sum";
  r.channels = channels;
  r.dtype = "f32";
  r.pass = pass_name(p);
  r.cost = problem.cost(p);
  auto const in = bindings(bind<feature>(wide(problem.features(), g.num_sources(), channels)),
                           bind<weight>(per_row(problem.weights(), g.num_edges())));
  measure(s, r,
          sweep(g, weighted_sum_program, in, wide(problem.out(), g.num_destinations(), channels),
                wide(problem.out_grad(), g.num_destinations(), channels), backward, s.stream,
                grad<feature>(wide(problem.feature_grad(), g.num_sources(), channels))),
          [&](launch_function const& f) { return problem.check(p, f); });
}

void measure_transformer(device_session& s, std::string const& graph, row_shape shape, bool backward) {
  device_graph const& g = s.graph(graph);
  attention_case<float> c(g, {attention_form::transformer, shape.heads, shape.channels}, s.stream);
  result r;
  r.graph = graph;
  r.op = "transformer";
  r.heads = shape.heads;
  r.channels = shape.channels;
  r.dtype = "f32";
  r.pass = backward ? "backward" : "forward";
  r.cost = attention_cost(c, backward);
  auto const at_destinations = [&](auto* data) {
    return wide(data, g.num_destinations(), shape.heads, shape.channels);
  };
  auto const at_sources = [&](auto* data) { return wide(data, g.num_sources(), shape.heads, shape.channels); };
  auto const in = bindings(bind<query>(at_destinations(c.destination())), bind<key>(at_sources(c.key())),
                           bind<value>(at_sources(c.value())));
  measure(
      s, r,
      sweep(g, transformer_program(shape.channels), in, at_destinations(c.out.data()), at_destinations(c.out_grad()),
            backward, s.stream, grad<query>(at_destinations(c.destination_grad.data())),
            grad<key>(at_sources(c.key_grad.data())), grad<value>(at_sources(c.value_grad.data()))),
      [&](launch_function const& f) { return c.check(backward, f); });
}

/// Time of `impl` over the fastest of the sweep, over all cases.
void print_ratios(std::vector<result> const& rows, std::string const& impl) {
  double logarithms = 0, worst = 0;
  int count = 0;
  for (result const& best : rows) {
    if (best.impl != "best") continue;
    auto const found = std::find_if(rows.begin(), rows.end(), [&](result const& r) {
      return r.impl == impl && r.graph == best.graph && r.op == best.op && r.pass == best.pass &&
             r.heads == best.heads && r.channels == best.channels;
    });
    if (found == rows.end()) continue;
    double const ratio = found->time.median_ms / best.time.median_ms;
    logarithms += std::log(ratio);
    worst = std::max(worst, ratio);
    ++count;
  }
  if (count > 0) {
    std::printf("%s over best, %d cases: geometric mean %.3f, worst %.3f\n", impl.c_str(), count,
                std::exp(logarithms / count), worst);
  }
}

int run(int argc, char** argv) {
  options chosen = parse_options(argc, argv, description, {"forward", "backward"}, {"f32"});
  device_session s(std::move(chosen));
  for (std::string const& graph : s.chosen.graphs) {
    for (std::string const& pass : s.chosen.passes) {
      for (int const channels : s.chosen.channels) measure_weighted_sum(s, graph, channels, pass == "backward");
      for (row_shape const shape : s.chosen.shapes) measure_transformer(s, graph, shape, pass == "backward");
    }
    if (!s.chosen.out.empty()) write_results(s.chosen.out, s.where, s.rows);  // a run that is cut off keeps its graphs
  }
  print_ratios(s.rows, "automatic");
  print_ratios(s.rows, "autotuned");
  return s.failed ? 1 : 0;
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_choices", argc, argv, edgewise::bench::run);
}
