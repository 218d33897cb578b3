// 16-bit outputs and gradients of vertices over ungrouped edges: summed as the accumulator, rounded once.
#pragma once

#include <cstddef>
#include <cstdint>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/float16.hpp>
#include <edgewise/core/memory.hpp>
#include <edgewise/core/operand.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/vec.hpp>
#include <edgewise/engine/concept.hpp>
#include <edgewise/engine/coo_concept.hpp>
#include <edgewise/fields/program_traits.hpp>
#include <edgewise/plan/coo_gradients.hpp>
#include <edgewise/plan/plan_memory.hpp>

namespace edgewise::inline v0::detail {

/// Rounds sums to where they are wanted, element by element of [rows, row_size].
template <class T, class Out>
struct round_sums {
  T const* sums;  ///< without gaps
  Out* to;        ///< rows `row_stride` apart
  std::int64_t row_size;
  std::int64_t row_stride;
  bool accumulate;

  EDGEWISE_HD void operator()(std::int64_t i) const {
    std::int64_t const row = i / row_size;
    Out& place = to[row * row_stride + (i - row * row_size)];
    place = static_cast<Out>(accumulate ? static_cast<T>(place) + sums[i] : sums[i]);
  }
};

/// The view of a tensor's sums.
template <class T, class Stored, operand_kind Kind>
operand_view<T, Kind> sums_of(operand_view<Stored, Kind> const& view, T* sums) {
  return {sums, view.rows, view.heads, view.channels, view.row_size()};
}
template <class T, class Stored, operand_kind Kind, int Length>
vec_view<T, Kind, Length> sums_of(vec_view<Stored, Kind, Length> const& view, T* sums) {
  return {sums, view.rows, view.heads, view.channels, view.row_size()};
}

/// Operands of a program with these leaves whose gradients edges add to, stored in 16 bits.
template <class Leaves>
struct staged_among {
  template <class Bound>
  struct test
      : std::bool_constant<is_scattered<typename Bound::leaf, Leaves>::value && is_float16<typename Bound::storage>> {};
};
template <class Bound>
struct is_stored_in_16_bits : std::bool_constant<is_float16<typename Bound::storage>> {};

/// Is any operand stored in 16 bits? A plan keeps memory for the sums of a 16-bit output then.
template <class Table>
inline constexpr bool has_16_bit_operand =
    filter_types<is_stored_in_16_bits, filter_types<is_operand_bound, Table>>::size > 0;

/// What many edges add to one by one is not rounded by each of them. IsStaged: the plan has memory for the sums.
template <class T, bool IsStaged>
struct require_staged {
  static_assert(!is_float16<T> || IsStaged,
                "graph{coo}: sums that are scattered into 16 bits are formed as float first, in memory that a plan has "
                "for gradients of operands that are stored in 16 bits, and for the output where any operand is; store "
                "this one as float, convert with to_csr, or with automatic leave out nondeterministic{} "
                "(plan/coo_staging.hpp)");
  static constexpr bool ok = true;
};

/// Memory for the sums of one pass of Program's plan, with operands Table: forward's output, or backward's gradients.
template <class Exec, class Program, class Table, class T>
class coo_staging {
  using scatter = coo_engine<Exec>;
  using staged_operands =
      filter_types<staged_among<typename Program::leaves>::template test, filter_types<is_operand_bound, Table>>;

public:
  coo_staging() = default;
  /// out_elements: of an output that is summed; 0 where nothing is.
  coo_staging(Exec const& exec, graph_counts counts, row_extents extents, std::size_t out_elements)
      : sums_(exec, larger(gradient_elements(counts, extents), has_16_bit_operand<Table> ? padded(out_elements) : 0)) {}

  std::size_t size_bytes() const { return sums_.size_bytes(); }

  /// Where an output is summed: its own memory unless it is stored in 16 bits.
  template <class View>
  auto stage_output(View const& view) const {
    using stored = typename View::value_type;
    static_assert(require_staged<stored, has_16_bit_operand<Table>>::ok);
    if constexpr (is_float16<stored>) {
      return sums_of<T>(view, memory());
    } else {
      return view;
    }
  }
  /// Calls form(requests...) with requests for the sums where there are some, and rounds those to where they are
  /// wanted.
  template <class Gradients, class Form, class... Request>
  void form_gradients(Exec const& exec, Form const& form, Request const&... requests) const {
    if constexpr (sizeof...(Request) > 0) {
      std::size_t next = 0;
      [&](auto const&... staged) {
        form(staged...);
        (store(exec, staged.view, requests.view, Request::accumulates), ...);
      }(stage_gradient<Gradients>(requests, next)...);
    }
  }

  /// Rounds what was summed; nothing where it lies where it was wanted.
  template <class From, class To>
  static void store(Exec const& exec, From const& sums, To const& to, bool accumulate = false) {
    if constexpr (!std::is_same_v<From, To>) {
      using stored = typename To::value_type;
      scatter::for_each_element(exec,
                                round_sums<T, stored>{sums.data, to.data, to.row_size(), to.row_stride, accumulate},
                                to.rows * to.row_size());
    }
  }

private:
  /// Where a gradient is summed; `next` counts elements given away.
  template <class Gradients, class Request>
  auto stage_gradient(Request const& request, std::size_t& next) const {
    if constexpr (is_staged<Gradients, Request>) {
      auto const staged = sums_of<T>(request.view, memory() + next);
      next += padded(static_cast<std::size_t>(request.view.rows * request.view.row_size()));
      return gradient_request<typename Request::target, std::remove_const_t<decltype(staged)>, false>{staged};
    } else {
      return request;
    }
  }

  static std::size_t larger(std::size_t a, std::size_t b) { return a > b ? a : b; }
  static std::size_t padded(std::size_t elements) { return padded_elements(elements, 1); }
  T* memory() const { return sums_.data(); }

  static std::int64_t rows_of(role r, graph_counts counts) {
    return r == role::source ? counts.sources : r == role::destination ? counts.destinations : counts.edges;
  }
  /// Gradients of all 16-bit operands may be asked for, those of several roles by role.
  static std::size_t gradient_elements(graph_counts counts, row_extents extents) {
    return [&]<class... Bound>(type_list<Bound...>) {
      return (std::size_t{0} + ... +
              padded_elements(static_cast<std::size_t>(rows_of(Bound::leaf::role_of, counts)),
                              elements_of_kind(Bound::kind, extents)));
    }(staged_operands{});
  }

  template <class Gradients, class Request>
  struct touched {
    template <class Bound>
    struct by : std::bool_constant<targets_leaf<typename Request::target, typename Bound::leaf>> {};
    static constexpr bool scatters =
        Gradients::plan_type::template touches<Request, typename Gradients::scattered_leaves>::value;
    static constexpr bool has_memory = filter_types<by, staged_operands>::size > 0;
  };
  template <class Gradients, class Request>
  static constexpr bool is_staged =
      is_float16<typename Request::view_type::value_type>&& touched<Gradients, Request>::scatters&&
          require_staged<typename Request::view_type::value_type,
                         !touched<Gradients, Request>::scatters || touched<Gradients, Request>::has_memory>::ok;

  scratch<T, typename Exec::space> sums_;
};

}  // namespace edgewise::inline v0::detail
