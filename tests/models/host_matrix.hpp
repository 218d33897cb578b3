// Host matrices from and to vectors, for tests of the models.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "models/context.hpp"
#include "models/matrix.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

using host_context = models::context<cpu>;

template <class T>
models::matrix<T, host_space> make_host_matrix(host_context const& context, std::int64_t rows, std::int64_t cols,
                                               std::vector<T> const& elements) {
  models::matrix<T, host_space> result(context.make_buffer<T>(rows * cols), rows, cols);
  context.upload(elements.data(), static_cast<std::int64_t>(elements.size()), result.view().data);
  return result;
}

template <class T>
models::matrix<T, host_space> random_host_matrix(host_context const& context, random_stream& random, std::int64_t rows,
                                                 std::int64_t cols) {
  std::vector<T> elements;
  for (std::int64_t i = 0; i < rows * cols; ++i) elements.push_back(static_cast<T>(random.uniform(-1, 1)));
  return make_host_matrix(context, rows, cols, elements);
}

template <class T>
std::vector<std::remove_const_t<T>> elements_of(models::matrix_view<T, host_space> x) {
  return {x.data, x.data + x.size()};
}

}  // namespace edgewise::testing
