// The two layers of bench_rgcn as frameworks compute them: tensors of edges, dense products type by type with cuBLAS,
// and atomics at the ends.
#pragma once

#include <cublas_v2.h>

#include <string>
#include <vector>

#include "../rgcn_case.cuh"

namespace edgewise::bench {

inline void check_cublas(cublasStatus_t status, char const* what) {
  if (status != CUBLAS_STATUS_SUCCESS) throw error(edgewise::detail::text(what, ": ", cublasGetStatusString(status)));
}

/// How the products of one type are called: one call each, or all in one call.
enum class typed_products { loop, grouped };

namespace detail {

inline constexpr int edge_threads = 256;
inline unsigned edge_blocks(std::int64_t size) {
  return static_cast<unsigned>((size + edge_threads - 1) / edge_threads);
}

/// to[k, c] = norm[id[k]] * from[rows[k], c]; norm may be null.
__global__ void gather_rows(float const* from, std::int32_t const* rows, std::int32_t const* ids, float const* norm,
                            std::int64_t edges, int columns, float* to) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= edges * columns) return;
  std::int64_t const k = i / columns;
  float const x = from[std::int64_t{rows[k]} * columns + i % columns];
  to[i] = norm ? norm[ids[k]] * x : x;
}
/// to[to_rows[k], c] += norm[id[k]] * from[from_rows ? from_rows[k] : k, c].
__global__ void scatter_rows(float const* from, std::int32_t const* from_rows, std::int32_t const* to_rows,
                             std::int32_t const* ids, float const* norm, std::int64_t edges, int columns, float* to) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= edges * columns) return;
  std::int64_t const k = i / columns;
  int const c = static_cast<int>(i % columns);
  float const x = from[(from_rows ? std::int64_t{from_rows[k]} : k) * columns + c];
  atomicAdd(to + std::int64_t{to_rows[k]} * columns + c, norm ? norm[ids[k]] * x : x);
}
/// y = relu(x + own + bias), or y = x + bias where own is null.
__global__ void finish_rows(float const* x, float const* own, float const* bias, std::int64_t size, int columns,
                            float* y) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= size) return;
  float const sum = x[i] + bias[i % columns] + (own ? own[i] : 0.0f);
  y[i] = own && sum < 0 ? 0.0f : sum;
}
/// dx = y > 0 ? dx : 0.
__global__ void pull_relu(float const* y, std::int64_t size, float* dx) {
  std::int64_t const i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < size && !(y[i] > 0)) dx[i] = 0;
}

}  // namespace detail

