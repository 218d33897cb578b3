// One product of a grouping's matrix with a table of features by cuSPARSE, set up once.
#pragma once

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <edgewise/core/device_memory.cuh>
#include <edgewise/core/error.hpp>
#include <edgewise/core/launch.cuh>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/grouping.hpp>
#include <edgewise/tuning/tuning_clock.cuh>

namespace edgewise::inline v0 {

/// A cuSPARSE call failed; `code()` is the cusparseStatus_t.
class vendor_error : public error {
public:
  vendor_error(int code, std::string const& what) : error(what), code_(code) {}
  int code() const noexcept { return code_; }

private:
  int code_;
};

/// Algorithms of cusparseSpMM for CSR: the library's default, two of its own by number, or the fastest of them here.
/// Its third one rests on cusparseSpMM_preprocess (below) and is left out. cuSPARSE promises equal bits from run to run
/// for none of these.
enum class spmm_algorithm { measured, standard, csr_1, csr_2 };

namespace detail {

inline void check_vendor(cusparseStatus_t status, char const* what) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    cudaGetLastError();  // clears the error, as check_cuda does
    throw vendor_error(static_cast<int>(status), text(what, ": ", cusparseGetErrorString(status)));
  }
}

template <class T>
inline constexpr bool has_vendor_type =
    std::is_same_v<std::remove_const_t<T>, float> || std::is_same_v<std::remove_const_t<T>, double>;
template <class T>
inline constexpr cudaDataType vendor_type = std::is_same_v<T, double> ? CUDA_R_64F : CUDA_R_32F;

/// A cuSPARSE context; scalars are passed from the host, so that captured calls carry them by value.
class vendor_library {
public:
  vendor_library() {
    cusparseHandle_t handle = nullptr;
    check_vendor(cusparseCreate(&handle), "vendor_spmm: cusparseCreate");
    handle_.reset(handle);
    check_vendor(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST), "vendor_spmm: cusparseSetPointerMode");
  }

  cusparseHandle_t on(stream_handle stream) const {
    check_vendor(cusparseSetStream(handle_.get(), stream), "vendor_spmm: cusparseSetStream");
    return handle_.get();
  }
  std::string version() const {
    int number = 0;
    check_vendor(cusparseGetVersion(handle_.get(), &number), "vendor_spmm: cusparseGetVersion");
    return joined("cuSPARSE ", number / 1000, ".", number % 1000 / 100, ".", number % 100);
  }

private:
  struct destroy {
    void operator()(cusparseContext* handle) const { cusparseDestroy(handle); }
  };
  std::unique_ptr<cusparseContext, destroy> handle_;
};

struct vendor_delete {
  void operator()(cusparseSpMatDescr* matrix) const { cusparseDestroySpMat(matrix); }
  void operator()(cusparseDnMatDescr* matrix) const { cusparseDestroyDnMat(matrix); }
};
using vendor_matrix = std::unique_ptr<cusparseSpMatDescr, vendor_delete>;
using vendor_table = std::unique_ptr<cusparseDnMatDescr, vendor_delete>;

/// Row-major [rows, columns]. A host object: making one allocates nothing on the device.
template <class T>
vendor_table make_vendor_table(T* data, std::int64_t rows, std::int64_t columns, std::int64_t row_stride) {
  cusparseDnMatDescr_t table = nullptr;
  check_vendor(cusparseCreateDnMat(&table, rows, columns, row_stride > columns ? row_stride : columns,
                                   const_cast<std::remove_const_t<T>*>(data), vendor_type<std::remove_const_t<T>>,
                                   CUSPARSE_ORDER_ROW),
               "vendor_spmm: cusparseCreateDnMat");
  return vendor_table(table);
}

/// The weights of edges by id, null where all are 1.
template <class T>
struct spmm_weights {
  T const* data = nullptr;
  std::int64_t row_stride = 1;
};

/// values[position] = weight of the edge, over the degree of its destination where `destination_offsets` is not null.
/// One warp per row. Shapes: values [num_edges].
template <class T>
__global__ void fill_spmm_values(grouping_view<> grouping, spmm_weights<T> weights,
                                 std::int32_t const* destination_offsets, bool rows_are_destinations, T* values) {
  std::int64_t const row = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
  if (row >= grouping.num_rows) return;
  for (std::int32_t k = grouping.offsets[row] + static_cast<std::int32_t>(threadIdx.x % 32);
       k < grouping.offsets[row + 1]; k += 32) {
    T value = weights.data ? weights.data[grouping.edge_id(k) * weights.row_stride] : T(1);
    if (destination_offsets) {
      std::int64_t const v = rows_are_destinations ? row : std::int64_t{grouping.neighbors[k]};
      value /= static_cast<T>(destination_offsets[v + 1] - destination_offsets[v]);
    }
    values[k] = value;
  }
}

