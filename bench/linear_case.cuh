// The arrays and programs of bench_linear on one graph.
#pragma once

#include <edgewise/edgewise.cuh>
#include <edgewise/vendor/vendor_cublas.cuh>

#include <cmath>
#include <memory>
#include <tuple>
#include <vector>

#include "harness/candidate.cuh"
#include "harness/device_array.cuh"
#include "harness/device_graph.cuh"

namespace edgewise::bench {

struct feature;
struct message;
struct matrix_a;
struct matrix_b;
struct score_source;
struct score_destination;

/// Rows of `inputs` features, two matrices [inputs, outputs], two vectors of scores [outputs], and their gradients.
class linear_case {
public:
  linear_case(device_graph const& graph, int inputs, int outputs, cudaStream_t stream)
      : edges_(&graph),
        inputs_(inputs),
        outputs_(outputs),
        stream_(stream),
        features_(random_array<float>(vertex_elements(inputs), 1, stream)),
        adjoint_(random_array<float>(vertex_elements(outputs), 2, stream)),
        out_(make_array<float>(vertex_elements(outputs), stream)),
        feature_gradient_(make_array<float>(vertex_elements(inputs), stream)) {
    for (std::uint64_t k = 0; k < 2; ++k) {
      matrices_.push_back(random_array<float>(matrix_elements(), 3 + k, stream));
      matrix_gradients_.push_back(make_array<float>(matrix_elements(), stream));
      scores_.push_back(random_array<float>(static_cast<std::size_t>(outputs), 5 + k, stream));
      score_gradients_.push_back(make_array<float>(static_cast<std::size_t>(outputs), stream));
    }
  }

  auto graph() const { return edgewise::graph{edges_->csr(), edges_->csc()}; }
  cudaStream_t stream() const { return stream_; }
  std::int64_t num_edges() const { return edges_->num_edges(); }
  std::int64_t num_vertices() const { return edges_->num_destinations(); }
  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }

  auto features() const { return wide(features_.data(), num_vertices(), inputs_); }
  auto feature_gradient() { return wide(feature_gradient_.data(), num_vertices(), inputs_); }
  auto matrix(int k, int heads = 1) const {
    return wide(matrices_[static_cast<std::size_t>(k)].data(), inputs_, heads, outputs_ / heads);
  }
  auto matrix_gradient(int k, int heads = 1) {
    return wide(matrix_gradients_[static_cast<std::size_t>(k)].data(), inputs_, heads, outputs_ / heads);
  }
  auto score(int k, int heads) const {
    return wide(scores_[static_cast<std::size_t>(k)].data(), 1, heads, outputs_ / heads);
  }
  auto score_gradient(int k, int heads) {
    return wide(score_gradients_[static_cast<std::size_t>(k)].data(), 1, heads, outputs_ / heads);
  }
  auto out_view(int heads) { return wide(out_.data(), num_vertices(), heads, outputs_ / heads); }
  auto adjoint_view(int heads) const { return wide(adjoint_.data(), num_vertices(), heads, outputs_ / heads); }

  /// Runs what is expected and then `launch`, each on poisoned arrays, and compares all elements of what the pass
  /// writes. Synchronises.
  verdict check(candidate const& expected, launch_function const& launch, bool backward, int num_matrices,
                bool has_scores) {
    std::vector<device_buffer<float>*> results{backward ? &feature_gradient_ : &out_};
    for (int k = 0; backward && k < num_matrices; ++k)
      results.push_back(&matrix_gradients_[static_cast<std::size_t>(k)]);
    for (int k = 0; backward && has_scores && k < 2; ++k) {
      results.push_back(&score_gradients_[static_cast<std::size_t>(k)]);
    }
    auto const run = [&](launch_function const& f) {
      for (auto* x : results) poison(*x, stream_);
      f(stream_);
      check_cuda(cudaGetLastError(), "check: launch");
      std::vector<std::vector<float>> values;
      for (auto* x : results) values.push_back(download(*x, 0, x->size(), stream_));
      return values;
    };
    auto const right = run(expected.prepare());
    auto const found = run(launch);
    verdict result{true, 0};
    for (std::size_t k = 0; k < right.size(); ++k) {
      double largest = 0;
      for (float const x : right[k]) largest = std::fmax(largest, std::fabs(x));
      std::size_t far = 0;
      for (std::size_t i = 0; i < right[k].size(); ++i) {
        double const off = std::fabs(double{found[k][i]} - right[k][i]) / (largest + 1e-30);
        if (off < 1e-3) {  // not NaN
          result.error = std::fmax(result.error, off);
        } else {
          ++far;
        }
      }
      // Where products are rounded otherwise, a few maxima of thousands of edges are others, and so are the rows that
      // their gradients go to.
      if (far > (backward && !has_scores ? right[k].size() / 100 : 0)) result.passed = false;
    }
    return result;
  }

