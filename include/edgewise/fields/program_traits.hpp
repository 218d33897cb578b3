// What a program keeps from the forward pass and prepares for the backward pass, given the kinds of its operands.
#pragma once

#include <cstddef>

#include <edgewise/core/extents.hpp>
#include <edgewise/core/size.hpp>
#include <edgewise/pass/forward_pass.hpp>
#include <edgewise/pass/vertex_pass.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/hand_over.hpp>
#include <edgewise/program/handed_softmax.hpp>
#include <edgewise/program/needs.hpp>
#include <edgewise/program/varies_by_head.hpp>

namespace edgewise::inline v0::detail {

/// Name of the adjoint of a part of the output among the leaves of the vertex stage.
template <int Part>
struct output_gradient_name {};

template <class Operands>
struct operand_accumulator {
  static_assert(sizeof(Operands) == 0,
                "program: reads no operand, whose type it could compute in; read one, as in gather<sum>(edge<w>)");
  using type = float;
};
template <class First, class... Bound>
struct operand_accumulator<type_list<First, Bound...>> {
  using type = accumulator_t<typename First::storage>;
  static_assert(
      (std::is_same_v<type, accumulator_t<typename Bound::storage>> && ...),
      "bindings: operands stored as double or with_tangent cannot be mixed with others in one program; float, "
      "bfloat16 and float16 can (core/scalar.hpp)");
};
template <class Table>
struct table_accumulator : operand_accumulator<filter_types<is_operand_bound, Table>> {};

/// An array of one row per destination in the plan's prepared memory.
constexpr std::size_t padded_elements(std::size_t rows, std::int64_t per_row) {
  return (static_cast<std::size_t>(size_of_array(rows, per_row)) + 63) / 64 * 64;
}

/// Out: how the output and its adjoint are stored; what is kept and prepared is stored as T.
template <class Program, class Table, class Offset, class T, class Out = T>
struct program_traits {
  using accumulator = T;
  using offset_type = Offset;
  using program_type = Program;
  using epilogue_type = typename Program::epilogue_type;
  static constexpr int num_aggregations = Program::num_aggregations;
  using indices = std::make_integer_sequence<int, num_aggregations>;
  template <int I>
  using aggregation = std::remove_cvref_t<decltype(get<I>(std::declval<Program const&>().aggregations))>;
  static constexpr bool identity_epilogue =
      std::is_same_v<epilogue_type, leaf<role::destination, aggregation_value<0>>>;

  template <int I>
  static constexpr bool has_self_edge =
      !std::is_same_v<std::remove_cvref_t<decltype(get<I>(std::declval<Program const&>().selves))>, no_self>;

  // Register types on some geometry: extents do not depend on which.
  using geometry = cuda_geometry<4, 1, 4>;
  using message_env =
      environment<geometry, T, registers<geometry, T, 1, Table>, registers<geometry, T, 1, type_list<>>>;
  template <int I>
  static constexpr extent aggregation_extent = aggregation_state<aggregation<I>, message_env, Offset>::extent_of;
  template <int I>
  static constexpr operand_kind aggregation_kind = kind_of_extent(aggregation_extent<I>);
  template <int I>
  using value_leaf = leaf<role::destination, aggregation_value<I>>;
  template <int I>
  using bound_value =
      bound_leaf<value_leaf<I>, aggregation_kind<I>, std::conditional_t<identity_epilogue, Out, T> const>;

