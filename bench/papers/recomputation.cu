// bench_recomputation: a training step of GAT, GATv2, MoNet and EdgeConv, unfused, fused with edge values kept, and
// fused with edge values computed again (MLSys'22, figures 9 and 10): time and memory, by mapping.
#include <edgewise/edgewise.cuh>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../harness/program.hpp"
#include "harness/device_session.cuh"

namespace edgewise::bench {

namespace ew = edgewise;

struct left;
struct right;
struct feature;
struct pseudo;
struct mean_of_kernel;
struct inverse_width;
struct edge_score;
struct edge_weight;
struct kept;

namespace {

constexpr char const* description =
    "Times a training step (forward and all gradients) of GAT, GATv2, MoNet and EdgeConv: unfused, operator by "
    "operator "
    "with tensors of\n"
    "edges between them; fused, with edge values kept for the backward pass; fused, with edge values computed again. "
    "Reports\n"
    "device time (steps in one CUDA graph, median of the replays, warm L2) and the bytes taken from the memory "
    "resource at most,\n"
    "operands, outputs and their gradients not counted. All forms must agree.";

constexpr double slope = 0.2;

/// A step that owns its plans and tensors, which come from a counted resource.
struct training_step {
  launch_function launch;
  counted_memory memory;
  plan_cost cost{};  ///< of a fused step
};

/// The operands, outputs and gradients that every form of a model reads and writes.
class training_case {
public:
  /// written: which gradients a model forms, in the order of the arrays. has_wide_ends: left and right have channels.
  training_case(device_graph const& graph, row_shape shape, std::int64_t num_pseudo, bool has_wide_ends,
                std::vector<int> written, cudaStream_t stream)
      : g(graph),
        heads(shape.heads),
        channels(shape.channels),
        stream_(stream),
        written_(std::move(written)),
        left_(random_array<float>(has_wide_ends ? row_size(g.num_sources()) : score_size(g.num_sources()), 1, stream)),
        right_(random_array<float>(has_wide_ends ? row_size(g.num_destinations()) : score_size(g.num_destinations()), 2,
                                   stream)),
        feature_(random_array<float>(row_size(g.num_sources()), 3, stream)),
        pseudo_(random_array<float>(static_cast<std::size_t>(num_pseudo), 4, stream)),
        mean_(random_array<float>(static_cast<std::size_t>(heads), 5, stream)),
        width_(random_array<float>(static_cast<std::size_t>(heads), 6, stream)),
        attention_(random_array<float>(row_size(1), 8, stream)),
        out_grad_(random_array<float>(row_size(g.num_destinations()), 7, stream)),
        out_(make_array<float>(out_grad_.size(), stream)) {
    for (auto* array : {&left_, &right_, &feature_, &pseudo_, &mean_, &width_, &attention_}) {
      gradients_.push_back(make_array<float>(array->size(), stream));
    }
  }

  device_graph const& g;
  int heads, channels;

  auto graph() const { return ew::graph{g.csr(), g.csc()}; }
  auto at_sources(float* x) const { return wide(x, g.num_sources(), heads, channels); }
  auto at_destinations(float* x) const { return wide(x, g.num_destinations(), heads, channels); }
  auto at_sources(float const* x) const { return wide(x, g.num_sources(), heads, channels); }
  auto at_destinations(float const* x) const { return wide(x, g.num_destinations(), heads, channels); }
  auto of_attention(auto* x) const { return wide(x, 1, heads, channels); }
  auto rows_of_edges(auto* x) const { return wide(x, g.num_edges(), heads, channels); }
  auto of_edges(auto* x) const { return per_head(x, g.num_edges(), heads); }
  auto scores_of_sources(auto* x) const { return per_head(x, g.num_sources(), heads); }
  auto scores_of_destinations(auto* x) const { return per_head(x, g.num_destinations(), heads); }
  auto pseudo_of_edges(auto* x) const { return per_row(x, g.num_edges()); }
  auto of_kernels(auto* x) const { return per_head(x, 1, heads); }

