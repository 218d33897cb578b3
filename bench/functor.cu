// bench_functor: what a message costs when it is a user's functor, differentiated by dual numbers, instead of the
// library's own operations. Same formula, same arrays, same run; time and registers are compared.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "edgewise_program.cuh"
#include "harness/device_session.cuh"
#include "harness/program.hpp"

namespace edgewise::bench {

namespace ew = edgewise;

struct weight;
struct left;
struct right;
struct feature;

struct product {
  static constexpr char const* name = "product";
  template <class T>
  EDGEWISE_HD T operator()(T w, T h) const {
    return w * h;
  }
};
struct leaky_sum {
  static constexpr char const* name = "leaky_sum";
  static constexpr bool has_finite_slope = true;
  template <class T>
  EDGEWISE_HD T operator()(T a, T b) const {
    T const x = a + b;
    return x > T(0) ? x : 0.2f * x;
  }
};
struct gaussian {
  static constexpr char const* name = "gaussian";
  template <class T>
  EDGEWISE_HD T operator()(T a, T b, T h) const {
    T const x = a - b;
    return ew::exp(-(x * x)) * h;
  }
};

namespace {

constexpr char const* description =
    "Times messages of the library's operations against functors of the same formula, forward and backward (all\n"
    "gradients). Limits, over cells of more than 50 us: 1.03 times the time, 4 registers more. Reports device time of "
    "one\nlaunch: many launches in one CUDA graph, median of the replays, warm L2. Both results must agree.";

// The formulas: `built_in` and `functor` are the same message.
struct weighted_sum {
  static constexpr char const* name = "product";
  static constexpr bool per_head_scores = false;
  static constexpr auto built_in = ew::gather<ew::sum>(ew::edge<weight> * ew::src<feature>);
  static constexpr auto functor = ew::gather<ew::sum>(ew::apply(product{}, ew::edge<weight>, ew::src<feature>));
};
struct sum_of_leaky {
  static constexpr char const* name = "leaky_sum";
  static constexpr bool per_head_scores = false;
  static constexpr auto built_in = ew::gather<ew::sum>(ew::leaky_relu(ew::src<left> + ew::dst<right>, 0.2));
  static constexpr auto functor = ew::gather<ew::sum>(ew::apply(leaky_sum{}, ew::src<left>, ew::dst<right>));
};
struct gaussian_sum {
  static constexpr char const* name = "gaussian";
  static constexpr bool per_head_scores = false;
  static constexpr auto built_in =
      ew::gather<ew::sum>(ew::exp(-ew::square(ew::src<left> - ew::dst<right>)) * ew::src<feature>);
  static constexpr auto functor =
      ew::gather<ew::sum>(ew::apply(gaussian{}, ew::src<left>, ew::dst<right>, ew::src<feature>));
};
struct gat {
  static constexpr char const* name = "gat";
  static constexpr bool per_head_scores = true;
  static constexpr auto built_in =
      ew::gather<ew::sum>(ew::softmax(ew::leaky_relu(ew::src<left> + ew::dst<right>, 0.2)) * ew::src<feature>);
  static constexpr auto functor =
      ew::gather<ew::sum>(ew::softmax(ew::apply(leaky_sum{}, ew::src<left>, ew::dst<right>)) * ew::src<feature>);
};

// Operands, results and gradients of one formula on one graph. Both sides write the same arrays.
template <class Formula>
class functor_case {
public:
  functor_case(device_graph const& graph, row_shape shape, cudaStream_t stream)
      : graph_(&graph),
        shape_(shape),
        stream_(stream),
        weight_(random_array<float>(size(graph.num_edges(), 1), 1, stream)),
        left_(random_array<float>(size(graph.num_sources(), score_width()), 2, stream)),
        right_(random_array<float>(size(graph.num_destinations(), score_width()), 3, stream)),
        feature_(random_array<float>(size(graph.num_sources(), width()), 4, stream)),
        out_grad_(random_array<float>(size(graph.num_destinations(), width()), 5, stream)),
        out_(make_array<float>(out_grad_.size(), stream)),
        weight_grad_(make_array<float>(weight_.size(), stream)),
        left_grad_(make_array<float>(left_.size(), stream)),
        right_grad_(make_array<float>(right_.size(), stream)),
        feature_grad_(make_array<float>(feature_.size(), stream)) {}