  template <class Sequence>
  struct over_aggregations;
  template <int... I>
  struct over_aggregations<std::integer_sequence<int, I...>> {
    using values = type_list<bound_value<I>...>;
  };
  using epilogue_env =
      environment<geometry, T,
                  registers<geometry, T, 1, concat_types<Table, typename over_aggregations<indices>::values>>,
                  registers<geometry, T, 1, type_list<>>>;
  template <class E>
  static consteval operand_kind kind_of_part() {
    constexpr extent found = std::remove_cvref_t<
        decltype(std::declval<E const&>().trace(std::declval<epilogue_env const&>()).value)>::extent_of;
    constexpr bool is_one_for_all_heads =
        found == extent::wide && has_head_sum<epilogue_type> &&
        !varies_by_head<E, concat_types<Table, typename over_aggregations<indices>::values>>::value;
    return is_one_for_all_heads ? operand_kind::per_channel : kind_of_extent(found);
  }
  // The parts of the output: one, but for a program that ends in concat.
  using part_types = typename output_parts<epilogue_type>::types;
  static constexpr int num_parts = part_types::size;
  static constexpr operand_kind part_kind = kind_of_part<type_at<0, part_types>>();
  static_assert(
      []<class... E>(type_list<E...>) { return ((kind_of_part<E>() == part_kind) && ...); }(part_types{}),
      "concat: its parts must have one shape: all of them heads and channels, heads alone, channels alone, or neither "
      "(expression/concat.hpp)");
  static constexpr bool is_per_channel = part_kind == operand_kind::per_channel;
  /// Several parts lie one behind the other, as heads do.
  static constexpr operand_kind out_kind =
      num_parts == 1 ? part_kind : (kind_has_channels(part_kind) ? operand_kind::wide : operand_kind::per_head);
  static constexpr row_extents out_extents(row_extents extents) {
    if (num_parts > 1) extents.heads = num_parts * (kind_has_heads(part_kind) ? extents.heads : 1);
    return extents;
  }
  /// The output's view with an axis of parts: where a part has one head, they may have been given as one row of
  /// channels.
  template <class View>
  static View with_parts(View view, row_extents extents) {
    if constexpr (num_parts > 1 && View::kind == operand_kind::wide) {
      row_extents const out = out_extents(extents);
      if (out.heads == num_parts && view.heads == 1 && view.channels == out.heads * out.channels) {
        view.heads = out.heads;
        view.channels = out.channels;
      }
    }
    return view;
  }
  static std::int64_t part_elements(row_extents extents) { return elements_of_kind(part_kind, extents); }
  static std::int64_t out_elements(row_extents extents) { return elements_of_kind(out_kind, out_extents(extents)); }
  /// The adjoints of the parts, stored as Element.
  template <class Element>
  struct gradients_stored_as {
    template <int... P>
    static auto bind(std::integer_sequence<int, P...>)
        -> type_list<bound_leaf<leaf<role::destination, output_gradient_name<P>>, part_kind, Element>...>;
    using type = decltype(bind(std::make_integer_sequence<int, num_parts>{}));
  };

  /// The gather's value must be kept where the epilogue's derivative reads it, or a softmax lies below an epilogue.
  template <int I>
  static constexpr bool keeps_result =
      !identity_epilogue &&
      (aggregation<I>::is_softmax ||
       contains_type<value_leaf<I>, typename pull_needs<epilogue_type, typename epilogue_type::leaves>::type>);

  /// The adjoint of a gather's value: that of the output itself, or what the vertex stage left below an epilogue.
  using gradient_scalar = std::conditional_t<identity_epilogue, Out, T>;

  /// The operands that hold kept values of edges, as backward traversals read them.
  template <class E>
  using stash_bound = bound_leaf<
      stash_leaf<E>,
      kind_of_extent(std::remove_cvref_t<
                     decltype(std::declval<E const&>().trace(std::declval<message_env const&>()).value)>::extent_of),
      T const>;
  template <class List>
  struct bind_stash;
  template <class... E>
  struct bind_stash<type_list<E...>> {
    using type = type_list<stash_bound<E>...>;
  };
  using stash_table = typename bind_stash<typename stashed_of<Program>::type>::type;

