#include <edgewise/vendor/vendor_cublas.cuh>

#include "engine/multiply_device.hpp"
#include "plan/device_machine.cuh"
#include "program/run_linear.hpp"
#include "vendor_cublas_device_test.hpp"

namespace edgewise::testing {

template <class T>
std::vector<T> multiply_by_cublas(product_request const& request, stored_matrix<T> const& a, stored_matrix<T> const& b,
                                  stored_matrix<T> const& c) {
  static cublas_library const blas;
  device_stream const stream;
  auto const a_data = upload(a.data);
  auto const b_data = upload(b.data);
  auto const c_data = upload(c.data);
  bool const is_taken = blas.multiply(cuda{.stream = stream.get()}, at(a.shape, a_data.data()),
                                      at(b.shape, b_data.data()), at(c.shape, c_data.data()), request.adds);
  stream.synchronize();
  return is_taken ? c_data.values() : std::vector<T>{};
}
template std::vector<float> multiply_by_cublas(product_request const&, stored_matrix<float> const&,
                                               stored_matrix<float> const&, stored_matrix<float> const&);
template std::vector<double> multiply_by_cublas(product_request const&, stored_matrix<double> const&,
                                                stored_matrix<double> const&, stored_matrix<double> const&);

linear_result run_by_cublas(test_graph const& graph, linear_inputs const& in, std::vector<double> const& adjoint) {
  cublas_library const blas;
  return run_linear<aggregated_first, float>(device_machine{}, graph, in, adjoint, products_by(blas));
}
linear_result run_by_cublas_in_16_bits(test_graph const& graph, linear_inputs const& in,
                                       std::vector<double> const& adjoint) {
  cublas_library const blas;
  return run_linear<aggregated_first, bfloat16>(device_machine{}, graph, in, adjoint, products_by(blas));
}

}  // namespace edgewise::testing