  float const* left() const { return left_.data(); }
  float const* right() const { return right_.data(); }
  float const* feature() const { return feature_.data(); }
  float const* pseudo() const { return pseudo_.data(); }
  float const* mean() const { return mean_.data(); }
  float const* width() const { return width_.data(); }
  float const* attention() const { return attention_.data(); }
  float const* out_grad() const { return out_grad_.data(); }
  float* out() { return out_.data(); }
  /// The gradient of operand `which`, in the order of the constructor's.
  float* gradient(int which) { return gradients_[static_cast<std::size_t>(which)].data(); }

  /// Runs `launch` once and compares what it wrote with `expected`, or leaves that there where nothing is.
  /// Synchronises.
  verdict check(launch_function const& launch, std::vector<std::vector<float>>& expected) {
    poison(out_, stream_);
    for (auto& array : gradients_) poison(array, stream_);
    launch(stream_);
    check_cuda(cudaGetLastError(), "check: launch");
    std::vector<std::vector<float>> results;
    for (auto* array : all_results())
      results.push_back(download(*array, 0, std::min<std::size_t>(array->size(), 1 << 16), stream_));
    if (expected.empty()) expected = results;
    double worst = 0;
    for (std::size_t k = 0; k < results.size(); ++k) {
      double largest = 1e-30;
      for (float x : expected[k]) largest = std::max(largest, std::abs(static_cast<double>(x)));
      for (std::size_t i = 0; i < results[k].size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(results[k][i]) - expected[k][i]) / largest);
      }
    }
    return {worst < 1e-4, worst};
  }

private:
  std::size_t score_size(std::int64_t rows) const { return static_cast<std::size_t>(rows * heads); }
  std::size_t row_size(std::int64_t rows) const { return static_cast<std::size_t>(rows * heads * channels); }
  std::vector<device_buffer<float>*> all_results() {
    std::vector<device_buffer<float>*> all{&out_};
    for (auto& array : gradients_) {
      if (is_written(array)) all.push_back(&array);
    }
    return all;
  }
  bool is_written(device_buffer<float> const& array) const {
    return std::ranges::find(written_, static_cast<int>(&array - gradients_.data())) != written_.end();
  }

  cudaStream_t stream_;
  std::vector<int> written_;
  device_buffer<float> left_, right_, feature_, pseudo_, mean_, width_, attention_, out_grad_, out_;
  std::vector<device_buffer<float>> gradients_;
};

/// A plan of one program with what forward leaves for backward. The resource is named first and so outlives both.
template <class Mapping, class Program, class Inputs, class Policy>
auto make_stage(training_case const& c, Mapping const& mapping, Program const& program, Inputs const& in, Policy policy,
                counted_memory const& memory, cudaStream_t stream) {
  cuda const exec{.stream = stream, .memory = memory.get()};
  auto const kernel = fuse(c.graph(), mapping, program, policy);
  using plan_type = decltype(kernel.plan(exec, in));
  struct stage {
    counted_memory memory;
    plan_type plan;
    typename plan_type::saved_type saved;
    Inputs in;
  };
  auto plan = kernel.plan(exec, in);
  auto saved = plan.make_saved(exec);
  return std::make_shared<stage>(memory, std::move(plan), std::move(saved), in);
}

/// Tensors of edges between the stages of an unfused step.
struct edge_tensors {
  counted_memory memory;
  std::vector<device_buffer<float>> of;

  edge_tensors(counted_memory const& from, int count, std::size_t size, cudaStream_t stream) : memory(from) {
    for (int k = 0; k < count; ++k) of.emplace_back(size, memory.get(), stream);
  }
  float* written(int k) { return of[static_cast<std::size_t>(k)].data(); }
  float const* read(int k) const { return of[static_cast<std::size_t>(k)].data(); }
};

template <class Mapping, class Program, class Inputs, class Policy, class... Grads>
training_step fused_step(training_case& c, Mapping const& mapping, Program const& program, Inputs const& in,
                         Policy policy, cudaStream_t stream, Grads const&... grads) {
  auto const memory = make_counted_memory();
  auto const stage = make_stage(c, mapping, program, in, policy, memory, stream);
  auto const y = c.at_destinations(c.out());
  auto const dy = wide(c.out_grad(), c.g.num_destinations(), c.heads, c.channels);
  plan_cost cost = stage->plan.forward_cost(ew::out(y), stage->saved);
  for (auto const& traversal : stage->plan.backward_cost(grad_out(dy), grads...).traversals) {
    cost.traversals.push_back(traversal);
  }
  return {[=](cudaStream_t s) {
            cuda const exec{.stream = s};
            stage->plan.forward(exec, stage->in, ew::out(y), stage->saved);
            stage->plan.backward(exec, stage->in, stage->saved, grad_out(dy), grads...);
          },
          memory, cost};
}