/// Forward and backward of one `rgcn_case`. Tensors of edges: their sources' features [E, 16], messages [E, classes],
/// and both gradients.
class typed_gemm_rgcn {
public:
  typed_gemm_rgcn(rgcn_case& c, typed_products products, memory_resource* memory) : c_(&c), products_(products) {
    auto const& types = c.host().types;
    cudaStream_t const s = c.stream();
    auto const copy = [&](auto const& x) { return upload(std::vector<std::int32_t>(x.begin(), x.end()), s); };
    sources_ = copy(types.sources());
    destinations_ = copy(types.destinations());
    ids_ = copy(types.edge_ids());
    std::vector<std::int32_t> pair_of_id(static_cast<std::size_t>(c.num_edges));
    for_each_edge(c.pairs.edges.view(), [&](std::int32_t k, std::int32_t pair, std::int32_t) {
      pair_of_id[static_cast<std::size_t>(c.pairs.edges.view().edge_id(k))] = pair;
    });
    std::vector<std::int32_t> pairs;
    for (std::int32_t const id : types.edge_ids()) pairs.push_back(pair_of_id[static_cast<std::size_t>(id)]);
    pairs_ = upload(pairs, s);
    offsets_.assign(types.offsets().begin(), types.offsets().end());
    auto const edges = static_cast<std::size_t>(c.num_edges);
    auto const classes = static_cast<std::size_t>(c.num_classes);
    edge_features_ = make_array<float>(edges * rgcn::hidden, s, memory);
    messages_ = make_array<float>(edges * classes, s, memory);
    message_gradients_ = make_array<float>(edges * classes, s, memory);
    edge_feature_gradients_ = make_array<float>(edges * rgcn::hidden, s, memory);
    sums_ = make_array<float>(static_cast<std::size_t>(c.num_vertices) * rgcn::hidden, s, memory);
    ones_ = upload(std::vector<float>(static_cast<std::size_t>(c.num_vertices), 1.0f), s);
    workspace_ = make_array<char>(std::size_t{32} << 20, s);
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    check_cublas(cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()), "cublasSetWorkspace");
    if (products == typed_products::grouped) make_groups();
  }
  typed_gemm_rgcn(typed_gemm_rgcn const&) = delete;
  typed_gemm_rgcn& operator=(typed_gemm_rgcn const&) = delete;
  ~typed_gemm_rgcn() { cublasDestroy(handle_); }

  void run(cudaStream_t s) {
    using namespace rgcn;
    rgcn_case& c = *c_;
    check_cublas(cublasSetStream(handle_, s), "cublasSetStream");
    check_cublas(cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()), "cublasSetWorkspace");
    int const classes = c.num_classes;
    std::int64_t const rows = c.num_vertices;
    float const* const norm = c.norm.data();
    // Layer 1: rows of weights by type and source, added up at destinations.
    clear(sums_, s);
    scatter(c.learned[pair_rows].data(), pairs_.data(), destinations_.data(), norm, hidden, sums_.data(), s);
    detail::finish_rows<<<detail::edge_blocks(rows * hidden), detail::edge_threads, 0, s>>>(
        sums_.data(), c.learned[own_rows].data(), c.learned[hidden_biases].data(), rows * hidden, hidden,
        c.feature.data());
    // Layer 2: features of edges, products type by type, added up at destinations.
    detail::gather_rows<<<detail::edge_blocks(c.num_edges * hidden), detail::edge_threads, 0, s>>>(
        c.feature.data(), sources_.data(), ids_.data(), nullptr, c.num_edges, hidden, edge_features_.data());
    multiply_by_type(product::forward);
    // out = feature own^T
    gemm(CUBLAS_OP_T, CUBLAS_OP_N, classes, static_cast<int>(rows), hidden, c.learned[own_class_weights].data(), hidden,
         c.feature.data(), hidden, c.out.data(), classes);
    scatter(messages_.data(), nullptr, destinations_.data(), norm, classes, c.out.data(), s);
    detail::finish_rows<<<detail::edge_blocks(rows * classes), detail::edge_threads, 0, s>>>(
        c.out.data(), nullptr, c.learned[class_biases].data(), rows * classes, classes, c.out.data());
    // Layer 2 backward.
    detail::gather_rows<<<detail::edge_blocks(c.num_edges * classes), detail::edge_threads, 0, s>>>(
        c.adjoint.data(), destinations_.data(), ids_.data(), norm, c.num_edges, classes, message_gradients_.data());
    multiply_by_type(product::of_features);
    multiply_by_type(product::of_weights);
    gemm(CUBLAS_OP_N, CUBLAS_OP_N, hidden, static_cast<int>(rows), classes, c.learned[own_class_weights].data(), hidden,
         c.adjoint.data(), classes, c.feature_gradient.data(), hidden);
    scatter(edge_feature_gradients_.data(), nullptr, sources_.data(), nullptr, hidden, c.feature_gradient.data(), s);
    gemm(CUBLAS_OP_N, CUBLAS_OP_T, hidden, classes, static_cast<int>(rows), c.feature.data(), hidden, c.adjoint.data(),
         classes, c.gradients[own_class_weights].data(), hidden);
    gemm(CUBLAS_OP_N, CUBLAS_OP_N, classes, 1, static_cast<int>(rows), c.adjoint.data(), classes, ones_.data(),
         static_cast<int>(rows), c.gradients[class_biases].data(), classes);
    // Layer 1 backward.
    float* const adjoint = c.gradients[own_rows].data();
    check_cuda(cudaMemcpyAsync(adjoint, c.feature_gradient.data(), c.feature_gradient.size_bytes(),
                               cudaMemcpyDeviceToDevice, s),
               "rgcn: copy");
    detail::pull_relu<<<detail::edge_blocks(rows * hidden), detail::edge_threads, 0, s>>>(c.feature.data(),
                                                                                          rows * hidden, adjoint);
    gemm(CUBLAS_OP_N, CUBLAS_OP_N, hidden, 1, static_cast<int>(rows), adjoint, hidden, ones_.data(),
         static_cast<int>(rows), c.gradients[hidden_biases].data(), hidden);
    clear(c.gradients[pair_rows], s);
    scatter(adjoint, destinations_.data(), pairs_.data(), norm, hidden, c.gradients[pair_rows].data(), s);
  }