/// cuSPARSE takes a matrix of no more entries than places, although multi-edges are entries of their own to it.
inline void require_room(grouping_view<> const& grouping) {
  if (grouping.num_edges > std::int64_t{grouping.num_rows} * grouping.num_neighbors) {
    throw invalid_argument(text("vendor_spmm: cuSPARSE takes no more edges than pairs of vertices: graph has ",
                                grouping.num_edges, " edges, ", grouping.num_rows, " rows and ", grouping.num_neighbors,
                                " neighbors"));
  }
}

/// out = A * in or out += A * in, A the grouping as a CSR matrix [num_rows, num_neighbors] of weights.
template <class T>
class vendor_product {
public:
  vendor_product() = default;
  /// Chooses an algorithm. Means: `destination_offsets` is not null.
  /// Synchronises where it measures.
  vendor_product(stream_handle stream, memory_resource* memory, vendor_library const& library,
                 grouping_view<> const& grouping, std::int64_t columns, spmm_weights<T> weights,
                 std::int32_t const* destination_offsets, bool rows_are_destinations, spmm_algorithm algorithm)
      : columns_(columns), destination_offsets_(destination_offsets), rows_are_destinations_(rows_are_destinations) {
    if (is_empty(grouping)) return;
    require_room(grouping);
    owns_values_ = !takes_weights(grouping, weights);
    if (owns_values_) {
      values_ = device_buffer<T>(static_cast<std::size_t>(grouping.num_edges), memory, stream);
      fill(stream, grouping, weights);
    }
    T const* const values = owns_values_ ? values_.data() : weights.data;
    // Tables of the right shapes: those of calls come later, and may have other strides.
    scratch const tables(stream, memory, grouping, columns, algorithm == spmm_algorithm::measured);
    if (algorithm != spmm_algorithm::measured) {
      setup_ = setup(stream, memory, library, grouping, values, tables, algorithm);
      return;
    }
    check_cuda(cudaStreamSynchronize(stream), "vendor_spmm: wait for the stream");  // the clock has its own
    tuning_clock const clock;
    double best_ms = std::numeric_limits<double>::infinity();
    for (spmm_algorithm const candidate : {spmm_algorithm::standard, spmm_algorithm::csr_1, spmm_algorithm::csr_2}) {
      try {
        setup made(stream, memory, library, grouping, values, tables, candidate);
        check_cuda(cudaStreamSynchronize(stream), "vendor_spmm: prepare");
        double const ms =
            clock.measure([&] { made.run(library.on(clock.stream()), tables.in.get(), tables.out.get(), false); });
        if (ms < best_ms) {
          best_ms = ms;
          setup_ = std::move(made);
        }
      } catch (vendor_error const&) {  // an algorithm that does not take this problem
      }
    }
    check_cuda(cudaStreamSynchronize(clock.stream()), "vendor_spmm: measure");
    if (!setup_.matrix) setup_ = setup(stream, memory, library, grouping, values, tables, spmm_algorithm::standard);
  }

  /// in [num_neighbors, columns], out [num_rows, columns]. Weights as when it was set up, with the same strides or
  /// others.
  void run(stream_handle stream, vendor_library const& library, grouping_view<> const& grouping,
           spmm_weights<T> weights, T const* in, std::int64_t in_stride, T* out, std::int64_t out_stride,
           bool adds) const {
    if (is_empty(grouping)) {
      if (grouping.num_rows > 0 && !adds) {
        check_cuda(cudaMemset2DAsync(out, static_cast<std::size_t>(stride_of(out_stride)) * sizeof(T), 0,
                                     static_cast<std::size_t>(columns_) * sizeof(T),
                                     static_cast<std::size_t>(grouping.num_rows), stream),
                   "vendor_spmm: clear the output");
      }
      return;
    }
    if (!owns_values_ && !takes_weights(grouping, weights)) {
      throw invalid_argument(text("bindings: weights are ", weights.row_stride,
                                  " elements apart, the plan was made for weights without gaps; make another plan"));
    }
    if (owns_values_ && weights.data) fill(stream, grouping, weights);
    T const* const values = owns_values_ ? values_.data() : weights.data;
    check_vendor(cusparseSpMatSetValues(setup_.matrix.get(), const_cast<T*>(values)),
                 "vendor_spmm: cusparseSpMatSetValues");
    auto const from = make_vendor_table(in, grouping.num_neighbors, columns_, in_stride);
    auto const to = make_vendor_table(out, grouping.num_rows, columns_, out_stride);
    setup_.run(library.on(stream), from.get(), to.get(), adds);
  }

