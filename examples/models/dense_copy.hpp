// A sparse matrix as a dense one, under the same dropout.
#pragma once

#include <cstdint>
#include <limits>

#include <edgewise/core/error.hpp>
#include <edgewise/edgewise.hpp>

#include "models/matrix.hpp"
#include "models/random_bits.hpp"
#include "models/sparse_matrix.hpp"
#include "models/sparse_product.hpp"

namespace edgewise::models {
namespace detail {

/// Places of the elements of a row in the dense matrix.
struct place_row {
  csr_view<> by_row;
  std::int32_t* places;
  EDGEWISE_HD void operator()(std::int64_t row) const {
    for (auto k = by_row.offsets[row]; k < by_row.offsets[row + 1]; ++k) {
      places[k] = static_cast<std::int32_t>(row * by_row.num_neighbors + by_row.neighbors[k]);
    }
  }
};

/// Writes an element, dropped or not. `state` is null where nothing is, `numbers` where elements have their positions.
template <class T>
struct write_element {
  decltype(dropped_element(0.0)) element;
  random_state const* state;
  T const* values;
  std::int32_t const* places;
  std::int64_t const* numbers;
  T* dense;
  EDGEWISE_HD void operator()(std::int64_t k) const {
    mask_key key{};
    if (state != nullptr) key = make_mask_key({state->seed, static_cast<std::uint32_t>(state->step), 0});
    auto const number = static_cast<std::uint64_t>(numbers == nullptr ? k : numbers[k]);
    dense[places[k]] = element.keep_number(key, number, 0, values[k]);
  }
};

}  // namespace detail

/// Whether products of x with `columns` columns are faster with a dense copy, or were asked to be made so. Throws
/// `invalid_argument` where they were and there can be none: an element in two parts, or more elements than 31 bits
/// count.
template <class T, class Context>
bool takes_dense_copy(sparse_matrix<T, Context> const& x, std::int64_t columns) {
  if (x.products() == product_kind::sparse) return false;
  std::int64_t const size = x.rows() * x.cols();
  bool const fits = size <= std::numeric_limits<std::int32_t>::max(), has_repeats = x.repeats_in_row() >= 0;
  if (x.products() == product_kind::automatic) {
    double const share = Context::dense_share(columns);
    return fits && !has_repeats && static_cast<double>(x.view().first.num_edges) >= share * static_cast<double>(size);
  }
  if (!fits) {
    throw invalid_argument(
        edgewise::detail::text("dense copy of [", x.rows(), ", ", x.cols(), "]: 31 bits do not count its elements"));
  }
  if (has_repeats) {
    throw invalid_argument(
        edgewise::detail::text("dense copy: row ", x.repeats_in_row(), " has two elements in one column"));
  }
  return true;
}

/// Owns the copy. The matrix must outlive it.
template <class T, class Context>
class dense_copy {
public:
  using space = typename Context::space;

  /// Of x as it is. Nothing will be dropped where `state` is null.
  dense_copy(Context const& context, sparse_matrix<T, Context> const& x, random_state const* state, double probability)
      : x_(&x),
        element_(detail::dropped_element(probability)),
        state_(probability > 0 ? state : nullptr),
        places_(context.template make_buffer<std::int32_t>(x.view().first.num_edges)),
        dense_(context.template make_buffer<T>(x.rows() * x.cols()), x.rows(), x.cols()) {
    context.for_each(x.rows(), detail::place_row{csr_of(x), places_.data()});
    context.fill_zero(dense_.view().data, dense_.view().size());
    write_all(context, nullptr);
  }

  /// What dropout leaves of x at the state's step, the same that `sparse_product` has of it; x where `drops` is false.
  void write(Context const& context, bool drops) {
    if (state_ != nullptr) write_all(context, drops ? state_ : nullptr);
  }
  matrix_view<T const, space> view() const { return dense_.view(); }

private:
  void write_all(Context const& context, random_state const* state) {
    context.for_each(csr_of(*x_).num_edges, detail::write_element<T>{element_, state, x_->values().data, places_.data(),
                                                                     x_->numbers(), dense_.view().data});
  }
  static csr_view<> csr_of(sparse_matrix<T, Context> const& x) { return x.view().first; }

  sparse_matrix<T, Context> const* x_;
  decltype(detail::dropped_element(0.0)) element_;
  random_state const* state_;
  buffer<std::int32_t, space> places_;
  matrix<T, space> dense_;
};

}  // namespace edgewise::models
