// The library's side of bench_cpu_spmm: the weighted sum as a fused program on the host, planned once.
#pragma once

#include <edgewise/edgewise.hpp>

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/host_operands.hpp"
#include "weighted_sum_program.hpp"

namespace edgewise::bench {

namespace detail {

inline auto weighted_sum_inputs(host_weighted_sum const& operands) {
  host_grouping const& rows = *operands.rows;
  return bindings(bind<feature>(wide(operands.features.data(), rows.num_neighbors, operands.channels)),
                  bind<weight>(per_row(operands.weights.data(), rows.num_edges())));
}

// weights are in the order of positions, hence no edge ids
inline auto plan_weighted_sum(host_weighted_sum const& operands, int threads) {
  host_grouping const& rows = *operands.rows;
  csr_view<> const csr{{.offsets = rows.offsets.data(),
                        .neighbors = rows.neighbors.data(),
                        .edge_ids = nullptr,
                        .num_rows = rows.num_rows(),
                        .num_neighbors = rows.num_neighbors,
                        .num_edges = static_cast<std::int32_t>(rows.num_edges())}};
  auto const kernel = fuse(edgewise::graph{csr}, automatic{}, weighted_sum_program);
  return kernel.plan(cpu{.threads = threads}, weighted_sum_inputs(operands));
}

}  // namespace detail

/// The product on `threads` host threads; the operands must outlive it.
class edgewise_cpu_spmm {
public:
  edgewise_cpu_spmm(host_weighted_sum const& operands, int threads)
      : operands_(&operands),
        threads_(threads),
        out_(operands.out_size(), 1e30f),
        plan_(detail::plan_weighted_sum(operands, threads)) {}

  void operator()() {
    plan_.forward(cpu{.threads = threads_}, detail::weighted_sum_inputs(*operands_),
                  edgewise::out(wide(out_.data(), operands_->rows->num_rows(), operands_->channels)));
  }

  float const* out() const { return out_.data(); }  // [num_rows, channels]

private:
  host_weighted_sum const* operands_;
  int threads_;
  std::vector<float> out_;
  decltype(detail::plan_weighted_sum(std::declval<host_weighted_sum const&>(), 0)) plan_;
};

}  // namespace edgewise::bench
