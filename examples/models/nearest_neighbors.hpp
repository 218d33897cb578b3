// The nearest neighbors of points within clouds, exactly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <edgewise/core/config.hpp>
#include <edgewise/core/error.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/format/csr.hpp>

#include "models/matrix.hpp"
#include "models/uploaded.hpp"

namespace edgewise::models {
namespace detail {

/// Sorts the k nearest points of one point into its row, inserting the points of its cloud one by one.
template <class T>
struct find_nearest {
  T const* x;
  std::int64_t channels;
  std::int32_t const* cloud_begin;  // [P], the first point of each point's cloud, and behind its last
  std::int32_t const* cloud_end;
  std::int32_t const* offsets;  // [P + 1]
  std::int32_t* neighbors;      // [E]
  T* distances;                 // [E], squared

  EDGEWISE_HD void operator()(std::int64_t v) const {
    std::int32_t* const nearest = neighbors + offsets[v];
    T* const distance = distances + offsets[v];
    std::int32_t const most = offsets[v + 1] - offsets[v];
    std::int32_t count = 0;
    for (std::int32_t u = cloud_begin[v]; u < cloud_end[v]; ++u) {
      T square{0};
      for (std::int64_t i = 0; i < channels; ++i) {
        T const difference = x[u * channels + i] - x[v * channels + i];
        square += difference * difference;
      }
      // Of equal distances the lower index stays in front: it came first.
      if (count == most && !(square < distance[most - 1])) continue;
      std::int32_t place = count < most ? count++ : most - 1;
      for (; place > 0 && square < distance[place - 1]; --place) {
        distance[place] = distance[place - 1];
        nearest[place] = nearest[place - 1];
      }
      distance[place] = square;
      nearest[place] = u;
    }
  }
};

}  // namespace detail

/// The k nearest points of each point of a cloud, by Euclidean distance, as a graph: an edge from each of them to the
/// point. The point itself is one of them, as in the authors' code of EdgeConv; of equal distances the lower index is
/// nearer; a cloud of fewer points than k has edges from all of them. All distances within a cloud are computed.
template <class T, class Context>
class nearest_neighbors {
public:
  using space = typename Context::space;

  /// cloud_offsets [clouds + 1]: cloud c has points [cloud_offsets[c], cloud_offsets[c + 1]); it may have none.
  /// Synchronises. Throws `invalid_argument` on offsets that fall or do not begin with 0, and on k below 1.
  nearest_neighbors(Context const& context, std::span<std::int32_t const> cloud_offsets, std::int32_t k) {
    if (k < 1) throw invalid_argument(edgewise::detail::text("nearest_neighbors: k = ", k, " must be at least 1"));
    if (cloud_offsets.empty() || cloud_offsets[0] != 0 || !std::is_sorted(cloud_offsets.begin(), cloud_offsets.end())) {
      throw invalid_argument("nearest_neighbors: cloud_offsets must begin with 0 and never fall");
    }
    std::vector<std::int32_t> begins, ends, offsets{0};
    for (std::size_t c = 0; c + 1 < cloud_offsets.size(); ++c) {
      std::int32_t const begin = cloud_offsets[c], end = cloud_offsets[c + 1];
      for (std::int32_t v = begin; v < end; ++v) {
        begins.push_back(begin);
        ends.push_back(end);
        offsets.push_back(edgewise::detail::checked_count<std::int32_t>(
            "nearest_neighbors", "num_edges", std::int64_t{offsets.back()} + std::min(k, end - begin)));
      }
    }
    cloud_begin_ = uploaded(context, begins);
    cloud_end_ = uploaded(context, ends);
    offsets_ = uploaded(context, offsets);
    neighbors_ = context.template make_buffer<std::int32_t>(offsets.back());
    distances_ = context.template make_buffer<T>(offsets.back());
    context.synchronize();
  }

  std::int32_t num_points() const { return static_cast<std::int32_t>(cloud_begin_.size()); }
  std::int32_t num_edges() const { return static_cast<std::int32_t>(neighbors_.size()); }

  /// Finds the neighbors of rows x [P, C], which must be finite. Asynchronous on a CUDA context.
  void update(Context const& context, const_matrix_view<T, space> x) {
    require_shape("nearest_neighbors: x", x, num_points(), x.cols);
    context.for_each(num_points(), detail::find_nearest<T>{x.data, x.cols, cloud_begin_.data(), cloud_end_.data(),
                                                           offsets_.data(), neighbors_.data(), distances_.data()});
  }
  /// The edges that `update` found, nearest first. Edge ids are positions.
  csr_view<> view() const {
    return {{offsets_.data(), neighbors_.data(), nullptr, num_points(), num_points(), num_edges()}};
  }
  /// The squared distance of each edge, [E].
  T const* distances() const { return distances_.data(); }

private:
  buffer<std::int32_t, space> cloud_begin_;
  buffer<std::int32_t, space> cloud_end_;
  buffer<std::int32_t, space> offsets_;
  buffer<std::int32_t, space> neighbors_;
  buffer<T, space> distances_;
};

}  // namespace edgewise::models