  std::size_t size_bytes() const { return values_.size_bytes() + setup_.workspace.size_bytes(); }
  std::string text_of_algorithm() const {
    switch (setup_.algorithm) {
      case spmm_algorithm::csr_1:
        return "csr_1";
      case spmm_algorithm::csr_2:
        return "csr_2";
      default:
        return "standard";
    }
  }
  std::string description() const {
    if (!setup_.matrix) return "no edges";
    return "algorithm " + text_of_algorithm() +
           (owns_values_ ? ", values of edges in the plan" : ", values are the weights");
  }

private:
  static bool is_empty(grouping_view<> const& grouping) { return grouping.num_rows == 0 || grouping.num_edges == 0; }
  std::int64_t stride_of(std::int64_t stride) const { return stride > columns_ ? stride : columns_; }
  bool takes_weights(grouping_view<> const& grouping, spmm_weights<T> weights) const {
    return weights.data && !destination_offsets_ && !grouping.edge_ids && weights.row_stride == 1;
  }
  void fill(stream_handle stream, grouping_view<> const& grouping, spmm_weights<T> weights) const {
    constexpr int threads = 256;
    auto const blocks = static_cast<unsigned>((std::int64_t{grouping.num_rows} * 32 + threads - 1) / threads);
    launch_kernel("vendor_spmm: values", fill_spmm_values<T>, blocks, threads, stream, grouping, weights,
                  destination_offsets_, rows_are_destinations_, const_cast<T*>(values_.data()));
  }

  /// Descriptors of tables as calls will have; their memory is there while algorithms are measured.
  struct scratch {
    device_buffer<T> memory;
    vendor_table in, out;

    scratch(stream_handle stream, memory_resource* from, grouping_view<> const& grouping, std::int64_t columns,
            bool has_memory) {
      auto const in_size = static_cast<std::size_t>(grouping.num_neighbors) * static_cast<std::size_t>(columns);
      auto const out_size = static_cast<std::size_t>(grouping.num_rows) * static_cast<std::size_t>(columns);
      T* data = reinterpret_cast<T*>(256);  // never read
      if (has_memory) {
        memory = device_buffer<T>(in_size + out_size, from, stream);
        check_cuda(cudaMemsetAsync(memory.data(), 0, memory.size_bytes(), stream), "vendor_spmm: clear scratch tables");
        data = memory.data();
      }
      in = make_vendor_table(data, grouping.num_neighbors, columns, columns);
      out = make_vendor_table(data + (has_memory ? in_size : 0), grouping.num_rows, columns, columns);
    }
  };

  /// A matrix with an algorithm and its workspace.
  struct setup {
    vendor_matrix matrix;
    device_buffer<std::byte> workspace;
    spmm_algorithm algorithm = spmm_algorithm::standard;

    setup() = default;
    setup(stream_handle stream, memory_resource* memory, vendor_library const& library, grouping_view<> const& grouping,
          T const* values, scratch const& tables, spmm_algorithm chosen)
        : algorithm(chosen) {
      cusparseSpMatDescr_t made = nullptr;
      check_vendor(cusparseCreateCsr(&made, grouping.num_rows, grouping.num_neighbors, grouping.num_edges,
                                     const_cast<std::int32_t*>(grouping.offsets),
                                     const_cast<std::int32_t*>(grouping.neighbors), const_cast<T*>(values),
                                     CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, vendor_type<T>),
                   "vendor_spmm: cusparseCreateCsr");
      matrix.reset(made);
      T const one = 1, zero = 0;
      std::size_t bytes = 0;
      check_vendor(cusparseSpMM_bufferSize(library.on(stream), CUSPARSE_OPERATION_NON_TRANSPOSE,
                                           CUSPARSE_OPERATION_NON_TRANSPOSE, &one, made, tables.in.get(), &zero,
                                           tables.out.get(), vendor_type<T>, number(), &bytes),
                   "vendor_spmm: cusparseSpMM_bufferSize");
      workspace = device_buffer<std::byte>(bytes, memory, stream);
      // No cusparseSpMM_preprocess: it binds the tables that it is shown. With tables of other strides cuSPARSE 12.6
      // left rows unwritten (csr_1, csr_3) or stopped at misaligned addresses, and a plan's calls bring tables of their
      // own.
    }

    void run(cusparseHandle_t handle, cusparseDnMatDescr_t in, cusparseDnMatDescr_t out, bool adds) const {
      T const one = 1, beta = adds ? T(1) : T(0);
      auto const multiply = [&] {
        return cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                            matrix.get(), in, &beta, out, vendor_type<T>, number(),
                            const_cast<std::byte*>(workspace.data()));
      };
      check_vendor(call_apart(multiply), "vendor_spmm: cusparseSpMM");
    }

  private:
    cusparseSpMMAlg_t number() const {
      switch (algorithm) {
        case spmm_algorithm::csr_1:
          return CUSPARSE_SPMM_CSR_ALG1;
        case spmm_algorithm::csr_2:
          return CUSPARSE_SPMM_CSR_ALG2;
        default:
          return CUSPARSE_SPMM_ALG_DEFAULT;
      }
    }
  };

  std::int64_t columns_ = 0;
  std::int32_t const* destination_offsets_ = nullptr;  ///< the graph's, which outlives the plan
  bool rows_are_destinations_ = true;
  bool owns_values_ = false;
  device_buffer<T> values_;
  setup setup_;
};

}  // namespace detail
}  // namespace edgewise::inline v0
