// Gradients of max and min on the CPU: threads share the channels of rows, never the rows, so that no sum has two
// writers and every sum is taken in the order of destinations.
#pragma once

#include <algorithm>
#include <cstdint>

#include <edgewise/core/caught_exception.hpp>
#include <edgewise/core/cpu_threads.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/engine/argument_concept.hpp>
#include <edgewise/format/graph_traits.hpp>

namespace edgewise::inline v0::detail {

template <>
struct argument_engine<cpu> {
  template <class T>
  static constexpr bool takes = !has_tangent<T>;  // the order of sums is fixed either way; they are of double
  static constexpr bool is_kept_clear = false;
  /// Argument edges are fewer than all, but are shared among threads by tiles of channels alone; a traversal visits
  /// every edge, and has work for any number of threads (docs/tuning.md, R53).
  template <bool Atomic>
  static bool is_worth_it(graph_counts counts, std::int64_t elements) {
    return count_tiles(elements) * counts.edges >= 8 * counts.destinations;
  }

  template <class>
  static std::size_t bytes(argument_room const& room) {
    return static_cast<std::size_t>(size_of_array(room.gradients, room.sources, room.elements)) * sizeof(sum_type);
  }

  template <bool Atomic, class Pass>
  static void run([[maybe_unused]] cpu const& exec, Pass const& pass, argument_room const&, int, char* memory) {
    std::int64_t const elements = pass.num_row_elements;
    std::int64_t const tiles = count_tiles(elements);
    caught_exception caught;
#if defined(_OPENMP)
#pragma omp parallel for schedule(dynamic, 1) num_threads(num_threads(exec, tiles > 1 ? pass.num_rows * elements : 0))
#endif
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      caught.run([&] {
        std::int64_t const first = tile * channels_per_tile;
        run_tile(pass, first, std::min(first + channels_per_tile, elements), reinterpret_cast<sum_type*>(memory));
      });
    }
    caught.rethrow();
  }

private:
  /// Any number of rows may pick one source, one after another: sums of floats would lose digits.
  using sum_type = double;
  static constexpr std::int64_t channels_per_tile = 16;  // a cache line of floats
  static std::int64_t count_tiles(std::int64_t elements) {
    return (elements + channels_per_tile - 1) / channels_per_tile;
  }

  template <class Pass>
  struct leave_sums {
    Pass const& pass;
    sum_type* sums;  ///< [gradients, sources, elements]

    template <class Bound>
    EDGEWISE_HD sum_type* of(std::int64_t row) const {
      return sums + (position_of<Bound, typename Pass::source_targets> * std::int64_t{pass.num_sources} + row) *
                        pass.num_row_elements;
    }
    template <class Bound, class T>
    EDGEWISE_HD void source(type_tag<Bound>, std::int64_t row, std::int64_t element, T x) const {
      of<Bound>(row)[element] += x;
    }
    template <class Bound, class T>
    EDGEWISE_HD void own(type_tag<Bound>, std::int64_t row, std::int64_t element, T x) const {
      store_own(pass.own.template of<Bound>(), row, element, x);
    }
  };

  template <class Pass>
  static void run_tile(Pass const& pass, std::int64_t first, std::int64_t last, sum_type* memory) {
    using T = typename Pass::accumulator;
    using geometry = argument_geometry<static_cast<int>(channels_per_tile), access::element>;
    leave_sums<Pass> const leave{pass, memory};
    auto const for_each_gradient = [&](auto const& f) {
      [&]<class... Bound>(type_list<Bound...>) { (f(type_tag<Bound>{}), ...); }(typename Pass::source_targets{});
    };
    for_each_gradient([&]<class Bound>(type_tag<Bound>) {
      for (std::int64_t row = 0; row < pass.num_sources; ++row) {
        std::fill(leave.template of<Bound>(row) + first, leave.template of<Bound>(row) + last, sum_type(0));
      }
    });
    for (std::int64_t row = 0; row < pass.num_rows; ++row) {
      using index_type = typename Pass::index_type;
      pass.visit(
          argument_channels<geometry, index_type>{static_cast<index_type>(row), first, static_cast<int>(last - first)},
          leave);
    }
    for_each_gradient([&]<class Bound>(type_tag<Bound>) {
      auto const& to = pass.sources.template of<Bound>();
      for (std::int64_t row = 0; row < pass.num_sources; ++row) {
        sum_type const* const sum = leave.template of<Bound>(row);
        typename Bound::storage* const place = to.data + row * to.row_stride;
        for (std::int64_t e = first; e < last; ++e) {
          T const x = static_cast<T>(sum[e]);
          place[e] = static_cast<typename Bound::storage>(to.accumulate ? static_cast<T>(place[e]) + x : x);
        }
      }
    });
  }
};

}  // namespace edgewise::inline v0::detail
