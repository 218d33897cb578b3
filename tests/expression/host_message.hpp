// A message over one row of the host engine: edgewise::detail::registers filled by hand, traced, and pulled into the
// library's sink.
#pragma once

#include <bit>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/register/host_geometry.hpp>

#include "../reference/operands.hpp"
#include "../support/random.hpp"

namespace edgewise::testing {

/// NaN and infinities in turn: what channels outside the row hold, so that one that leaks is seen.
class poison_source {
public:
  double next() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double kinds[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity};
    return kinds[count_++ % 3];
  }

private:
  int count_ = 0;
};

/// A block of two edges into one row of `heads` x `channels`, of which the first `live` exist. Bound: the operands, in
/// the order of `operands`; source and edge operands are [2 edges, row], destination and parameter operands [row].
/// Every register entry outside of the row, and the second edge where it does not exist, is poisoned.
template <class... Bound>
class host_message {
public:
  static constexpr int num_edges = 2;
  using geometry = edgewise::detail::host_geometry<4, 16>;

  host_message(int heads, int channels, int live = num_edges) : live_(live) {
    layout_.heads = heads;
    layout_.channels = layout_.channels_per_tile = channels;
    // Padded to a power of two, as on the device: a head of 33 channels ends with a chunk that holds none of them.
    layout_.chunks_per_head = static_cast<int>(std::bit_ceil(static_cast<unsigned>((channels + 15) / 16)));
    layout_.heads_per_tile = geometry::max_chunks / layout_.chunks_per_head;
    if (layout_.heads_per_tile > heads) layout_.heads_per_tile = heads;
    layout_.num_tiles = (heads + layout_.heads_per_tile - 1) / layout_.heads_per_tile;
  }

  int heads() const { return layout_.heads; }
  int channels() const { return layout_.channels; }
  int live() const { return live_; }

  /// Random values in [low, high) for every operand.
  reference::operands draw(random_stream& random, double low = -1, double high = 1) const {
    return {uniform_values<double>(
        (varies<Bound> ? num_edges : 1) * row_size(edgewise::detail::extent_of_kind(Bound::kind)), random, low,
        high)...};
  }

  /// Elements of a row of this extent.
  std::size_t row_size(extent e) const {
    if (e == extent::wide) return static_cast<std::size_t>(layout_.row_size());
    return e == extent::narrow ? static_cast<std::size_t>(layout_.heads) : 1;
  }
  /// The extent of a message's value.
  template <class E>
  static constexpr extent extent_of() {
    using record = decltype(std::declval<E const&>().trace(std::declval<env const&>()));
    return std::remove_cvref_t<decltype(std::declval<record>().value)>::extent_of;
  }

  /// The value of each live edge: [live, row of the value's extent].
  template <class E>
  std::vector<double> value(E const& message, reference::operands const& inputs) const {
    std::vector<double> result(static_cast<std::size_t>(live_) * row_size(extent_of<E>()));
    for_each_tile(inputs, [&](env const& at) {
      auto const record = message.trace(at);
      for (int b = 0; b < live_; ++b) {
        for_each_in_row<extent_of<E>()>(at.geo, [&](int c, int l, std::size_t element) {
          result[static_cast<std::size_t>(b) * row_size(extent_of<E>()) + element] = record.value.at(b, c, l);
        });
      }
    });
    return result;
  }

  /// The gradients of <adjoint, value> by every operand, in the shapes of `inputs`.
  template <class E>
  reference::operands pull(E const& message, reference::operands const& inputs,
                           std::vector<double> const& adjoint) const {
    reference::operands gradients;
    for (auto const& input : inputs) gradients.emplace_back(input.size(), 0.0);
    for_each_tile(inputs, [&](env const& at) {
      auto const record = message.trace(at);
      sums total;
      edgewise::detail::edge_mask<num_edges> const ok{live_ > 0, live_};
      total.rows.clear(at.geo);
      total.edges.clear(at.geo);
      total.parameters.clear(at.geo);
      sink into{total.rows, total.edges, total.parameters, ok};
      constexpr extent extent_of_value = extent_of<E>();
      message.pull(at, record, adjoint_value<extent_of_value>(at.geo, adjoint), into);
      std::size_t operand = 0;
      (add_gradient<Bound>(at.geo, total, gradients[operand++]), ...);
    });
    return gradients;
  }

private:
  using table = type_list<Bound...>;
  using rows_table = edgewise::detail::bound_in_role<role::destination, table>;
  using parameter_table = edgewise::detail::bound_in_role<role::parameter, table>;
  using fixed_table = concat_types<rows_table, parameter_table>;
  using varying_table = concat_types<edgewise::detail::bound_in_role<role::source, table>,
                                     edgewise::detail::bound_in_role<role::edge, table>>;
  using fixed_registers = edgewise::detail::registers<geometry, double, 1, fixed_table>;
  using varying_registers = edgewise::detail::registers<geometry, double, num_edges, varying_table>;
  using env = edgewise::detail::environment<geometry, double, fixed_registers, varying_registers>;
  // Edge targets keep each edge's own adjoint: what source operands want too, as here no two edges share a source.
  using sink = edgewise::detail::gradient_sink<geometry, double, num_edges, rows_table, varying_table, parameter_table>;