  // ---- fields of aggregations: what is kept, what is prepared, what edges read
  template <int I, class Aggregation>
  struct aggregation_fields;
  template <int I, class G, class M>
  struct aggregation_fields<I, reduce_aggregation<G, M>> {
    using saved = typename G::template saved<T, Offset>;
    static constexpr int num_prepared = G::num_prepared;
    static constexpr bool reads_gradient = contains_type<gradient_field, typename G::reads>;
    static constexpr operand_kind saved_kind = aggregation_kind<I>;
    static constexpr operand_kind prepared_kind = aggregation_kind<I>;
    template <class F>
    struct storage_of {
      using type = T;
    };
    template <int K>
    struct storage_of<saved_field<K>> {
      template <class... S>
      static auto pick(type_list<S...>) {
        return get<K>(pack<type_tag<S>...>{});
      }
      using type = typename decltype(pick(saved{}))::type;
    };
    template <class F>
    using bound = bound_leaf<
        leaf<role::destination, aggregation_field<I, F>>, aggregation_kind<I>,
        std::conditional_t<std::is_same_v<F, gradient_field>, gradient_scalar, typename storage_of<F>::type> const>;
    template <class... F>
    static type_list<bound<F>...> bind_all(type_list<F...>);
    using edge_table = decltype(bind_all(typename G::reads{}));
    template <int... K>
    static type_list<bound<saved_field<K>>...> saved_bounds(std::integer_sequence<int, K...>);
    /// The vertex stage reads what is saved if it prepares something.
    using vertex_table =
        std::conditional_t<(num_prepared > 0 || has_self_edge<I>),
                           decltype(saved_bounds(std::make_integer_sequence<int, saved::size>{})), type_list<>>;
    static constexpr bool reads_result = false;
    static constexpr bool has_small_state = sizeof(typename G::template state<T, Offset>) <= sizeof(T);
  };
  template <int I, class S, class V>
  struct aggregation_fields<I, softmax_aggregation<S, V>> {
    using normalizer = softmax_normalizer<T>;
    using saved = type_list<normalizer>;
    static constexpr int num_prepared = 1;
    static constexpr bool reads_gradient = true;
    static constexpr operand_kind saved_kind =
        kind_of_extent(std::remove_cvref_t<
                       decltype(std::declval<S const&>().trace(std::declval<message_env const&>()).value)>::extent_of);
    static constexpr operand_kind prepared_kind = saved_kind;
    using edge_table = type_list<
        bound_leaf<leaf<role::destination, aggregation_field<I, gradient_field>>, aggregation_kind<I>,
                   gradient_scalar const>,
        bound_leaf<leaf<role::destination, aggregation_field<I, normalizer_field>>, saved_kind, normalizer const>,
        bound_leaf<leaf<role::destination, aggregation_field<I, inner_field>>, saved_kind, T const>>;
    using vertex_table =
        std::conditional_t<has_self_edge<I>,
                           type_list<bound_leaf<leaf<role::destination, aggregation_field<I, normalizer_field>>,
                                                saved_kind, normalizer const>>,
                           type_list<>>;
    static constexpr bool reads_result = true;
    static constexpr bool has_small_state = false;
  };
  template <int I>
  using fields_of = aggregation_fields<I, aggregation<I>>;

  /// Pairs are one for each head or row: scores that differ from channel to channel hand nothing over.
  template <int... I>
  static consteval bool scores_lack_channels(std::integer_sequence<int, I...>) {
    return (!(aggregation<I>::is_softmax && kind_has_channels(fields_of<I>::saved_kind)) && ...);
  }
  static constexpr bool may_hand_over = handing_of<Program> != handing::never && scores_lack_channels(indices{});
  /// What the traversal by destination hands to the one by source, stored as Element.
  template <int I, class Element>
  static auto bind_handed() {
    if constexpr (!may_hand_over || !aggregation<I>::is_softmax) {
      return type_list<>{};
    } else {
      constexpr operand_kind kind = fields_of<I>::saved_kind;
      return type_list<bound_leaf<handed_weight_leaf<I>, kind, Element>,
                       bound_leaf<handed_adjoint_leaf<I>, kind, Element>>{};
    }
  }
  template <class Element>
  struct handed_stored_as {
    template <int... I>
    static auto bind(std::integer_sequence<int, I...>) -> concat_types<decltype(bind_handed<I, Element>())...>;
    using type = decltype(bind(indices{}));
  };
  template <class Element>
  using handed_as = typename handed_stored_as<Element>::type;