  cublas_library blas;

private:
  std::size_t vertex_elements(int columns) const {
    return static_cast<std::size_t>(num_vertices()) * static_cast<std::size_t>(columns);
  }
  std::size_t matrix_elements() const { return static_cast<std::size_t>(inputs_) * static_cast<std::size_t>(outputs_); }

  device_graph const* edges_;
  int inputs_, outputs_;
  cudaStream_t stream_;
  device_buffer<float> features_, adjoint_, out_, feature_gradient_;
  std::vector<device_buffer<float>> matrices_, matrix_gradients_, scores_, score_gradients_;
};

/// MLP aggregation (Hu et al., SC 2020, figure 3b).
struct mlp_program {
  static constexpr int heads = 1, num_matrices = 1;
  static constexpr bool has_scores = false;
  static constexpr auto program = gather<edgewise::max>(relu(linear<matrix_a>(src<feature> + dst<feature>)));
  static auto bind(linear_case const& c) {
    return bindings(edgewise::bind<feature>(c.features()), edgewise::bind<matrix_a>(c.matrix(0)));
  }
  static auto gradients(linear_case& c) {
    return std::tuple{grad<feature>(c.feature_gradient()), grad<matrix_a>(c.matrix_gradient(0))};
  }
};
/// EdgeConv (Wang et al. 2019), of differences alone.
struct edge_conv_program {
  static constexpr int heads = 1, num_matrices = 1;
  static constexpr bool has_scores = false;
  static constexpr auto program = gather<edgewise::max>(linear<matrix_a>(src<feature> - dst<feature>));
  static auto bind(linear_case const& c) { return mlp_program::bind(c); }
  static auto gradients(linear_case& c) { return mlp_program::gradients(c); }
};
/// A GAT layer (Velickovic et al. 2018) of 8 heads; scores of vertices once for each.
struct gat_program {
  static constexpr int heads = 8, num_matrices = 1;
  static constexpr bool has_scores = true;
  static constexpr auto z = linear<matrix_a>(src<feature>);
  static constexpr auto own = linear<matrix_a>(dst<feature>);
  static constexpr auto program =
      gather<sum>(softmax(leaky_relu(
                      per_vertex(dot(param<score_source>, z)) + per_vertex(dot(param<score_destination>, own)), 0.2f)) *
                  z);
  static auto bind(linear_case const& c) {
    return bindings(edgewise::bind<feature>(c.features()), edgewise::bind<matrix_a>(c.matrix(0, heads)),
                    edgewise::bind<score_source>(c.score(0, heads)),
                    edgewise::bind<score_destination>(c.score(1, heads)));
  }
  static auto gradients(linear_case& c) {
    return std::tuple{grad<feature>(c.feature_gradient()), grad<matrix_a>(c.matrix_gradient(0, heads)),
                      grad<score_source>(c.score_gradient(0, heads)),
                      grad<score_destination>(c.score_gradient(1, heads))};
  }
};
/// The same with a dot product for every edge.
struct gat_dots_program : gat_program {
  static constexpr auto program =
      gather<sum>(softmax(leaky_relu(dot(param<score_source>, z) + dot(param<score_destination>, own), 0.2f)) * z);
};