private:
  enum class product { forward, of_features, of_weights };
  static constexpr int num_products = 3;

  /// Column-major as cuBLAS has it: the product of one type, with the edges [first, first + count).
  struct one_product {
    cublasOperation_t op_a, op_b;
    int m, n, k;
    float const* a;
    int lda;
    float const* b;
    int ldb;
    float* c;
    int ldc;
  };
  one_product product_of(product what, int type) {
    using rgcn::hidden;
    int const classes = c_->num_classes;
    std::int64_t const first = offsets_[static_cast<std::size_t>(type)];
    int const count = static_cast<int>(offsets_[static_cast<std::size_t>(type) + 1] - first);
    std::int64_t const weights_at = std::int64_t{type} * classes * hidden;
    float const* const weights = c_->learned[rgcn::class_weights].data() + weights_at;
    switch (what) {
      case product::forward:  // messages = features weights^T
        return {CUBLAS_OP_T, CUBLAS_OP_N,
                classes,     count,
                hidden,      weights,
                hidden,      edge_features_.data() + first * hidden,
                hidden,      messages_.data() + first * classes,
                classes};
      case product::of_features:  // gradients of features = gradients of messages weights
        return {CUBLAS_OP_N, CUBLAS_OP_N,
                hidden,      count,
                classes,     weights,
                hidden,      message_gradients_.data() + first * classes,
                classes,     edge_feature_gradients_.data() + first * hidden,
                hidden};
      default:  // gradients of weights = gradients of messages^T features
        return {CUBLAS_OP_N, CUBLAS_OP_T,
                hidden,      classes,
                count,       edge_features_.data() + first * hidden,
                hidden,      message_gradients_.data() + first * classes,
                classes,     c_->gradients[rgcn::class_weights].data() + weights_at,
                hidden};
    }
  }
  void gemm(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, float const* a, int lda,
            float const* b, int ldb, float* c, int ldc) {
    float const one = 1, zero = 0;
    check_cublas(cublasSgemm(handle_, op_a, op_b, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc), "cublasSgemm");
  }
  void multiply_by_type(product what) {
    if (products_ == typed_products::loop) {
      for (int type = 0; type < c_->num_types; ++type) {
        one_product const p = product_of(what, type);
        gemm(p.op_a, p.op_b, p.m, p.n, p.k, p.a, p.lda, p.b, p.ldb, p.c, p.ldc);
      }
      return;
    }
    groups const& g = groups_[static_cast<int>(what)];
    check_cublas(
        cublasSgemmGroupedBatched(handle_, g.op_a.data(), g.op_b.data(), g.m.data(), g.n.data(), g.k.data(),
                                  g.ones.data(), g.pointers.data(), g.lda.data(), g.pointers.data() + g.m.size(),
                                  g.ldb.data(), g.zeros.data(), const_cast<float**>(g.pointers.data() + 2 * g.m.size()),
                                  g.ldc.data(), static_cast<int>(g.m.size()), g.counts.data()),
        "cublasSgemmGroupedBatched");
  }
  /// Arguments of one call for all types: host arrays, and device pointers of A, B and C.
  struct groups {
    std::vector<cublasOperation_t> op_a, op_b;
    std::vector<int> m, n, k, lda, ldb, ldc, counts;
    std::vector<float> ones, zeros;
    device_buffer<float const*> pointers;
  };
  void make_groups() {
    for (int what = 0; what < num_products; ++what) {
      groups& g = groups_[what];
      std::vector<float const*> a, b, c;
      for (int type = 0; type < c_->num_types; ++type) {
        one_product const p = product_of(static_cast<product>(what), type);
        if (p.n == 0 || p.k == 0) continue;
        g.op_a.push_back(p.op_a), g.op_b.push_back(p.op_b);
        g.m.push_back(p.m), g.n.push_back(p.n), g.k.push_back(p.k);
        g.lda.push_back(p.lda), g.ldb.push_back(p.ldb), g.ldc.push_back(p.ldc);
        g.counts.push_back(1), g.ones.push_back(1), g.zeros.push_back(0);
        a.push_back(p.a), b.push_back(p.b), c.push_back(p.c);
      }
      std::vector<float const*> all(a);
      all.insert(all.end(), b.begin(), b.end());
      all.insert(all.end(), c.begin(), c.end());
      g.pointers = upload(all, c_->stream());
    }
  }
  void clear(device_buffer<float>& x, cudaStream_t s) {
    check_cuda(cudaMemsetAsync(x.data(), 0, x.size_bytes(), s), "rgcn: clear");
  }
  void scatter(float const* from, std::int32_t const* from_rows, std::int32_t const* to_rows, float const* norm,
               int columns, float* to, cudaStream_t s) {
    detail::scatter_rows<<<detail::edge_blocks(c_->num_edges * columns), detail::edge_threads, 0, s>>>(
        from, from_rows, to_rows, ids_.data(), norm, c_->num_edges, columns, to);
  }

  rgcn_case* c_;
  typed_products products_;
  cublasHandle_t handle_ = nullptr;
  std::vector<std::int64_t> offsets_;
  device_buffer<std::int32_t> sources_, destinations_, ids_, pairs_;  // by type
  device_buffer<float> edge_features_, messages_, message_gradients_, edge_feature_gradients_, sums_, ones_;
  device_buffer<char> workspace_;
  groups groups_[num_products];
};

inline candidate typed_gemm_candidate(rgcn_case& c, typed_products products) {
  auto const memory = make_counted_memory();
  return {products == typed_products::loop ? "loop" : "grouped",
          [=, &c]() -> launch_function {
            auto model = std::make_shared<typed_gemm_rgcn>(c, products, memory.get());
            return [memory, model](cudaStream_t s) { model->run(s); };
          },
          memory};
}

}  // namespace edgewise::bench