  struct sums {
    typename sink::row_sums rows;
    typename sink::edge_sums edges;
    typename sink::parameter_sums parameters;
  };

  template <class B>
  static constexpr bool varies = contains_type<B, varying_table>;

  /// Calls f(chunk, channel, element of the row) once for each element of the tile.
  template <extent E, class F>
  void for_each_in_row(geometry const& geo, F const& f) const {
    if constexpr (E == extent::uniform) {
      f(0, 0, std::size_t{0});
    } else {
      for (int c = 0; c < geo.chunks(); ++c) {
        for (int l = 0; l < (E == extent::wide ? geo.valid_channels(c) : 1); ++l) {
          f(c, l, static_cast<std::size_t>(E == extent::wide ? geo.offset(c) + l : geo.head(c)));
        }
      }
    }
  }

  template <class V>
  static void poison(V& x) {
    poison_source source;
    for (auto& block : x.v) {
      for (auto& chunk : block) {
        for (auto& entry : edgewise::detail::elements_of(chunk)) entry = source.next();
      }
    }
  }
  /// Copies rows [blocks, row] into the live blocks of a poisoned register value.
  template <class V>
  void fill_live(geometry const& geo, V& to, std::vector<double> const& rows) const {
    poison(to);
    for (int b = 0; b < (V::edges == 1 ? 1 : live_); ++b) {
      for_each_in_row<V::extent_of>(geo, [&](int c, int l, std::size_t element) {
        to.at(b, c, l) = rows.at(static_cast<std::size_t>(b) * row_size(V::extent_of) + element);
      });
    }
  }

  template <class B>
  void load(geometry const& geo, fixed_registers& fixed, varying_registers& varying,
            std::vector<double> const& rows) const {
    static_assert(B::kind != operand_kind::per_channel, "host_message: per-channel operands are not laid out here");
    if constexpr (varies<B>) {
      fill_live(geo, edgewise::detail::slot_value<typename B::leaf>(varying), rows);
    } else {
      fill_live(geo, edgewise::detail::slot_value<typename B::leaf>(fixed), rows);
    }
  }
  template <class F>
  void for_each_tile(reference::operands const& inputs, F const& f) const {
    for (int tile = 0; tile < layout_.num_tiles; ++tile) {
      geometry const geo(layout_, tile);
      fixed_registers fixed;
      varying_registers varying;
      std::size_t operand = 0;
      (load<Bound>(geo, fixed, varying, inputs.at(operand++)), ...);
      f(env{geo, fixed, varying});
    }
  }

  template <extent E>
  auto adjoint_value(geometry const& geo, std::vector<double> const& rows) const {
    register_value<double, E, num_edges, geometry::max_chunks, geometry::channels_per_chunk> result;
    fill_live(geo, result, rows);
    return result;
  }

  template <class B, class Sums>
  void add_sum(geometry const& geo, Sums const& from, int blocks, std::vector<double>& to) const {
    constexpr extent e = edgewise::detail::extent_of_kind(B::kind);
    auto const whole = edgewise::detail::complete(geo, edgewise::detail::slot_value<typename B::leaf>(from));
    for (int b = 0; b < blocks; ++b) {
      for_each_in_row<e>(geo, [&](int c, int l, std::size_t element) {
        if (e != extent::narrow || geo.leads_head(c)) {
          to[static_cast<std::size_t>(b) * row_size(e) + element] += whole.at(b, c, l);
        }
      });
    }
  }
  template <class B>
  void add_gradient(geometry const& geo, sums const& total, std::vector<double>& to) const {
    if constexpr (varies<B>) {
      add_sum<B>(geo, total.edges, live_, to);
    } else if constexpr (contains_type<B, rows_table>) {
      add_sum<B>(geo, total.rows, 1, to);
    } else {
      add_sum<B>(geo, total.parameters, 1, to);
    }
  }

  edgewise::detail::row_layout layout_;
  int live_;
};

}  // namespace edgewise::testing
