// The backward pass of maxima and minima: over rows and lanes instead of edges. Each lane of a row visits the edge that
// was picked for it, evaluates the message there and hands on the adjoints of what it read.
#pragma once

#include <cstdint>

#include <edgewise/pass/environment.hpp>
#include <edgewise/pass/gradient_sink.hpp>
#include <edgewise/pass/unit_backward.hpp>
#include <edgewise/program/gradient_pointer.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/register/geometry_concept.hpp>

namespace edgewise::detail {

/// What one thread visits at a time: consecutive lanes of a row, or (ByRows) one lane of several rows. What varies from
/// edge to edge varies among them, so every value is wide.
template <int Lanes, access Access, bool ByRows = false>
struct picked_geometry {
  static constexpr int max_chunks = 1;
  static constexpr int lanes_per_chunk = Lanes;
  static constexpr access access_of = Access;
  static constexpr bool by_rows = ByRows;
  EDGEWISE_HD static constexpr int chunks() { return 1; }
};
static_assert(geometry<picked_geometry<4, access::chunk>>);

/// Which lanes these are: the first `valid` of Geometry::lanes_per_chunk.
template <class Geometry, class Index>
struct picked_lanes {
  Index first_row;
  std::int64_t first_element;
  int valid;
  Index row_step = 0;  ///< ByRows: from row to row

