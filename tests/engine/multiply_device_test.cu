#include "multiply_device.hpp"

#include <edgewise/edgewise.cuh>

#include "support/device.cuh"

namespace edgewise::testing {

template <class T>
std::vector<T> multiply_on_device(product_request const& request, stored_matrix<T> const& a, stored_matrix<T> const& b,
                                  stored_matrix<T> const& c) {
  using engine = edgewise::detail::engine<cuda>;
  device_stream const stream;
  auto const a_data = upload(a.data);
  auto const b_data = upload(b.data);
  auto const c_data = upload(c.data);
  auto const exact = engine::product_partials(request.rows, request.columns, request.terms);
  if (exact > engine::most_product_partials(request.rows, request.columns)) return {};
  auto const partials = upload(std::vector<T>(static_cast<std::size_t>(exact)));
  engine::multiply<T>(cuda{.stream = stream.get()}, at(a.shape, a_data.data()), at(b.shape, b_data.data()),
                      at(c.shape, c_data.data()), request.adds, partials.data());
  stream.synchronize();
  return c_data.values();
}
template std::vector<float> multiply_on_device(product_request const&, stored_matrix<float> const&,
                                               stored_matrix<float> const&, stored_matrix<float> const&);
template std::vector<double> multiply_on_device(product_request const&, stored_matrix<double> const&,
                                                stored_matrix<double> const&, stored_matrix<double> const&);

}  // namespace edgewise::testing
