// Dense products of matrices of every shape, order and stride against sums in float64.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <edgewise/core/matrix.hpp>

#include "support/catch.hpp"
#include "support/random.hpp"

namespace edgewise::testing {

/// c [rows, columns] = a b (+ c), with so many terms; a or b may lie transposed, rows of all have gaps.
struct product_request {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t terms = 0;
  bool turns_a = false;
  bool turns_b = false;
  bool adds = false;
};
/// A matrix in memory of its own.
template <class T>
struct stored_matrix {
  std::vector<T> data = {};
  matrix_view<T> shape = {};  ///< its data is null
};
template <class T>
stored_matrix<T> draw_matrix(std::int64_t rows, std::int64_t columns, bool turns, random_stream& random) {
  std::int64_t const stride = (turns ? rows : columns) + 3;
  stored_matrix<T> m;
  m.shape =
      turns ? matrix_view<T>{nullptr, rows, columns, 1, stride} : matrix_view<T>{nullptr, rows, columns, stride, 1};
  m.data.resize(static_cast<std::size_t>((turns ? columns : rows) * stride));
  for (T& x : m.data) x = static_cast<T>(static_cast<float>(2 * random.uniform() - 1));
  return m;
}
template <class T>
matrix_view<T> at(matrix_view<T> shape, T* data) {
  shape.data = data;
  return shape;
}

/// Calls run(request, a, b, c), which returns the memory of c afterwards, and judges what is there. K: roundings that a
/// sum may have besides those of its terms.
template <class T, class Run>
void check_products(Run const& run) {
  constexpr std::int64_t shapes[][3] = {{1, 1, 1},   {3, 5, 2},     {70, 33, 40},  {4, 32, 512}, {129, 65, 17},
                                        {64, 64, 0}, {17, 9, 3000}, {200, 1, 130}, {1, 200, 77}};
  random_stream random("dense products");
  for (auto const& [rows, columns, terms] : shapes) {
    for (int variant = 0; variant < 8; ++variant) {
      product_request const request{rows, columns, terms, (variant & 1) != 0, (variant & 2) != 0, (variant & 4) != 0};
      INFO(rows << " x " << columns << ", " << terms << " terms, variant " << variant);
      auto a = draw_matrix<T>(rows, terms, request.turns_a, random);
      auto b = draw_matrix<T>(terms, columns, request.turns_b, random);
      auto c = draw_matrix<T>(rows, columns, false, random);
      std::vector<T> const found = run(request, a, b, c);
      int far = 0;
      auto const value = [](stored_matrix<T>& m, std::int64_t i, std::int64_t j) {
        return static_cast<double>(at(m.shape, m.data.data()).at(i, j));
      };
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns + 3; ++j) {
          std::size_t const place = static_cast<std::size_t>(i * (columns + 3) + j);
          if (j >= columns) {  // gaps stay as they were
            far += found[place] != c.data[place];
            continue;
          }
          double sum = request.adds ? value(c, i, j) : 0, scale = std::abs(sum) + 1;
          for (std::int64_t k = 0; k < terms; ++k) {
            double const product = value(a, i, k) * value(b, k, j);
            sum += product;
            scale += std::abs(product);
          }
          far += !(std::abs(static_cast<double>(found[place]) - sum) <= 1e-6 * scale);
        }
      }
      CHECK(far == 0);
    }
  }
}

}  // namespace edgewise::testing
