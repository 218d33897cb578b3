// A program whose products cuBLAS computes, without CUDA headers.
#pragma once

#include "program/linear_cases.hpp"

namespace edgewise::testing {

linear_result run_by_cublas(test_graph const& graph, linear_inputs const& in, std::vector<double> const& adjoint);
linear_result run_by_cublas_in_16_bits(test_graph const& graph, linear_inputs const& in,
                                       std::vector<double> const& adjoint);

}  // namespace edgewise::testing
