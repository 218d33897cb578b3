// The backward pass of maxima and minima: over rows and channels instead of edges. Each channel of a row visits the
// edge that was picked for it, evaluates the message there and hands on the adjoints of what it read.
#pragma once

#include <cstdint>

#include <edgewise/pass/aggregation_backward.hpp>
#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/register/geometry_concept.hpp>

namespace edgewise::inline v0::detail {

/// What one thread visits at a time: consecutive channels of a row, or (ByRows) one channel of several rows. What
/// varies from edge to edge varies among them, so every value is wide.
template <int Channels, access Access, bool ByRows = false>
struct EDGEWISE_HAS_LANES argument_geometry {
  static constexpr int max_chunks = 1;
  static constexpr int channels_per_chunk = Channels;
  static constexpr access access_of = Access;
  static constexpr bool by_rows = ByRows;
  EDGEWISE_HD static constexpr int chunks() { return 1; }
};
static_assert(geometry<argument_geometry<4, access::chunk>>);

/// Which channels these are: the first `valid` of Geometry::channels_per_chunk.
template <class Geometry, class Index>
struct argument_channels {
  Index first_row;
  std::int64_t first_element;
  int valid;
  Index row_step = 0;  ///< ByRows: from row to row

  EDGEWISE_HD bool has(int l) const { return l < valid; }
  EDGEWISE_HD Index row(int l) const {
    return Geometry::by_rows ? static_cast<Index>(first_row + static_cast<Index>(l) * row_step) : first_row;
  }
  EDGEWISE_HD std::int64_t element(int l) const { return Geometry::by_rows ? first_element : first_element + l; }
  /// The channel itself, or one that exists where this one does not.
  EDGEWISE_HD int safe(int l) const { return has(l) ? l : 0; }
};

/// A bound leaf whose every channel is loaded by itself.
template <class Bound>
using channel_by_channel = bound_leaf<typename Bound::leaf, operand_kind::wide, typename Bound::storage>;
template <class Table>
struct all_channel_by_channel;
template <class... Bound>
struct all_channel_by_channel<type_list<Bound...>> {
  using type = type_list<channel_by_channel<Bound>...>;
};

/// What the derivatives of an aggregation's message read towards Targets.
template <class Aggregation, class Targets>
struct message_needs;
template <class Gather, class Message, class Targets>
struct message_needs<reduce_aggregation<Gather, Message>, Targets> : pull_needs<Message, Targets> {};

template <class T>
EDGEWISE_HD T read_streamed(T const* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (!is_float16<T>) return __ldcs(from);
#endif
  return read_element(from);
}

/// Loads one element per channel, that of channel l at from(l), which nothing reads again: they need not push out of
/// the cache what gradients are added to.
template <class Geometry, class Index, class From, int N, class U>
EDGEWISE_HD void load_streamed(argument_channels<Geometry, Index> const& at, From const& from_channel, U (&to)[N]) {
  auto const* const from = from_channel(0);
  using T [[maybe_unused]] = std::remove_cvref_t<decltype(*from)>;
  if constexpr (Geometry::by_rows) {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) to[l] = at.has(l) ? static_cast<U>(read_streamed(from_channel(l))) : U(0);
    return;
  }
#if defined(__CUDA_ARCH__)
  constexpr int bytes = N * static_cast<int>(sizeof(T));
  if constexpr (Geometry::access_of == access::chunk && bytes % 8 == 0) {
    using word = std::conditional_t<bytes % 16 == 0, int4, int2>;
    T raw[N];
    EDGEWISE_UNROLL
    for (int i = 0; i < bytes / static_cast<int>(sizeof(word)); ++i) {
      word const w = __ldcs(reinterpret_cast<word const*>(from) + i);
      memcpy(reinterpret_cast<char*>(raw) + i * sizeof(word), &w, sizeof(word));
    }
    widen_chunk(raw, to);
    return;
  }
#endif
  load_chunk<Geometry::access_of>(from, at.valid, to);
}