  template <class Program>
  candidate make(Program const& program, bool backward) {
    return with_arguments([&](auto const& in, auto const& y, auto const& dy, auto const&... grads) {
      return program_candidate(*graph_, program, in, y, dy, backward, stream_, grads...);
    });
  }

  /// What the pass costs at least.
  ew::plan_cost cost(bool backward) {
    return with_arguments([&](auto const& in, auto const& y, auto const& dy, auto const&... grads) {
      return program_cost(*graph_, Formula::built_in, in, y, dy, backward, grads...);
    });
  }

  /// Runs the built-in and then `launch`, and compares what they write. Synchronises.
  verdict check(bool backward, launch_function const& built_in, launch_function const& launch) {
    auto const written = [&]() -> std::vector<ew::device_buffer<float>*> {
      if (!backward) return {&out_};
      if (std::is_same_v<Formula, weighted_sum>) return {&weight_grad_, &feature_grad_};
      if (std::is_same_v<Formula, sum_of_leaky>) return {&left_grad_, &right_grad_};
      return {&left_grad_, &right_grad_, &feature_grad_};
    }();
    auto const contents = [&](launch_function const& f) {
      for (auto* array : written) poison(*array, stream_);
      f(stream_);
      ew::check_cuda(cudaGetLastError(), "check: launch");
      std::vector<std::vector<float>> values;
      for (auto* array : written) values.push_back(download(*array, 0, std::min(array->size(), most_checked), stream_));
      return values;
    };
    auto const expected = contents(built_in);
    auto const actual = contents(launch);
    double worst = 0;
    bool passed = true;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      double largest = 0, difference = 0;
      for (std::size_t i = 0; i < expected[k].size(); ++i) {
        largest = std::max(largest, std::abs(double{expected[k][i]}));
        double const d = std::abs(double{actual[k][i]} - expected[k][i]);
        if (!(d <= difference)) difference = d;
        passed = passed && !std::isnan(d);
      }
      passed = passed && largest < 1e30 && difference <= 1e-5 * largest;
      worst = std::max(worst, largest > 0 ? difference / largest : difference);
    }
    return {passed, worst};
  }

private:
  static constexpr std::size_t most_checked = std::size_t{1} << 24;

  static std::size_t size(std::int64_t rows, std::int64_t width) { return static_cast<std::size_t>(rows * width); }
  std::int64_t width() const { return std::int64_t{shape_.heads} * shape_.channels; }

  /// Calls f(bindings, output, its adjoint, gradients...).
  template <class F>
  auto with_arguments(F const& f) {
    device_graph const& g = *graph_;
    auto const h = [&](auto& array) { return ew::wide(array.data(), g.num_sources(), shape_.heads, shape_.channels); };
    auto const v = [&](auto& array) {
      return ew::wide(array.data(), g.num_destinations(), shape_.heads, shape_.channels);
    };
    auto const w = [&](auto& array) { return ew::per_row(array.data(), g.num_edges()); };
    auto const l = [&](auto& array) { return score(array, g.num_sources()); };
    auto const r = [&](auto& array) { return score(array, g.num_destinations()); };
    auto const call = [&](auto const& in, auto const&... grads) { return f(in, v(out_), v(out_grad_), grads...); };
    if constexpr (std::is_same_v<Formula, weighted_sum>) {
      return call(ew::bindings(ew::bind<weight>(w(weight_)), ew::bind<feature>(h(feature_))),
                  ew::grad<weight>(w(weight_grad_)), ew::grad<feature>(h(feature_grad_)));
    } else if constexpr (std::is_same_v<Formula, sum_of_leaky>) {
      return call(ew::bindings(ew::bind<left>(l(left_)), ew::bind<right>(r(right_))), ew::grad<left>(l(left_grad_)),
                  ew::grad<right>(r(right_grad_)));
    } else {
      return call(ew::bindings(ew::bind<left>(l(left_)), ew::bind<right>(r(right_)), ew::bind<feature>(h(feature_))),
                  ew::grad<left>(l(left_grad_)), ew::grad<right>(r(right_grad_)), ew::grad<feature>(h(feature_grad_)));
    }
  }
  std::int64_t score_width() const { return Formula::per_head_scores ? shape_.heads : width(); }
  template <class Array>
  auto score(Array& array, std::int64_t rows) const {
    if constexpr (Formula::per_head_scores) {
      return ew::per_head(array.data(), rows, shape_.heads);
    } else {
      return ew::wide(array.data(), rows, shape_.heads, shape_.channels);
    }
  }