// ---- GAT: softmax over a row of leaky_relu(left + right), times features

struct gat {
  static constexpr char const* name = "gat";
  static constexpr bool has_wide_ends = false;
  static std::vector<int> written() { return {0, 1, 2}; }

  template <class Mapping, class Policy>
  static training_step fused(training_case& c, Mapping const& mapping, Policy policy, cudaStream_t stream) {
    auto const in =
        bindings(bind<left>(c.scores_of_sources(c.left())), bind<right>(c.scores_of_destinations(c.right())),
                 bind<feature>(c.at_sources(c.feature())));
    auto const program = gather<sum>(softmax(named<kept>(leaky_relu(src<left> + dst<right>, slope))) * src<feature>);
    return fused_step(c, mapping, program, in, policy, stream, grad<left>(c.scores_of_sources(c.gradient(0))),
                      grad<right>(c.scores_of_destinations(c.gradient(1))), grad<feature>(c.at_sources(c.gradient(2))));
  }

  /// Scatter, ReduceScatter (the edge softmax) and Aggregate, each with tensors of edges: scores, weights and their
  /// gradients.
  template <class Mapping>
  static training_step unfused(training_case& c, Mapping const& mapping, cudaStream_t stream) {
    auto const memory = make_counted_memory();
    auto const edges = static_cast<std::size_t>(c.g.num_edges()) * static_cast<std::size_t>(c.heads);
    enum { scores_at, weights_at, score_grads_at, weight_grads_at };
    auto const t = std::make_shared<edge_tensors>(memory, 4, edges, stream);
    auto const scores = make_stage(
        c, mapping, scatter(leaky_relu(src<left> + dst<right>, slope)),
        bindings(bind<left>(c.scores_of_sources(c.left())), bind<right>(c.scores_of_destinations(c.right()))),
        recompute{}, memory, stream);
    auto const weights =
        make_stage(c, mapping, scatter(softmax(edge<edge_score>)),
                   bindings(bind<edge_score>(c.of_edges(t->read(scores_at)))), recompute{}, memory, stream);
    auto const sums = make_stage(
        c, mapping, gather<sum>(edge<edge_weight> * src<feature>),
        bindings(bind<edge_weight>(c.of_edges(t->read(weights_at))), bind<feature>(c.at_sources(c.feature()))),
        recompute{}, memory, stream);
    auto const y = c.at_destinations(c.out());
    auto const dy = wide(c.out_grad(), c.g.num_destinations(), c.heads, c.channels);
    auto* const problem = &c;
    return {[=](cudaStream_t s) {
              cuda const on{.stream = s};
              training_case& p = *problem;
              scores->plan.forward(on, scores->in, ew::out(p.of_edges(t->written(scores_at))), scores->saved);
              weights->plan.forward(on, weights->in, ew::out(p.of_edges(t->written(weights_at))), weights->saved);
              sums->plan.forward(on, sums->in, ew::out(y), sums->saved);
              sums->plan.backward(on, sums->in, sums->saved, grad_out(dy),
                                  grad<edge_weight>(p.of_edges(t->written(weight_grads_at))),
                                  grad<feature>(p.at_sources(p.gradient(2))));
              weights->plan.backward(on, weights->in, weights->saved, grad_out(p.of_edges(t->written(weight_grads_at))),
                                     grad<edge_score>(p.of_edges(t->written(score_grads_at))));
              scores->plan.backward(on, scores->in, scores->saved, grad_out(p.of_edges(t->written(score_grads_at))),
                                    grad<left>(p.scores_of_sources(p.gradient(0))),
                                    grad<right>(p.scores_of_destinations(p.gradient(1))));
            },
            memory};
  }
};

// ---- MoNet: Gaussian kernels of one pseudo-coordinate, times features

struct monet {
  static constexpr char const* name = "monet";
  static constexpr bool has_wide_ends = false;
  static std::vector<int> written() { return {2, 3, 4, 5}; }