  EDGEWISE_HD bool has(int l) const { return l < valid; }
  EDGEWISE_HD Index row(int l) const {
    return Geometry::by_rows ? static_cast<Index>(first_row + static_cast<Index>(l) * row_step) : first_row;
  }
  EDGEWISE_HD std::int64_t element(int l) const { return Geometry::by_rows ? first_element : first_element + l; }
  /// The lane itself, or one that exists where this one does not.
  EDGEWISE_HD int safe(int l) const { return has(l) ? l : 0; }
};

/// A bound leaf whose every lane is loaded by itself.
template <class Bound>
using lane_by_lane = bound_leaf<typename Bound::leaf, operand_kind::wide, typename Bound::storage>;
template <class Table>
struct all_lane_by_lane;
template <class... Bound>
struct all_lane_by_lane<type_list<Bound...>> {
  using type = type_list<lane_by_lane<Bound>...>;
};

/// What the derivatives of a unit's message read towards Targets.
template <class Unit, class Targets>
struct message_needs;
template <class Gather, class Message, class Targets>
struct message_needs<reduce_unit<Gather, Message>, Targets> : pull_needs<Message, Targets> {};

template <class T>
EDGEWISE_HD T read_streamed(T const* from) {
#if defined(__CUDA_ARCH__)
  if constexpr (!is_float16<T>) return __ldcs(from);
#endif
  return read_element(from);
}

/// Loads one element per lane, that of lane l at from(l), which nothing reads again: they need not push out of the
/// cache what gradients are added to.
template <class Geometry, class Index, class From, int N, class U>
EDGEWISE_HD void load_streamed(picked_lanes<Geometry, Index> const& at, From const& from_lane, U (&to)[N]) {
  auto const* const from = from_lane(0);
  using T [[maybe_unused]] = std::remove_cvref_t<decltype(*from)>;
  if constexpr (Geometry::by_rows) {
    EDGEWISE_UNROLL
    for (int l = 0; l < N; ++l) to[l] = at.has(l) ? static_cast<U>(read_streamed(from_lane(l))) : U(0);
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

/// The edges that a chunk of lanes picked.
template <int Lanes, class Index, class Offset>
struct picked_edges {
  bool ok[Lanes];
  Index source[Lanes];  ///< 0 where none is picked: it exists where there is an edge at all
  Offset edge[Lanes];   ///< id; 0 where none is picked
};

/// Takes adjoints of leaves of Targets, lane by lane.
template <class Geometry, class Accumulator, class Targets>
struct picked_sink {
  using leaves = typename leaves_of_table<Targets>::type;
  adjoint_sums<Geometry, Accumulator, 1, typename all_lane_by_lane<Targets>::type> sums;

  template <class E>
  static consteval bool wants() {
    return depends_on<E, leaves>;
  }
  template <class Leaf, class Env, class Adjoint>
  EDGEWISE_HD void add(Env const&, Adjoint const& adjoint) {
    EDGEWISE_UNROLL
    for (int l = 0; l < Geometry::lanes_per_chunk; ++l) slot_value<Leaf>(sums).at(0, 0, l) += adjoint.at(0, 0, l);
  }
};

/// Table: the program's bound leaves and the fields of its units. Sources: the bound gradients of source leaves, which
/// rows share; Own: those of destinations and edges, of which every element belongs to one lane of one row. Shared:
/// leaves of Own whose tensor gets sums of Sources too.
template <class Program, class Table, class Sources, class Own, class Shared, class Index, class Offset,
          class Accumulator>
struct picked_pass {
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
  static constexpr int num_units = Program::num_units;

  Program program;
  operand_pointers<Table> operands{};
  gradient_pointers<Sources> sources;
  gradient_pointers<Own> own;
  Index const* picked_sources[num_units];  ///< [rows, row_size] or null: then edges' ids are positions in `neighbors`
  Offset const* picked_ids[num_units];     ///< [rows, row_size]
  Index const* neighbors;
  Offset num_edges;
  Index num_rows;  ///< destinations
  Index num_sources;
  std::int64_t num_row_elements;  ///< of a unit's value
  std::int32_t lanes;             ///< of a head of it

  /// Does what goes to Sources depend on where an edge comes from or goes to?
  template <class L>
  struct is_of_edges : std::bool_constant<L::role_of == role::source || L::role_of == role::edge> {};
  static constexpr bool reads_edges = []<class... Unit>(type_list<Unit...>) {
    using source_leaves = typename leaves_of_table<Sources>::type;
    return ((filter_types<is_of_edges, typename message_needs<Unit, source_leaves>::type>::size > 0) || ...);
  }(typename Program::unit_types{});

  /// Visits lanes and calls
  ///   leave.source(type_tag<Bound>, row of the source, element, x) for each picked lane and gradient of Sources,
  ///   leave.own(type_tag<Bound>, row, element, x) for gradients of Own: of edges that were picked, of every
  ///   destination.
  template <class Geometry, class Leave>
  EDGEWISE_HD void visit(picked_lanes<Geometry, Index> const& lanes_at, Leave const& leave) const {
    constexpr int L = Geometry::lanes_per_chunk;
    picked_sink<Geometry, Accumulator, destination_targets> at_row;
    Geometry const geo;
    at_row.sums.clear(geo);
    for_each_index<num_units>([&](auto i) {
      constexpr int I = decltype(i)::value;
      using unit_leaves = typename type_at<I, typename Program::unit_types>::leaves;
      if constexpr (depends_on_any<unit_leaves, target_leaves>) {
        auto const at = find_edges<I>(lanes_at);
        picked_sink<Geometry, Accumulator, targets> sink;
        pull<I>(geo, lanes_at, at, sink);
        sink.sums.for_each([&](auto tag, auto const& sum) {
          using leaf_type = typename decltype(tag)::type::leaf;
          EDGEWISE_UNROLL
          for (int l = 0; l < L; ++l) {
            if (!at.ok[l]) continue;
            if constexpr (leaf_type::role_of == role::source) {
              leave.source(type_tag<bound_for<leaf_type, Sources>>{}, at.source[l], lanes_at.element(l),
                           sum.at(0, 0, l));
            } else if constexpr (leaf_type::role_of == role::edge) {
              leave.own(type_tag<bound_for<leaf_type, Own>>{}, at.edge[l], lanes_at.element(l), sum.at(0, 0, l));
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
        if (lanes_at.has(l)) {
          leave.own(type_tag<bound_for<leaf_type, Own>>{}, lanes_at.row(l), lanes_at.element(l), sum.at(0, 0, l));
        }
      }
    });
  }

  /// Calls take(type_tag<Bound>, x) with every term of gradients of Sources, or, where terms do not depend on the edge,
  /// for lanes that picked none too.
  template <class Geometry, class Take>
  EDGEWISE_HD void visit_terms(picked_lanes<Geometry, Index> const& lanes_at, Take const& take) const {
    constexpr int L = Geometry::lanes_per_chunk;
    Geometry const geo;
    for_each_index<num_units>([&](auto i) {
      constexpr int I = decltype(i)::value;
      using unit_leaves = typename type_at<I, typename Program::unit_types>::leaves;
      if constexpr (depends_on_any<unit_leaves, typename leaves_of_table<Sources>::type>) {
        picked_edges<L, Index, Offset> at;
        if constexpr (reads_edges) {
          at = find_edges<I>(lanes_at);
        } else {
          EDGEWISE_UNROLL
          for (int l = 0; l < L; ++l) at.ok[l] = lanes_at.has(l);
        }
        picked_sink<Geometry, Accumulator, Sources> sink;
        pull<I>(geo, lanes_at, at, sink);
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
  EDGEWISE_HD picked_edges<Geometry::lanes_per_chunk, Index, Offset> find_edges(
      picked_lanes<Geometry, Index> const& at) const {
    constexpr int L = Geometry::lanes_per_chunk;
    auto const place = [&](int l) { return static_cast<std::int64_t>(at.row(l)) * num_row_elements + at.element(l); };
    picked_edges<L, Index, Offset> found;
    constexpr bool needs_ids = edge_targets::size > 0 || filter_types<is_edge_leaf, typename Program::leaves>::size > 0;
    if (needs_ids || !picked_sources[I])
      load_streamed(
          at, [&](int l) { return picked_ids[I] + place(l); }, found.edge);
    if (picked_sources[I]) {
      load_streamed(
          at, [&](int l) { return picked_sources[I] + place(l); }, found.source);
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

  /// Loads what the derivatives of unit I read and pulls the gradients of its lanes.
  template <int I, class Geometry, class Edges, class Sink>
  EDGEWISE_HD void pull(Geometry const& geo, picked_lanes<Geometry, Index> const& lanes_at, Edges const& at,
                        Sink& sink) const {
    using unit = type_at<I, typename Program::unit_types>;
    using all = bound_subset<typename unit::leaves, Table>;
    using loaded = bound_subset<typename message_needs<unit, typename Sink::leaves>::type, all>;
    using wide_all = typename all_lane_by_lane<all>::type;
    registers<Geometry, Accumulator, 1, wide_all> values;
    load_all(loaded{}, lanes_at, at, values);
    clear_unloaded(typename all_lane_by_lane<loaded>::type{}, wide_all{}, geo, values);
    using gradient_bound = bound_for<field_leaf<I, gradient_field>, Table>;
    register_value<Accumulator, extent::wide, 1, 1, Geometry::lanes_per_chunk> gradient;
    auto const& gradients = operands.template of<gradient_bound>();
    load_streamed(
        lanes_at, [&](int l) { return gradients.row(lanes_at.row(l)) + lanes_at.element(l); }, gradient.v[0][0]);
    bare_environment<Geometry, Accumulator> const nothing{geo};
    auto const env = extend(nothing, values);
    auto const& message = get<I>(program.units).message;
    auto const record = message.trace(env);
    sink.sums.clear(geo);
    pull_chosen<true>(message, env, record, gradient, sink);
  }
  template <class... Bound, class Lanes, class Edges, class Registers>
  EDGEWISE_HD void load_all(type_list<Bound...>, [[maybe_unused]] Lanes const& lanes_at,
                            [[maybe_unused]] Edges const& at, [[maybe_unused]] Registers& to) const {
    (load_lanes<Bound>(lanes_at, at, slot_value<typename Bound::leaf>(to)), ...);
  }
  template <class Bound, class Lanes, class Edges, class V>
  EDGEWISE_HD void load_lanes(Lanes const& lanes_at, Edges const& at, V& to) const {
    auto const& operand = operands.template of<Bound>();
    EDGEWISE_UNROLL
    for (int l = 0; l < V::lanes; ++l) {
      std::int64_t const e = place_of<Bound>(lanes_at.element(lanes_at.safe(l)));
      auto const* const from = [&] {
        if constexpr (Bound::leaf::role_of == role::source) return operand.row(at.source[l]);
        if constexpr (Bound::leaf::role_of == role::edge) return operand.row(at.edge[l]);
        if constexpr (Bound::leaf::role_of == role::destination) return operand.row(lanes_at.row(lanes_at.safe(l)));
        if constexpr (Bound::leaf::role_of == role::parameter) return operand.row(0);
      }();
      to.at(0, 0, l) = static_cast<typename V::scalar>(read_element(from + e));
    }
  }
  /// Where an operand of fewer axes has the number for an element of a unit's value.
  template <class Bound>
  EDGEWISE_HD std::int64_t place_of(std::int64_t element) const {
    constexpr int stride = element_stride<typename Bound::leaf>;
    switch (Bound::kind) {
      case operand_kind::wide:
        return element;
      case operand_kind::per_lane:
        return element % lanes;
      case operand_kind::per_head:
        return element / lanes * stride;
      default:
        return 0;
    }
  }
};

}  // namespace edgewise::detail