  template <class Sequence>
  struct tables;
  template <int... I>
  struct tables<std::integer_sequence<int, I...>> {
    using edges = concat_types<typename fields_of<I>::edge_table...>;
    using kept = concat_types<type_list<bound_value<I>...>, typename fields_of<I>::vertex_table...>;
    using loaded = concat_types<
        std::conditional_t<fields_of<I>::reads_result || keeps_result<I>, type_list<value_leaf<I>>, type_list<>>...,
        typename leaves_of_table<typename fields_of<I>::vertex_table>::type...>;
    static constexpr bool any_prepared = ((fields_of<I>::num_prepared > 0) || ...);
    static constexpr bool any_reads_result = (fields_of<I>::reads_result || ...);
    static constexpr bool keeps_nothing =
        ((fields_of<I>::saved::size == 0 && fields_of<I>::num_prepared == 0 && fields_of<I>::has_small_state) && ...);
  };
  using field_table = typename tables<indices>::edges;
  using kept_table = typename tables<indices>::kept;
  using kept_leaves = typename tables<indices>::loaded;
  /// Does the backward pass read the output itself, which a program without an epilogue ends with?
  static constexpr bool reads_output = identity_epilogue && tables<indices>::any_reads_result;
  /// Below an epilogue the vertex stage leaves an aggregation's gradient where edges read it.
  template <int I>
  static constexpr bool prepares_gradient = !identity_epilogue && fields_of<I>::reads_gradient;
  /// Are all rows of channels that passes read and write the caller's, whose gaps may be read? Those that saved states
  /// and plans keep have none, and slots have room for the last chunk where states are one number per channel.
  static constexpr bool keeps_no_rows =
      identity_epilogue && num_parts == 1 && stash_table::size == 0 && tables<indices>::keeps_nothing;
  /// May a traversal read the gaps behind rows: are they one axis, too?
  template <class Pass>
  static constexpr bool reads_gaps = !Pass::has_parameter_targets && Pass::need == layout_need::flat && keeps_no_rows;
  template <class VertexTargets>
  static constexpr bool needs_vertex_stage =
      !identity_epilogue || tables<indices>::any_prepared || VertexTargets::size > 0;

  /// Calls f(index_constant<I>) for every aggregation.
  template <class F>
  static void for_each_aggregation(F const& f) {
    for_each_index_on_host<num_aggregations>(f);
  }

  // ---- the plan's prepared memory: per aggregation the gradient (below an epilogue), then its prepared fields
  static std::size_t prepared_elements(std::size_t rows, row_extents extents) {
    std::size_t total = 0;
    for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      if (prepares_gradient<I>) total += padded_elements(rows, elements_of_kind(aggregation_kind<I>, extents));
      total +=
          fields_of<I>::num_prepared * padded_elements(rows, elements_of_kind(fields_of<I>::prepared_kind, extents));
    });
    return total;
  }
  template <int I>
  static T* prepared_place(T* base, std::size_t rows, row_extents extents, int field) {
    std::size_t at = 0;
    for_each_aggregation([&](auto i) {
      constexpr int J = decltype(i)::value;
      if (J > I) return;
      if (J == I && field < 0) return;  // -1: the gradient, which comes first
      if (prepares_gradient<J>) at += padded_elements(rows, elements_of_kind(aggregation_kind<J>, extents));
      int const fields = J == I ? field : fields_of<J>::num_prepared;
      at += static_cast<std::size_t>(fields) *
            padded_elements(rows, elements_of_kind(fields_of<J>::prepared_kind, extents));
    });
    return base + at;
  }
  template <class Prepared>
  static void fill_prepared(Prepared& prepared, T* base, std::size_t rows, row_extents extents) {
    for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      auto& to = get<I>(prepared);
      to.gradient = prepares_gradient<I> ? prepared_place<I>(base, rows, extents, -1) : nullptr;
      for (int f = 0; f < fields_of<I>::num_prepared; ++f) to.field[f] = prepared_place<I>(base, rows, extents, f);
    });
  }

  /// Pointers of the leaves that the vertex stage reads of what was kept; returns the longest chunk that they allow.
  template <class Pointers, class Saved>
  static int fill_kept(Pointers& pointers, Saved const& saved) {
    int chunk = longest_chunk;
    for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      if constexpr (fields_of<I>::reads_result || keeps_result<I>) {
        pointers.template of<bound_value<I>>() = {
            static_cast<typename bound_value<I>::storage*>(saved.template result<I>()),
            saved.template result_row_bytes<I>()};
        chunk = smaller(chunk, saved.template chunk_of_result<I>());
      }
      fill_saved_leaves<I>(pointers, saved, typename fields_of<I>::vertex_table{});
    });
    return chunk;
  }

  static constexpr std::size_t num_fields = field_table::size > 0 ? field_table::size : 1;
  /// Where the fields that edges read lie.
  struct field_pointers {
    void const* data[num_fields];
    std::int32_t row_bytes[num_fields];
    int chunk;         ///< the longest that all of them allow
    int gapped_chunk;  ///< the longest for a pass that reads gaps
  };
  template <class Saved, class View>
  static field_pointers fields(Saved const& saved, View const& gradient, T* prepared, std::size_t rows,
                               row_extents extents) {
    field_pointers result{};
    result.chunk = result.gapped_chunk = longest_chunk;
    int next = 0;
    for_each_aggregation([&](auto i) {
      constexpr int I = decltype(i)::value;
      for_each_bound(typename fields_of<I>::edge_table{}, [&](auto tag) {
        using bound = typename decltype(tag)::type;
        place_field<I>(typename bound::leaf::name{}, type_tag<bound>{}, result, next++, saved, gradient, prepared, rows,
                       extents);
      });
    });
    return result;
  }
  template <bool ReadsGaps = false, class Pointers>
  static int fill_fields(Pointers& pointers, field_pointers const& fields) {
    int next = 0;
    for_each_bound(field_table{}, [&](auto tag) {
      using bound = typename decltype(tag)::type;
      pointers.template of<bound>() = {static_cast<typename bound::storage*>(fields.data[next]),
                                       fields.row_bytes[next]};
      ++next;
    });
    return ReadsGaps ? fields.gapped_chunk : fields.chunk;
  }

