// An R-GCN layer as frameworks compute it with segmented products: tensors of edges by type, cuBLAS, atomics.
#pragma once

#include <cublas_v2.h>

#include <cstdint>
#include <vector>

#include "../harness/device_array.cuh"
#include "../typed_layer.hpp"
#include "typed_gemm_rgcn.cuh"

namespace edgewise::bench {

/// Forward and backward of out = sum over edges of norm x_source W_type. Tensors of edges: rows of x [E, inputs],
/// messages [E, outputs], and both gradients.
class typed_gemm_layer {
public:
  typed_gemm_layer(typed_edges<> const& types, typed_layer::arrays<float> const& a, typed_products products,
                   cudaStream_t stream, memory_resource* memory)
      : a_(a), products_(products), offsets_(types.offsets().begin(), types.offsets().end()) {
    auto const copy = [&](auto const& x) { return upload(std::vector<std::int32_t>(x.begin(), x.end()), stream); };
    sources_ = copy(types.sources());
    destinations_ = copy(types.destinations());
    ids_ = copy(types.edge_ids());
    auto const edges = static_cast<std::size_t>(a.edges);
    auto const inputs = static_cast<std::size_t>(a.inputs), outputs = static_cast<std::size_t>(a.outputs);
    rows_ = make_array<float>(edges * inputs, stream, memory);
    row_gradients_ = make_array<float>(edges * inputs, stream, memory);
    messages_ = make_array<float>(edges * outputs, stream, memory);
    message_gradients_ = make_array<float>(edges * outputs, stream, memory);
    workspace_ = make_array<char>(std::size_t{32} << 20, stream);
    check_cublas(cublasCreate(&handle_), "cublasCreate");
    for (int what = 0; what < num_products; ++what) add_group(what, stream);
  }
  typed_gemm_layer(typed_gemm_layer const&) = delete;
  typed_gemm_layer& operator=(typed_gemm_layer const&) = delete;
  ~typed_gemm_layer() { cublasDestroy(handle_); }