/// The edges that a chunk of channels picked.
template <int Channels, class Index, class Offset>
struct argument_edges {
  bool ok[Channels];
  Index source[Channels];  ///< 0 where none is picked: it exists where there is an edge at all
  Offset edge[Channels];   ///< id; 0 where none is picked
};

/// Takes adjoints of leaves of Targets, channel by channel.
template <class Geometry, class Accumulator, class Targets>
struct argument_sink {
  using leaves = typename leaves_of_table<Targets>::type;
  adjoint_sums<Geometry, Accumulator, 1, typename all_channel_by_channel<Targets>::type> sums;

  template <class E>
  static consteval bool wants() {
    return depends_on<E, leaves>;
  }
  template <class Leaf, class Env, class Adjoint>
  EDGEWISE_HD void add(Env const&, Adjoint const& adjoint) {
    EDGEWISE_UNROLL
    for (int l = 0; l < Geometry::channels_per_chunk; ++l) slot_value<Leaf>(sums).at(0, 0, l) += adjoint.at(0, 0, l);
  }
};

/// Table: the program's bound leaves and the fields of its aggregations. Sources: the bound gradients of source leaves,
/// which rows share; Own: those of destinations and edges, of which every element belongs to one channel of one row.
/// Shared: leaves of Own whose tensor gets sums of Sources too.
template <class Program, class Table, class Sources, class Own, class Shared, class Index, class Offset,
          class Accumulator>
struct argument_pass {
  using accumulator = Accumulator;
  using index_type = Index;
  using offset_type = Offset;
  using source_targets = Sources;
  using own_targets = Own;
  using edge_targets = bound_in_role<role::edge, Own>;
  using destination_targets = bound_in_role<role::destination, Own>;
  using targets = concat_types<Sources, Own>;
  template <class Bound>
  static constexpr bool is_shared = contains_type<typename Bound::leaf, Shared>;
  using target_leaves = typename leaves_of_table<targets>::type;
  static constexpr int num_aggregations = Program::num_aggregations;

  Program program;
  operand_pointers<Table> operands{};
  gradient_pointers<Sources> sources;
  gradient_pointers<Own> own;
  Index const* sources_of_arguments[num_aggregations];  ///< [rows, row_size] or null: then edges' ids are positions in
                                                        ///< `neighbors`
  Offset const* argument_ids[num_aggregations];         ///< [rows, row_size]
  Index const* neighbors;
  Offset num_edges;
  Index num_rows;  ///< destinations
  Index num_sources;
  std::int64_t num_row_elements;  ///< of an aggregation's value
  std::int32_t channels;          ///< of a head of it

  /// Does what goes to Sources depend on where an edge comes from or goes to?
  template <class L>
  struct is_of_edges : std::bool_constant<L::role_of == role::source || L::role_of == role::edge> {};
  static constexpr bool reads_edges = []<class... Aggregation>(type_list<Aggregation...>) {
    using source_leaves = typename leaves_of_table<Sources>::type;
    return ((filter_types<is_of_edges, typename message_needs<Aggregation, source_leaves>::type>::size > 0) || ...);
  }(typename Program::aggregation_types{});

