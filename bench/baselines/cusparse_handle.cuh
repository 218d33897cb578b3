// cuSPARSE's handle, descriptors and errors, owned.
#pragma once

#include <cusparse.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include <edgewise/format/grouping.hpp>

#include "../harness/device_array.cuh"

namespace edgewise::bench {

/// A cuSPARSE call failed; `code()` is the cusparseStatus_t.
class cusparse_error : public error {
public:
  cusparse_error(cusparseStatus_t code, std::string const& what) : error(what), code_(code) {}
  cusparseStatus_t code() const noexcept { return code_; }

private:
  cusparseStatus_t code_;
};

inline void check_cusparse(cusparseStatus_t status, char const* what) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    throw cusparse_error(status, edgewise::detail::text(what, ": ", cusparseGetErrorString(status)));
  }
}

/// A cuSPARSE context; scalars are passed from the host, so that captured calls carry them by value.
class cusparse_handle {
public:
  cusparse_handle() {
    check_cusparse(cusparseCreate(&handle_), "cusparseCreate");
    check_cusparse(cusparseSetPointerMode(handle_, CUSPARSE_POINTER_MODE_HOST), "cusparseSetPointerMode");
  }
  cusparse_handle(cusparse_handle const&) = delete;
  cusparse_handle& operator=(cusparse_handle const&) = delete;
  ~cusparse_handle() { cusparseDestroy(handle_); }

  /// The handle, with its work directed to `stream`.
  cusparseHandle_t on(cudaStream_t stream) const {
    check_cusparse(cusparseSetStream(handle_, stream), "cusparseSetStream");
    return handle_;
  }
  std::string version() const {
    int v = 0;
    check_cusparse(cusparseGetVersion(handle_, &v), "cusparseGetVersion");
    return edgewise::detail::text("cuSPARSE ", v / 1000, ".", v % 1000 / 100, ".", v % 100);
  }

private:
  cusparseHandle_t handle_ = nullptr;
};

struct cusparse_delete {
  void operator()(cusparseSpMatDescr const* matrix) const { cusparseDestroySpMat(matrix); }
  void operator()(cusparseDnMatDescr const* matrix) const { cusparseDestroyDnMat(matrix); }
  void operator()(cusparseDnVecDescr const* vector) const { cusparseDestroyDnVec(vector); }
};
template <class Descriptor>
using cusparse_owned = std::unique_ptr<Descriptor, cusparse_delete>;

/// The grouping as a CSR matrix of shape [num_rows, num_neighbors] with `values` [E] in the order of its positions.
template <class T>
cusparse_owned<cusparseSpMatDescr const> cusparse_csr(grouping_view<> const& rows, T const* values) {
  cusparseConstSpMatDescr_t matrix = nullptr;
  check_cusparse(cusparseCreateConstCsr(&matrix, rows.num_rows, rows.num_neighbors, rows.num_edges, rows.offsets,
                                        rows.neighbors, values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                        CUSPARSE_INDEX_BASE_ZERO, element<T>::cuda_type),
                 "cusparseCreateConstCsr");
  return cusparse_owned<cusparseSpMatDescr const>(matrix);
}

/// The grouping's edges as a COO matrix of the same shape, sorted by row; `rows_of` [E] holds the row of each position.
template <class T>
cusparse_owned<cusparseSpMatDescr const> cusparse_coo(grouping_view<> const& rows, std::int32_t const* rows_of,
                                                      T const* values) {
  cusparseConstSpMatDescr_t matrix = nullptr;
  check_cusparse(
      cusparseCreateConstCoo(&matrix, rows.num_rows, rows.num_neighbors, rows.num_edges, rows_of, rows.neighbors,
                             values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, element<T>::cuda_type),
      "cusparseCreateConstCoo");
  return cusparse_owned<cusparseSpMatDescr const>(matrix);
}

/// A row-major dense matrix [rows, columns], rows row_stride elements apart, read-only when T is const.
template <class T>
auto cusparse_dense(T* data, std::int64_t rows, std::int64_t columns, std::int64_t row_stride) {
  auto constexpr type = element<std::remove_const_t<T>>::cuda_type;
  if constexpr (std::is_const_v<T>) {
    cusparseConstDnMatDescr_t matrix = nullptr;
    check_cusparse(cusparseCreateConstDnMat(&matrix, rows, columns, row_stride, data, type, CUSPARSE_ORDER_ROW),
                   "cusparseCreateConstDnMat");
    return cusparse_owned<cusparseDnMatDescr const>(matrix);
  } else {
    cusparseDnMatDescr_t matrix = nullptr;
    check_cusparse(cusparseCreateDnMat(&matrix, rows, columns, row_stride, data, type, CUSPARSE_ORDER_ROW),
                   "cusparseCreateDnMat");
    return cusparse_owned<cusparseDnMatDescr>(matrix);
  }
}

}  // namespace edgewise::bench