  static constexpr auto weight() {
    return exp(-0.5 * square((edge<pseudo> - param<mean_of_kernel>)*param<inverse_width>));
  }
  static auto weight_inputs(training_case& c) {
    return bindings(bind<pseudo>(c.pseudo_of_edges(c.pseudo())), bind<mean_of_kernel>(c.of_kernels(c.mean())),
                    bind<inverse_width>(c.of_kernels(c.width())));
  }

  template <class Mapping, class Policy>
  static training_step fused(training_case& c, Mapping const& mapping, Policy policy, cudaStream_t stream) {
    auto const in = bindings(bind<pseudo>(c.pseudo_of_edges(c.pseudo())), bind<mean_of_kernel>(c.of_kernels(c.mean())),
                             bind<inverse_width>(c.of_kernels(c.width())), bind<feature>(c.at_sources(c.feature())));
    return fused_step(c, mapping, gather<sum>(named<kept>(weight()) * src<feature>), in, policy, stream,
                      grad<pseudo>(c.pseudo_of_edges(c.gradient(3))), grad<mean_of_kernel>(c.of_kernels(c.gradient(4))),
                      grad<inverse_width>(c.of_kernels(c.gradient(5))), grad<feature>(c.at_sources(c.gradient(2))));
  }

  template <class Mapping>
  static training_step unfused(training_case& c, Mapping const& mapping, cudaStream_t stream) {
    auto const memory = make_counted_memory();
    auto const edges = static_cast<std::size_t>(c.g.num_edges()) * static_cast<std::size_t>(c.heads);
    enum { weights_at, weight_grads_at };
    auto const t = std::make_shared<edge_tensors>(memory, 2, edges, stream);
    auto const weights = make_stage(c, mapping, scatter(weight()), weight_inputs(c), recompute{}, memory, stream);
    auto const sums = make_stage(
        c, mapping, gather<sum>(edge<edge_weight> * src<feature>),
        bindings(bind<edge_weight>(c.of_edges(t->read(weights_at))), bind<feature>(c.at_sources(c.feature()))),
        recompute{}, memory, stream);
    auto const y = c.at_destinations(c.out());
    auto const dy = wide(c.out_grad(), c.g.num_destinations(), c.heads, c.channels);
    auto* const problem = &c;
    return {[=](cudaStream_t s) {
              cuda const on{.stream = s};
              training_case& p = *problem;
              weights->plan.forward(on, weights->in, ew::out(p.of_edges(t->written(weights_at))), weights->saved);
              sums->plan.forward(on, sums->in, ew::out(y), sums->saved);
              sums->plan.backward(on, sums->in, sums->saved, grad_out(dy),
                                  grad<edge_weight>(p.of_edges(t->written(weight_grads_at))),
                                  grad<feature>(p.at_sources(p.gradient(2))));
              weights->plan.backward(on, weights->in, weights->saved, grad_out(p.of_edges(t->written(weight_grads_at))),
                                     grad<pseudo>(p.pseudo_of_edges(p.gradient(3))),
                                     grad<mean_of_kernel>(p.of_kernels(p.gradient(4))),
                                     grad<inverse_width>(p.of_kernels(p.gradient(5))));
            },
            memory};
  }
};

// ---- GATv2: softmax over a row of dot(attention, leaky_relu(left + right)), times features

struct gatv2 {
  static constexpr char const* name = "gatv2";
  static constexpr bool has_wide_ends = true;
  static std::vector<int> written() { return {0, 1, 2, 6}; }

  static constexpr auto score() { return dot(param<edge_weight>, leaky_relu(src<left> + dst<right>, slope)); }
  static auto score_inputs(training_case& c) {
    return bindings(bind<left>(c.at_sources(c.left())), bind<right>(c.at_destinations(c.right())),
                    bind<edge_weight>(c.of_attention(c.attention())));
  }