  void run(cudaStream_t s) {
    check_cublas(cublasSetStream(handle_, s), "cublasSetStream");
    check_cublas(cublasSetWorkspace(handle_, workspace_.data(), workspace_.size()), "cublasSetWorkspace");
    // Types without edges have no product; their gradient is zero.
    auto const bytes = static_cast<std::size_t>(a_.types * a_.inputs * a_.outputs) * sizeof(float);
    check_cuda(cudaMemsetAsync(a_.grad_matrices, 0, bytes, s), "typed layer: clear");
    gather(a_.x, sources_, nullptr, a_.inputs, rows_, s);
    multiply(forward);
    scatter(messages_, a_.norm, destinations_, a_.outputs, a_.vertices, a_.out, s);
    gather(a_.adjoint, destinations_, a_.norm, a_.outputs, message_gradients_, s);
    multiply(of_rows);
    multiply(of_matrices);
    scatter(row_gradients_, nullptr, sources_, a_.inputs, a_.vertices, a_.grad_x, s);
  }

private:
  enum { forward, of_rows, of_matrices, num_products };
  /// Column-major as cuBLAS has it.
  struct group {
    std::vector<cublasOperation_t> op_a, op_b;
    std::vector<int> m, n, k, lda, ldb, ldc, ones;
    std::vector<float> alphas, betas;
    std::vector<float const*> a, b;
    std::vector<float*> c;
    device_buffer<float const*> pointers;
  };
  void add_group(int what, cudaStream_t stream) {
    group& g = groups_[what];
    for (std::size_t t = 0; t + 1 < offsets_.size(); ++t) {
      std::int64_t const first = offsets_[t];
      int const count = static_cast<int>(offsets_[t + 1] - first);
      if (count == 0) continue;
      std::int64_t const at = static_cast<std::int64_t>(t) * a_.inputs * a_.outputs;
      float const* const w = a_.matrices + at;
      auto const add = [&](cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, float const* a, int lda,
                           float const* b, int ldb, float* c, int ldc) {
        g.op_a.push_back(op_a), g.op_b.push_back(op_b), g.m.push_back(m), g.n.push_back(n), g.k.push_back(k);
        g.a.push_back(a), g.b.push_back(b), g.c.push_back(c);
        g.lda.push_back(lda), g.ldb.push_back(ldb), g.ldc.push_back(ldc);
        g.ones.push_back(1), g.alphas.push_back(1), g.betas.push_back(0);
      };
      auto const x = rows_.data() + first * a_.inputs;
      auto const dx = row_gradients_.data() + first * a_.inputs;
      auto const y = messages_.data() + first * a_.outputs;
      auto const dy = message_gradients_.data() + first * a_.outputs;
      int const in = a_.inputs, to = a_.outputs;
      if (what == forward) add(CUBLAS_OP_N, CUBLAS_OP_N, to, count, in, w, to, x, in, y, to);
      if (what == of_rows) add(CUBLAS_OP_T, CUBLAS_OP_N, in, count, to, w, to, dy, to, dx, in);
      if (what == of_matrices) add(CUBLAS_OP_N, CUBLAS_OP_T, to, in, count, dy, to, x, in, a_.grad_matrices + at, to);
    }
    std::vector<float const*> all(g.a);
    all.insert(all.end(), g.b.begin(), g.b.end());
    all.insert(all.end(), g.c.begin(), g.c.end());
    g.pointers = upload(all, stream);
  }
  void multiply(int what) {
    group const& g = groups_[what];
    std::size_t const count = g.m.size();
    if (products_ == typed_products::grouped) {
      check_cublas(
          cublasSgemmGroupedBatched(handle_, g.op_a.data(), g.op_b.data(), g.m.data(), g.n.data(), g.k.data(),
                                    g.alphas.data(), g.pointers.data(), g.lda.data(), g.pointers.data() + count,
                                    g.ldb.data(), g.betas.data(), const_cast<float**>(g.pointers.data() + 2 * count),
                                    g.ldc.data(), static_cast<int>(count), g.ones.data()),
          "cublasSgemmGroupedBatched");
      return;
    }
    float const one = 1, zero = 0;
    for (std::size_t t = 0; t < count; ++t) {
      check_cublas(cublasSgemm(handle_, g.op_a[t], g.op_b[t], g.m[t], g.n[t], g.k[t], &one, g.a[t], g.lda[t], g.b[t],
                               g.ldb[t], &zero, g.c[t], g.ldc[t]),
                   "cublasSgemm");
    }
  }
  void gather(float const* from, device_buffer<std::int32_t> const& rows, float const* norm, int columns,
              device_buffer<float>& to, cudaStream_t s) {
    detail::gather_rows<<<detail::edge_blocks(a_.edges * columns), detail::edge_threads, 0, s>>>(
        from, rows.data(), ids_.data(), norm, a_.edges, columns, to.data());
  }
  void scatter(device_buffer<float> const& from, float const* norm, device_buffer<std::int32_t> const& rows,
               int columns, std::int64_t num_rows, float* to, cudaStream_t s) {
    auto const bytes = static_cast<std::size_t>(num_rows * columns) * sizeof(float);
    check_cuda(cudaMemsetAsync(to, 0, bytes, s), "typed layer: clear");
    detail::scatter_rows<<<detail::edge_blocks(a_.edges * columns), detail::edge_threads, 0, s>>>(
        from.data(), nullptr, rows.data(), ids_.data(), norm, a_.edges, columns, to);
  }

  typed_layer::arrays<float> a_;
  typed_products products_;
  cublasHandle_t handle_ = nullptr;
  std::vector<std::int64_t> offsets_;
  device_buffer<std::int32_t> sources_, destinations_, ids_;  // by type
  device_buffer<float> rows_, row_gradients_, messages_, message_gradients_;
  device_buffer<char> workspace_;
  group groups_[num_products];
};

}  // namespace edgewise::bench