  /// Visits channels and calls
  ///   leave.source(type_tag<Bound>, row of the source, element, x) for each picked channel and gradient of Sources,
  ///   leave.own(type_tag<Bound>, row, element, x) for gradients of Own: of edges that were picked, of every
  ///   destination.
  template <class Geometry, class Leave>
  EDGEWISE_HD void visit(argument_channels<Geometry, Index> const& channels_at, Leave const& leave) const {
    constexpr int L = Geometry::channels_per_chunk;
    argument_sink<Geometry, Accumulator, destination_targets> at_row;
    Geometry const geo;
    at_row.sums.clear(geo);
    for_each_index<num_aggregations>([&](auto i) {
      constexpr int I = decltype(i)::value;
      using aggregation_leaves = typename type_at<I, typename Program::aggregation_types>::leaves;
      if constexpr (depends_on_any<aggregation_leaves, target_leaves>) {
        auto const at = find_edges<I>(channels_at);
        argument_sink<Geometry, Accumulator, targets> sink;
        pull<I>(geo, channels_at, at, sink);
        sink.sums.for_each([&](auto tag, auto const& sum) {
          using leaf_type = typename decltype(tag)::type::leaf;
          EDGEWISE_UNROLL
          for (int l = 0; l < L; ++l) {
            if (!at.ok[l]) continue;
            if constexpr (leaf_type::role_of == role::source) {
              leave.source(type_tag<bound_for<leaf_type, Sources>>{}, at.source[l], channels_at.element(l),
                           sum.at(0, 0, l));
            } else if constexpr (leaf_type::role_of == role::edge) {
              leave.own(type_tag<bound_for<leaf_type, Own>>{}, at.edge[l], channels_at.element(l), sum.at(0, 0, l));
            } else {
              slot_value<leaf_type>(at_row.sums).at(0, 0, l) += sum.at(0, 0, l);
            }
          }
        });
      }
    });
    at_row.sums.for_each([&](auto tag, auto const& sum) {
      using leaf_type = typename decltype(tag)::type::leaf;
      EDGEWISE_UNROLL
      for (int l = 0; l < L; ++l) {
        if (channels_at.has(l)) {
          leave.own(type_tag<bound_for<leaf_type, Own>>{}, channels_at.row(l), channels_at.element(l), sum.at(0, 0, l));
        }
      }
    });
  }

  /// Calls take(type_tag<Bound>, x) with every term of gradients of Sources, or, where terms do not depend on the edge,
  /// for channels that picked none too.
  template <class Geometry, class Take>
  EDGEWISE_HD void visit_terms(argument_channels<Geometry, Index> const& channels_at, Take const& take) const {
    constexpr int L = Geometry::channels_per_chunk;
    Geometry const geo;
    for_each_index<num_aggregations>([&](auto i) {
      constexpr int I = decltype(i)::value;
      using aggregation_leaves = typename type_at<I, typename Program::aggregation_types>::leaves;
      if constexpr (depends_on_any<aggregation_leaves, typename leaves_of_table<Sources>::type>) {
        argument_edges<L, Index, Offset> at;
        if constexpr (reads_edges) {
          at = find_edges<I>(channels_at);
        } else {
          EDGEWISE_UNROLL
          for (int l = 0; l < L; ++l) at.ok[l] = channels_at.has(l);
        }
        argument_sink<Geometry, Accumulator, Sources> sink;
        pull<I>(geo, channels_at, at, sink);
        sink.sums.for_each([&](auto tag, auto const& sum) {
          using bound = bound_for<typename decltype(tag)::type::leaf, Sources>;
          EDGEWISE_UNROLL
          for (int l = 0; l < L; ++l) {
            if (at.ok[l]) take(type_tag<bound>{}, sum.at(0, 0, l));
          }
        });
      }
    });
  }

private:
  template <class Leaves, class Among>
  static constexpr bool depends_on_any = any_target<Among, Leaves>::value;

  template <int I, class Geometry>
  EDGEWISE_HD argument_edges<Geometry::channels_per_chunk, Index, Offset> find_edges(
      argument_channels<Geometry, Index> const& at) const {
    constexpr int L = Geometry::channels_per_chunk;
    auto const place = [&](int l) { return static_cast<std::int64_t>(at.row(l)) * num_row_elements + at.element(l); };
    argument_edges<L, Index, Offset> found;
    constexpr bool needs_ids = edge_targets::size > 0 || filter_types<is_edge_leaf, typename Program::leaves>::size > 0;
    if (needs_ids || !sources_of_arguments[I])
      load_streamed(
          at, [&](int l) { return argument_ids[I] + place(l); }, found.edge);
    if (sources_of_arguments[I]) {
      load_streamed(
          at, [&](int l) { return sources_of_arguments[I] + place(l); }, found.source);
      EDGEWISE_UNROLL
      for (int l = 0; l < L; ++l) found.ok[l] = at.has(l) && found.source[l] >= 0;
    } else {
      EDGEWISE_UNROLL
      for (int l = 0; l < L; ++l) {
        found.ok[l] = at.has(l) && found.edge[l] >= 0 && (!Program::has_self || found.edge[l] < num_edges);
        found.source[l] = found.ok[l] ? read_element(neighbors + found.edge[l]) : Index(0);
      }
    }
    EDGEWISE_UNROLL
    for (int l = 0; l < L; ++l) {
      found.source[l] = found.ok[l] ? found.source[l] : Index(0);
      if (needs_ids) found.edge[l] = found.ok[l] ? found.edge[l] : Offset(0);
    }
    return found;
  }
  template <class L>
  struct is_edge_leaf : std::bool_constant<L::role_of == role::edge> {};