__global__ void add_scaled(float* to, float const* from, float factor, std::int64_t size) {
  std::int64_t const step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    to[i] += factor * from[i];
  }
}

/// Scores of a GAT layer as a user would write them: one thread a vertex and head.
__global__ void score_rows(float const* z, float const* a, float const* b, std::int64_t rows, int heads, int channels,
                           float* by_source, float* by_destination) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows * heads) return;
  int const head = static_cast<int>(i % heads);
  float s = 0, d = 0;
  for (int c = 0; c < channels; ++c) {
    float const x = z[i * channels + c];
    s += x * a[head * channels + c];
    d += x * b[head * channels + c];
  }
  by_source[i] = s;
  by_destination[i] = d;
}
/// dz += ds a + dd b; one thread an element.
__global__ void pull_scores(float const* ds, float const* dd, float const* a, float const* b, std::int64_t rows,
                            int heads, int channels, float* dz) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= rows * heads * channels) return;
  std::int64_t const of_head = i / channels;
  int const element = static_cast<int>(i % (heads * channels));
  dz[i] += ds[of_head] * a[element] + dd[of_head] * b[element];
}
/// da[e] = sum over vertices of ds z: a block a stretch of rows and a thread an element, then the sums of blocks.
__global__ void sum_score_gradients(float const* ds, float const* dd, float const* z, std::int64_t rows, int heads,
                                    int channels, float* partial) {
  int const width = heads * channels;
  std::int64_t const step = (rows + gridDim.x - 1) / gridDim.x;
  std::int64_t const first = blockIdx.x * step;
  std::int64_t const last = first + step < rows ? first + step : rows;
  int const e = static_cast<int>(threadIdx.x);
  if (e >= width) return;
  float a = 0, b = 0;
  for (std::int64_t r = first; r < last; ++r) {
    float const x = z[r * width + e];
    a += ds[r * heads + e / channels] * x;
    b += dd[r * heads + e / channels] * x;
  }
  partial[(2 * blockIdx.x) * width + e] = a;
  partial[(2 * blockIdx.x + 1) * width + e] = b;
}
__global__ void fold_score_gradients(float const* partial, int blocks, int width, float* da, float* db) {
  int const e = static_cast<int>(threadIdx.x);
  if (e >= width) return;
  float a = 0, b = 0;
  for (int k = 0; k < blocks; ++k) {
    a += partial[2 * k * width + e];
    b += partial[(2 * k + 1) * width + e];
  }
  da[e] = a;
  db[e] = b;
}

struct hand_source;
struct hand_destination;
/// The steps of a GAT layer called one by one: what a user writes who projects and scores by hand.
template <class Graph>
class gat_steps {
  static constexpr int heads = gat_program::heads;
  static constexpr int blocks = 1056;
  static constexpr auto program =
      gather<sum>(softmax(leaky_relu(src<hand_source> + dst<hand_destination>, 0.2f)) * src<feature>);

public:
  gat_steps(linear_case& c, cuda const& exec)
      : c_(&c),
        kernel_(fuse(c.graph(), automatic{}, program)),
        z_(array(exec, c.outputs())),
        dz_(array(exec, c.outputs())),
        s_(array(exec, heads)),
        d_(array(exec, heads)),
        ds_(array(exec, heads)),
        dd_(array(exec, heads)),
        partial_(make_array<float>(static_cast<std::size_t>(2 * blocks) * c.outputs(), exec.stream, exec.memory)),
        plan_(kernel_.plan(exec, in())),
        saved_(plan_.make_saved(exec)) {}