  template <class Mapping, class Policy>
  static training_step fused(training_case& c, Mapping const& mapping, Policy policy, cudaStream_t stream) {
    auto const in =
        bindings(bind<left>(c.at_sources(c.left())), bind<right>(c.at_destinations(c.right())),
                 bind<edge_weight>(c.of_attention(c.attention())), bind<feature>(c.at_sources(c.feature())));
    auto const program = gather<sum>(softmax(named<kept>(score())) * src<feature>);
    return fused_step(c, mapping, program, in, policy, stream, grad<left>(c.at_sources(c.gradient(0))),
                      grad<right>(c.at_destinations(c.gradient(1))), grad<feature>(c.at_sources(c.gradient(2))),
                      grad<edge_weight>(c.of_attention(c.gradient(6))));
  }

  template <class Mapping>
  static training_step unfused(training_case& c, Mapping const& mapping, cudaStream_t stream) {
    auto const memory = make_counted_memory();
    auto const edges = static_cast<std::size_t>(c.g.num_edges()) * static_cast<std::size_t>(c.heads);
    enum { scores_at, weights_at, score_grads_at, weight_grads_at };
    auto const t = std::make_shared<edge_tensors>(memory, 4, edges, stream);
    auto const scores = make_stage(c, mapping, scatter(score()), score_inputs(c), recompute{}, memory, stream);
    auto const weights =
        make_stage(c, mapping, scatter(softmax(edge<edge_score>)),
                   bindings(bind<edge_score>(c.of_edges(t->read(scores_at)))), recompute{}, memory, stream);
    auto const sums = make_stage(
        c, mapping, gather<sum>(edge<edge_weight> * src<feature>),
        bindings(bind<edge_weight>(c.of_edges(t->read(weights_at))), bind<feature>(c.at_sources(c.feature()))),
        recompute{}, memory, stream);
    auto const y = c.at_destinations(c.out());
    auto const dy = wide(c.out_grad(), c.g.num_destinations(), c.heads, c.channels);
    auto* const problem = &c;
    return {[=](cudaStream_t s) {
              cuda const on{.stream = s};
              training_case& p = *problem;
              scores->plan.forward(on, scores->in, ew::out(p.of_edges(t->written(scores_at))), scores->saved);
              weights->plan.forward(on, weights->in, ew::out(p.of_edges(t->written(weights_at))), weights->saved);
              sums->plan.forward(on, sums->in, ew::out(y), sums->saved);
              sums->plan.backward(on, sums->in, sums->saved, grad_out(dy),
                                  grad<edge_weight>(p.of_edges(t->written(weight_grads_at))),
                                  grad<feature>(p.at_sources(p.gradient(2))));
              weights->plan.backward(on, weights->in, weights->saved, grad_out(p.of_edges(t->written(weight_grads_at))),
                                     grad<edge_score>(p.of_edges(t->written(score_grads_at))));
              scores->plan.backward(on, scores->in, scores->saved, grad_out(p.of_edges(t->written(score_grads_at))),
                                    grad<left>(p.at_sources(p.gradient(0))),
                                    grad<right>(p.at_destinations(p.gradient(1))),
                                    grad<edge_weight>(p.of_attention(p.gradient(6))));
            },
            memory};
  }
};

// ---- EdgeConv: the maximum of messages of both ends, whose products are formed for vertices

struct edge_conv {
  static constexpr char const* name = "edge_conv";
  static constexpr bool has_wide_ends = true;
  static std::vector<int> written() { return {0, 1}; }

  static constexpr auto message() { return relu(src<left> + dst<right>); }
  static auto inputs(training_case& c) {
    return bindings(bind<left>(c.at_sources(c.left())), bind<right>(c.at_destinations(c.right())));
  }

  template <class Mapping, class Policy>
  static training_step fused(training_case& c, Mapping const& mapping, Policy policy, cudaStream_t stream) {
    return fused_step(c, mapping, gather<ew::max>(named<kept>(message())), inputs(c), policy, stream,
                      grad<left>(c.at_sources(c.gradient(0))), grad<right>(c.at_destinations(c.gradient(1))));
  }

