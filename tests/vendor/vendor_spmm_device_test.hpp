// Products that vendor_spmm_device_test.cu runs on the device, for vendor_spmm_device_test.cpp to judge.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/program_case.hpp"
#include "support/test_graph.hpp"

namespace edgewise::testing {

/// gather<sum> or gather<mean> of features, of weight * features, or of features * weight.
enum class vendor_message { features, weighted, weighted_behind };

struct vendor_request {
  test_graph const* graph = nullptr;
  width extents = {};
  vendor_message message = vendor_message::weighted;
  bool is_mean = false;
  bool is_measured = false;  // or cuSPARSE's csr_2
  bool has_ids = true;       // or ids are positions: weights are given in the order of the csr, and no gradient
  int row_padding = 0;
  int weight_stride = 1;
};

/// Rows as packed [rows, heads * channels]. The second weights and features come in arrays of their own to the same
/// plan.
template <class T>
struct vendor_operands {
  std::vector<T> features[2], weights[2], grad_out;
};
template <class T>
struct vendor_result {
  std::vector<T> out, out_again, out_of_second;
  std::vector<T> gradient, added_gradient;  // the latter added to features[0]
  std::string damage;
  std::string explanation;
  std::size_t num_allocations = 0;  // while passes ran
  std::size_t workspace_bytes = 0;
};
template <class T>
vendor_result<T> run_vendor_spmm(vendor_request const& request, vendor_operands<T> const& operands);

/// What a plan says to wrong calls, one per line.
std::vector<std::string> vendor_refusals();

}  // namespace edgewise::testing