  /// Loads what the derivatives of aggregation I read and pulls the gradients of its channels.
  template <int I, class Geometry, class Edges, class Sink>
  EDGEWISE_HD void pull(Geometry const& geo, argument_channels<Geometry, Index> const& channels_at, Edges const& at,
                        Sink& sink) const {
    using aggregation = type_at<I, typename Program::aggregation_types>;
    using all = bound_subset<typename aggregation::leaves, Table>;
    using loaded = bound_subset<typename message_needs<aggregation, typename Sink::leaves>::type, all>;
    using wide_all = typename all_channel_by_channel<all>::type;
    registers<Geometry, Accumulator, 1, wide_all> values;
    load_all(loaded{}, channels_at, at, values);
    clear_unloaded(typename all_channel_by_channel<loaded>::type{}, wide_all{}, geo, values);
    using gradient_bound = bound_for<field_leaf<I, gradient_field>, Table>;
    register_value<Accumulator, extent::wide, 1, 1, Geometry::channels_per_chunk> gradient;
    auto const& gradients = operands.template of<gradient_bound>();
    load_streamed(
        channels_at, [&](int l) { return gradients.row(channels_at.row(l)) + channels_at.element(l); },
        elements_of(gradient.v[0][0]));
    bare_environment<Geometry, Accumulator> const nothing{geo};
    auto const env = extend(nothing, values);
    auto const& message = get<I>(program.aggregations).message;
    auto const record = message.trace(env);
    sink.sums.clear(geo);
    pull_chosen<true>(message, env, record, gradient, sink);
  }
  template <class... Bound, class Channels, class Edges, class Registers>
  EDGEWISE_HD void load_all(type_list<Bound...>, [[maybe_unused]] Channels const& channels_at,
                            [[maybe_unused]] Edges const& at, [[maybe_unused]] Registers& to) const {
    (load_channels<Bound>(channels_at, at, slot_value<typename Bound::leaf>(to)), ...);
  }
  template <class Bound, class Channels, class Edges, class V>
  EDGEWISE_HD void load_channels(Channels const& channels_at, Edges const& at, V& to) const {
    auto const& operand = operands.template of<Bound>();
    EDGEWISE_UNROLL
    for (int l = 0; l < V::channels; ++l) {
      std::int64_t const e = place_of<Bound>(channels_at.element(channels_at.safe(l)));
      auto const* const from = [&] {
        if constexpr (Bound::leaf::role_of == role::source) return operand.row(at.source[l]);
        if constexpr (Bound::leaf::role_of == role::edge) return operand.row(at.edge[l]);
        if constexpr (Bound::leaf::role_of == role::destination)
          return operand.row(channels_at.row(channels_at.safe(l)));
        if constexpr (Bound::leaf::role_of == role::parameter) return operand.row(0);
      }();
      to.at(0, 0, l) = static_cast<typename V::scalar>(read_element(from + e));
    }
  }
  /// Where an operand of fewer axes has the number for an element of an aggregation's value.
  template <class Bound>
  EDGEWISE_HD std::int64_t place_of(std::int64_t element) const {
    constexpr int stride = element_stride<typename Bound::leaf>;
    switch (Bound::kind) {
      case operand_kind::wide:
        return element;
      case operand_kind::per_channel:
        return element % channels;
      case operand_kind::per_head:
        return element / channels * stride;
      default:
        return 0;
    }
  }
};

}  // namespace edgewise::inline v0::detail