  template <class Mapping>
  static training_step unfused(training_case& c, Mapping const& mapping, cudaStream_t stream) {
    auto const memory = make_counted_memory();
    auto const elements = static_cast<std::size_t>(c.g.num_edges()) * static_cast<std::size_t>(c.heads * c.channels);
    auto const t = std::make_shared<edge_tensors>(memory, 2, elements, stream);
    auto const messages = make_stage(c, mapping, scatter(message()), inputs(c), recompute{}, memory, stream);
    auto const maxima =
        make_stage(c, mapping, gather<ew::max>(edge<edge_score>),
                   bindings(bind<edge_score>(c.rows_of_edges(t->read(0)))), recompute{}, memory, stream);
    auto const y = c.at_destinations(c.out());
    auto const dy = wide(c.out_grad(), c.g.num_destinations(), c.heads, c.channels);
    auto* const problem = &c;
    return {[=](cudaStream_t s) {
              cuda const on{.stream = s};
              training_case& p = *problem;
              messages->plan.forward(on, messages->in, ew::out(p.rows_of_edges(t->written(0))), messages->saved);
              maxima->plan.forward(on, maxima->in, ew::out(y), maxima->saved);
              maxima->plan.backward(on, maxima->in, maxima->saved, grad_out(dy),
                                    grad<edge_score>(p.rows_of_edges(t->written(1))));
              messages->plan.backward(on, messages->in, messages->saved, grad_out(p.rows_of_edges(t->written(1))),
                                      grad<left>(p.at_sources(p.gradient(0))),
                                      grad<right>(p.at_destinations(p.gradient(1))));
            },
            memory};
  }
};

/// What the first form of each graph and model computed: the others must agree.
using known_results = std::map<std::string, std::vector<std::vector<float>>>;

template <class Model, class Mapping>
training_step make_step(training_case& problem, std::string const& form, Mapping const& mapping, cudaStream_t stream) {
  if (form == "unfused") return Model::unfused(problem, mapping, stream);
  if (form == "stash") return Model::fused(problem, mapping, stash<kept>{}, stream);
  return Model::fused(problem, mapping, recompute{}, stream);
}

template <class Model, class Mapping>
void measure(benchmark::State& state, device_session& s, known_results& known, std::string const& graph,
             row_shape shape, std::string const& form, Mapping const& mapping) {
  device_graph const& g = s.graph(graph);
  training_case problem(g, shape, std::is_same_v<Model, monet> ? g.num_edges() : 0, Model::has_wide_ends,
                        Model::written(), s.stream);
  training_step step = make_step<Model>(problem, form, mapping, s.stream);
  result r;
  r.graph = graph;
  r.op = Model::name;
  r.heads = shape.heads;
  r.channels = shape.channels;
  r.dtype = "f32";
  r.pass = "step";
  r.impl = form + ", " + Mapping::name;
  r.cost = make_step<Model>(problem, "recompute", mapping, s.stream).cost;  // every form is judged by the same
  r.peak_bytes = step.memory->peak_bytes();
  measure_fastest(state, s, r, {{Mapping::name, [&step] { return step.launch; }}},
                  [&](launch_function const& f) { return problem.check(f, known[graph + "/" + Model::name]); });
}

int run(int argc, char** argv) {
  device_session s(parse_options(argc, argv, description, {"step"}, {"f32"}));
  known_results known;
  auto const register_model = [&]<class Model>(Model, std::string const& graph, row_shape shape, auto const& mapping) {
    for (std::string const form : {"unfused", "stash", "recompute"}) {
      register_case(
          s, edgewise::detail::text(Model::name, "/", graph, "/", form, "/", mapping.name),
          [=, &s, &known](benchmark::State& state) { measure<Model>(state, s, known, graph, shape, form, mapping); });
    }
  };
  for (std::string const& graph : s.chosen.graphs) {
    register_model(gat{}, graph, {4, 64}, vertex_balanced{});
    register_model(gat{}, graph, {4, 64}, edge_balanced{});
    register_model(gat{}, graph, {4, 64}, automatic{});
    register_model(monet{}, graph, {2, 16}, vertex_balanced{});
    register_model(monet{}, graph, {2, 16}, edge_balanced{});
    register_model(monet{}, graph, {2, 16}, automatic{});
    register_model(gatv2{}, graph, {4, 64}, automatic{});
    register_model(edge_conv{}, graph, {1, 64}, automatic{});
  }
  return run_session(s, argv[0]);
}

}  // namespace
}  // namespace edgewise::bench

int main(int argc, char** argv) {
  return edgewise::bench::run_program("bench_recomputation", argc, argv, edgewise::bench::run);
}