  device_graph const* graph_;
  row_shape shape_;
  cudaStream_t stream_;
  ew::device_buffer<float> weight_, left_, right_, feature_, out_grad_;
  ew::device_buffer<float> out_, weight_grad_, left_grad_, right_grad_, feature_grad_;
};

template <class Formula>
void add_cases(device_session& s, std::string const& graph, row_shape shape) {
  for (std::string const& pass : s.chosen.passes) {
    for (bool const is_functor : {false, true}) {
      std::string const impl = is_functor ? "functor" : "built_in";
      register_case(s,
                    ew::detail::text(Formula::name, "/", graph, "/", pass, "/heads:", shape.heads,
                                     "/channels:", shape.channels, "/", impl),
                    [=, &s](benchmark::State& state) {
                      bool const backward = pass == "backward";
                      functor_case<Formula> problem(s.graph(graph), shape, s.stream);
                      result r;
                      r.graph = graph;
                      r.op = Formula::name;
                      r.heads = shape.heads;
                      r.channels = shape.channels;
                      r.dtype = "f32";
                      r.pass = pass;
                      r.impl = impl;
                      r.cost = problem.cost(backward);
                      candidate const built_in = problem.make(Formula::built_in, backward);
                      launch_function const reference = built_in.prepare();
                      measure_fastest(state, s, r, {is_functor ? problem.make(Formula::functor, backward) : built_in},
                                      [&](launch_function const& f) { return problem.check(backward, reference, f); });
                    });
    }
  }
}

// Prints each functor's cell beside its built-in; the number of those beyond the limits.
int judge(std::vector<result> const& rows) {
  constexpr double largest_ratio = 1.03, shortest_ms = 0.05;
  constexpr int most_registers = 4;
  int beyond = 0;
  std::printf("\n%-10s %-9s %-9s %5s %5s %10s %10s %6s  registers\n", "op", "graph", "pass", "heads", "channels",
              "built-in", "functor", "ratio");
  for (result const& f : rows) {
    if (f.impl != "functor") continue;
    auto const found = std::find_if(rows.begin(), rows.end(), [&](result const& b) {
      return b.impl == "built_in" && b.op == f.op && b.graph == f.graph && b.pass == f.pass && b.heads == f.heads &&
             b.channels == f.channels;
    });
    if (found == rows.end()) continue;
    result const& b = *found;
    double const ratio = f.time.median_ms / b.time.median_ms;
    bool within = ratio <= largest_ratio || b.time.median_ms < shortest_ms;
    std::string registers;
    for (std::size_t k = 0; k < std::max(f.kernels.size(), b.kernels.size()); ++k) {
      int const ours = k < f.kernels.size() ? f.kernels[k].registers : 0;
      int const theirs = k < b.kernels.size() ? b.kernels[k].registers : 0;
      registers += ew::detail::text(" ", theirs, "/", ours);
      within = within && ours - theirs <= most_registers;
    }
    std::printf("%-10s %-9s %-9s %5d %5d %10.4f %10.4f %6.3f %s%s\n", f.op.c_str(), f.graph.c_str(), f.pass.c_str(),
                f.heads, f.channels, b.time.median_ms, f.time.median_ms, ratio, registers.c_str(),
                within ? "" : "  BEYOND");
    if (!within) ++beyond;
  }
  std::printf("%d cells beyond the limits\n", beyond);
  return beyond;
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"forward", "backward"}, {"f32"}));
  for (std::string const& graph : s.chosen.graphs) {
    for (int channels : s.chosen.channels) {
      add_cases<weighted_sum>(s, graph, {1, channels});
      add_cases<sum_of_leaky>(s, graph, {1, channels});
      add_cases<gaussian_sum>(s, graph, {1, channels});
    }
    for (row_shape const& shape : s.chosen.shapes) add_cases<gat>(s, graph, shape);
  }
  int const status = run_session(s, argv[0]);
  int const beyond = judge(s.rows);
  return status != 0 || beyond > 0 ? 1 : 0;
}

}  // namespace

int run_functors(int argc, char** argv) { return run(argc, argv); }

}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_functor", argc, argv, edgewise::bench::run_functors);
}