  void forward(cudaStream_t s, bool saves) {
    multiply(s, of(c_->features().data, c_->inputs()), matrix(), of(z_.data(), c_->outputs()), false);
    score_rows<<<grid(c_->num_vertices() * heads), 256, 0, s>>>(z_.data(), c_->score(0, heads).data,
                                                                c_->score(1, heads).data, c_->num_vertices(), heads,
                                                                channels(), s_.data(), d_.data());
    if (saves) {
      plan_.forward(cuda{.stream = s}, in(), out(c_->out_view(heads)), saved_);
    } else {
      plan_.forward(cuda{.stream = s}, in(), out(c_->out_view(heads)));
    }
  }
  void backward(cudaStream_t s) {
    std::int64_t const n = c_->num_vertices();
    plan_.backward(cuda{.stream = s}, in(), saved_, grad_out(c_->adjoint_view(heads)),
                   grad<feature>(wide(dz_.data(), n, heads, channels())),
                   grad<hand_source>(per_head(ds_.data(), n, heads)),
                   grad<hand_destination>(per_head(dd_.data(), n, heads)));
    auto const a = c_->score(0, heads).data, b = c_->score(1, heads).data;
    sum_score_gradients<<<blocks, c_->outputs(), 0, s>>>(ds_.data(), dd_.data(), z_.data(), n, heads, channels(),
                                                         partial_.data());
    fold_score_gradients<<<1, c_->outputs(), 0, s>>>(
        partial_.data(), blocks, c_->outputs(), c_->score_gradient(0, heads).data, c_->score_gradient(1, heads).data);
    pull_scores<<<grid(n * c_->outputs()), 256, 0, s>>>(ds_.data(), dd_.data(), a, b, n, heads, channels(), dz_.data());
    multiply(s, of(c_->features().data, c_->inputs()).transposed(), of(dz_.data(), c_->outputs()),
             {c_->matrix_gradient(0).data, c_->inputs(), c_->outputs(), c_->outputs(), 1}, false);
    multiply(s, of(dz_.data(), c_->outputs()), matrix().transposed(),
             {c_->feature_gradient().data, n, c_->inputs(), c_->inputs(), 1}, false);
  }

private:
  device_buffer<float> array(cuda const& exec, int columns) const {
    return make_array<float>(static_cast<std::size_t>(c_->num_vertices()) * columns, exec.stream, exec.memory);
  }
  int channels() const { return c_->outputs() / heads; }
  static unsigned grid(std::int64_t size) { return static_cast<unsigned>((size + 255) / 256); }
  matrix_view<float const> matrix() const {
    return {c_->matrix(0).data, c_->inputs(), c_->outputs(), c_->outputs(), 1};
  }
  matrix_view<float const> of(float const* data, std::int64_t columns) const {
    return {data, c_->num_vertices(), columns, columns, 1};
  }
  matrix_view<float> of(float* data, std::int64_t columns) const {
    return {data, c_->num_vertices(), columns, columns, 1};
  }
  template <class A, class B>
  void multiply(cudaStream_t s, matrix_view<A> a, matrix_view<B> b, matrix_view<float> to, bool adds) const {
    auto const as_const = [](auto v) {
      return matrix_view<float const>{v.data, v.rows, v.columns, v.row_stride, v.column_stride};
    };
    if (!c_->blas.multiply(cuda{.stream = s}, as_const(a), as_const(b), to, adds)) {
      throw error("gat_steps: cuBLAS took no product");
    }
  }
  auto in() const {
    std::int64_t const n = c_->num_vertices();
    return bindings(bind<feature>(wide(static_cast<float const*>(z_.data()), n, heads, channels())),
                    bind<hand_source>(per_head(static_cast<float const*>(s_.data()), n, heads)),
                    bind<hand_destination>(per_head(static_cast<float const*>(d_.data()), n, heads)));
  }

  linear_case* c_;
  decltype(fuse(std::declval<Graph const&>(), automatic{}, program)) kernel_;
  device_buffer<float> z_, dz_, s_, d_, ds_, dd_, partial_;
  decltype(kernel_.plan(std::declval<cuda const&>(), std::declval<gat_steps const&>().in())) plan_;
  decltype(plan_.make_saved(std::declval<cuda const&>())) saved_;
};

}  // namespace edgewise::bench