private:
  template <class... Bound, class F>
  static void for_each_bound(type_list<Bound...>, F const& f) {
    (f(type_tag<Bound>{}), ...);
  }
  template <class S>
  static std::int32_t row_bytes(operand_kind kind, row_extents extents) {
    return static_cast<std::int32_t>(elements_of_kind(kind, extents) * static_cast<std::int64_t>(sizeof(S)));
  }

  template <int I, class Bound, class Saved, class View>
  static void place_field(aggregation_field<I, gradient_field>, type_tag<Bound>, field_pointers& to, int at,
                          Saved const&, View const& gradient, T* prepared, std::size_t rows, row_extents extents) {
    if (identity_epilogue) {
      to.data[at] = gradient.data;
      to.row_bytes[at] =
          static_cast<std::int32_t>(gradient.row_stride * static_cast<std::int64_t>(sizeof(gradient_scalar)));
      to.chunk = smaller(to.chunk, chunk_of(gradient));
      to.gapped_chunk = smaller(to.gapped_chunk, chunk_of<true>(gradient));
    } else {
      to.data[at] = prepared_place<I>(prepared, rows, extents, -1);
      to.row_bytes[at] = row_bytes<T>(aggregation_kind<I>, extents);
    }
  }
  template <int I, int K, class Bound, class Saved, class View>
  static void place_field(aggregation_field<I, saved_field<K>>, type_tag<Bound>, field_pointers& to, int at,
                          Saved const& saved, View const&, T*, std::size_t, row_extents extents) {
    to.data[at] = saved.template field<I, K>();
    to.row_bytes[at] = row_bytes<std::remove_const_t<typename Bound::storage>>(aggregation_kind<I>, extents);
  }
  template <int I, int K, class Bound, class Saved, class View>
  static void place_field(aggregation_field<I, prepared_field<K>>, type_tag<Bound>, field_pointers& to, int at,
                          Saved const&, View const&, T* prepared, std::size_t rows, row_extents extents) {
    to.data[at] = prepared_place<I>(prepared, rows, extents, K);
    to.row_bytes[at] = row_bytes<T>(aggregation_kind<I>, extents);
  }
  template <int I, class Bound, class Saved, class View>
  static void place_field(aggregation_field<I, normalizer_field>, type_tag<Bound>, field_pointers& to, int at,
                          Saved const& saved, View const&, T*, std::size_t, row_extents extents) {
    to.data[at] = saved.template field<I, 0>();
    to.row_bytes[at] = row_bytes<softmax_normalizer<T>>(Bound::kind, extents);
  }
  template <int I, class Bound, class Saved, class View>
  static void place_field(aggregation_field<I, inner_field>, type_tag<Bound>, field_pointers& to, int at, Saved const&,
                          View const&, T* prepared, std::size_t rows, row_extents extents) {
    to.data[at] = prepared_place<I>(prepared, rows, extents, 0);
    to.row_bytes[at] = row_bytes<T>(Bound::kind, extents);
  }

  template <int I, class Pointers, class Saved, class... Bound>
  static void fill_saved_leaves(Pointers& pointers, Saved const& saved, type_list<Bound...>) {
    int k = 0;
    ((pointers.template of<Bound>() = {static_cast<typename Bound::storage*>(saved.field_address(I, k++)),
                                       saved.template field_row_bytes<I, typename Bound::storage>()}),
     ...);
  }
};

}  // namespace edgewise::inline v0::detail
