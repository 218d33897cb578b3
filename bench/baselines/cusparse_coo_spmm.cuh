// cuSPARSE's SpMM over COO sorted by row: every algorithm, set up once, as candidates for the same timing.
#pragma once

#include <memory>
#include <vector>

#include "cusparse_spmm.cuh"

namespace edgewise::bench {

/// Every COO algorithm of cuSPARSE for these operands; `rows_of` [E] holds the row of each position of the grouping.
/// `handle` must outlive the candidates.
template <class T>
std::vector<candidate> cusparse_coo_weighted_sum(cusparse_handle const& handle,
                                                 weighted_sum_operands<T> const& operands, std::int32_t const* rows_of,
                                                 cudaStream_t stream) {
  std::vector<candidate> candidates;
  auto add = [&](char const* name, cusparseSpMMAlg_t algorithm) {
    auto const memory = make_counted_memory();
    candidates.push_back({name,
                          [&handle, operands, rows_of, algorithm, stream, memory]() -> launch_function {
                            auto matrix = cusparse_coo(operands.rows, rows_of, operands.weights);
                            // std::function copies; the descriptors have one owner
                            auto product = std::make_shared<cusparse_spmm<T>>(handle, operands, std::move(matrix),
                                                                              algorithm, stream, memory);
                            return [product](cudaStream_t s) { (*product)(s); };
                          },
                          memory});
  };
  add("spmm_coo_alg1", CUSPARSE_SPMM_COO_ALG1);
  add("spmm_coo_alg2", CUSPARSE_SPMM_COO_ALG2);
  add("spmm_coo_alg3", CUSPARSE_SPMM_COO_ALG3);
  add("spmm_coo_alg4", CUSPARSE_SPMM_COO_ALG4);
  return candidates;
}

}  // namespace edgewise::bench
