// Dropout: drops elements of a message or of a vertex's value at random, by a mask that is computed and never stored.
#pragma once

#include <edgewise/expression/draw_mask.hpp>
#include <edgewise/expression/expression.hpp>
#include <edgewise/expression/random_leaf.hpp>
#include <edgewise/expression/rewrite.hpp>

namespace edgewise::inline v0 {

namespace detail {

/// The shape of a mask over a value that is the same for every head, whatever heads other operands of the program have:
/// all heads draw the numbers of the first (program/mask_shapes.hpp).
template <class Shape>
struct alike_for_heads {};

template <class Shape>
struct mask_shape {
  using type = Shape;
  static constexpr bool differs_by_head = true;
};
template <class Shape>
struct mask_shape<alike_for_heads<Shape>> {
  using type = Shape;
  static constexpr bool differs_by_head = false;
};

/// x times scale where kept, 0 elsewhere, whatever x is there. E: the extent over which the mask varies.
template <extent E, class Geometry, class V, class Bits>
EDGEWISE_HD auto keep(Geometry const& geo, V const& x, Bits const& kept, typename V::scalar scale) {
  using T = typename V::scalar;
  using mask = register_value<std::uint32_t, E, Bits::edges, V::geometry_chunks, V::geometry_channels>;
  mapped_t<T, V, mask> result;
  using result_type = decltype(result);
  if constexpr (result_type::has_lanes && (V::has_lanes || V::channels == 1)) {
    for_each_lanes<result_type>(geo, [&](int b, int c, lane_group g) EDGEWISE_INLINE_LAMBDA {
      using lanes_type = typename result_type::chunk_type::group_type;
      std::uint32_t const bits = kept.at(b, c, 0);
      std::uint32_t const of_lanes = E == extent::wide ? bits >> (g.i * lanes_type::count) : 0u - (bits & 1u);
      result.at(b, c, g) = select(lanes_type::condition::of_bits(of_lanes),
                                  spread<lanes_type>(x.at(b, c, g)) * lanes_type(scale), lanes_type(T(0)));
    });
    return result;
  }
  for_each_entry<result_type>(geo, [&](int b, int c, int l) {
    bool const keeps = (kept.at(b, c, 0) >> (E == extent::wide ? l : 0) & 1u) != 0;
    result.at(b, c, l) = keeps ? x.at(b, c, l) * scale : T(0);
  });
  return result;
}

template <class Value, class Bits, class Child>
struct dropout_record {
  Value value;
  Bits kept;
  pack<Child> children;
};

[[noreturn]] inline void throw_bad_probability(double p) {
  throw invalid_argument(text("dropout: probability = ", p, " is not in [0, 1)"));
}

}  // namespace detail

/// How much is dropped.
struct dropout_rate {
  std::uint32_t threshold;  ///< a multiple of 2^16; a word below it drops
  detail::constant_value scale;
  double probability;  ///< as it was asked for
};

/// Inverted dropout of Arg by the random numbers bound to Name. Number says whose mask it is; Shape is an expression of
/// whose extent the mask is, mostly Arg itself. Its own adjoint: the same mask, the same scale.
template <class Name, class Number, class Rate, class Arg, class Shape = Arg>
struct dropout_node {
  using edgewise_expression = void;
  using name = Name;
  using arguments = type_list<Arg>;
  using own_leaves = type_list<random_leaf<Name>, Number>;  ///< the mask's
  using leaves = unique_types<concat_types<typename Arg::leaves, own_leaves>>;
  using numbers = Rate;
  static constexpr int flops = 1;
  static constexpr bool chooses = true;
  template <int>
  static constexpr unsigned reads = reads_own_leaves;

  [[no_unique_address]] Arg arg;
  Rate rate;

  template <int I>
  EDGEWISE_HD constexpr Arg const& argument() const {
    static_assert(I == 0);
    return arg;
  }
  /// The extent of the mask is still that of the expression as it was written.
  template <class A>
  constexpr auto with_arguments(A const& a) const {
    return dropout_node<Name, Number, Rate, A, Shape>{a, rate};
  }

  template <class Rule, class A>
  constexpr auto with_renamed(A const& a) const {
    return dropout_node<Name, Number, Rate, A, detail::rewritten<Rule, Shape>>{a, rate};
  }
  template <class Placed, class A>
  constexpr auto with_numbers(A const& a) const {
    return dropout_node<Name, Number, Placed, A>{a, Placed{rate}};
  }
  /// Above gathers a mask belongs to the row.
  template <class A>
  constexpr auto above_gathers(A const& a) const {
    return dropout_node<Name, row_number, Rate, A>{a, rate};
  }

  template <class Writer>
  auto text(Writer const& to) const {
    return to.call(to.template name_of<random_leaf<Name>>(), arg, constant{rate.probability});
  }

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return trace_node<dropout_node>(
        env, [&](auto const& in) EDGEWISE_INLINE_LAMBDA { return with_mask(in, arg.trace(in)); });
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    pull_node<dropout_node>(env, record, adjoint, sink, [&](auto const& traced) EDGEWISE_INLINE_LAMBDA {
      if constexpr (Sink::template wants<Arg>()) {
        using arg_value = std::remove_cvref_t<decltype(get<0>(traced.children).value)>;
        auto const partial = detail::keep<mask_extent<Env>()>(env.geo, adjoint, traced.kept, scale_of(env));
        detail::pull_chosen<true>(arg, env, get<0>(traced.children),
                                  detail::fit<arg_value::extent_of>(env.geo, partial), sink);
      }
    });
  }

  /// The extent of the mask.
  template <class Env>
  static consteval extent mask_extent() {
    using shape = typename detail::mask_shape<Shape>::type;
    using shape_value =
        std::remove_cvref_t<decltype(std::declval<shape const&>().trace(std::declval<Env const&>()).value)>;
    return shape_value::extent_of;
  }
  /// x under the mask of a head of an edge, where the mask has no channels: for a thread that has this number alone.
  template <class T>
  EDGEWISE_HD T keep_number(mask_key const& key, std::uint64_t number, int head, T x) const {
    auto const element = static_cast<std::uint32_t>(detail::mask_shape<Shape>::differs_by_head ? head : 0);
    bool const keeps = detail::is_kept(key, Number::owner, number, element, rate.threshold);
    if (!key.draws) return x;
    return keeps ? x * rate.scale.template as<T>() : T(0);
  }

private:
  template <class Env>
  EDGEWISE_HD mask_key key_of(Env const& env) const {
    return env.template leaf_value<random_leaf<Name>>().at(0, 0, 0);
  }
  template <class Env>
  EDGEWISE_HD auto scale_of(Env const& env) const {
    using T = typename Env::accumulator;
    return key_of(env).draws ? rate.scale.template as<T>() : T(1);
  }
  template <class Env, class Record>
  EDGEWISE_HD auto with_mask(Env const& env, Record const& inner) const {
    constexpr extent drawn = mask_extent<Env>();
    constexpr bool differs_by_head = detail::mask_shape<Shape>::differs_by_head;
    auto const kept = detail::draw_kept<drawn, differs_by_head>(env.geo, key_of(env), Number::owner, rate.threshold,
                                                                env.template leaf_value<Number>());
    auto const value = detail::keep<drawn>(env.geo, inner.value, kept, scale_of(env));
    return detail::dropout_record<std::remove_const_t<decltype(value)>, std::remove_const_t<decltype(kept)>, Record>{
        value, kept, make_pack(inner)};
  }
};

namespace detail {

template <class E>
inline constexpr bool is_dropout = false;
template <class Name, class Number, class Rate, class A, class Shape>
inline constexpr bool is_dropout<dropout_node<Name, Number, Rate, A, Shape>> = true;

}  // namespace detail

/// `dropout<drop>(x, p)`: each element of x is dropped (set to 0) with probability p, rounded to a multiple of 2^-16
/// and below 1, and the others are divided by 1 - p as rounded. In a message every edge has its own mask, in an
/// epilogue every row; dropped elements and their adjoints are 0 whatever x is. The mask is a function of (seed, step,
/// stream, edge id or row, place in a row of x), read by `bind<drop>(random_numbers(&state))`: the same forward and
/// backward, on every engine, whatever the graph's order of edges and whatever other operands the program has. The
/// place is head
/// * channels + channel, of x without channels the head, of x without heads the channel. A name is a mask: used twice,
/// it drops the same elements twice. p is a number of the program object: one instantiation serves all, and p = 0 is
/// the identity, without drawing; so is any p where `bind<drop>(no_dropout())` says that nothing is dropped. Throws
/// `invalid_argument` unless 0 <= p < 1. Source: Srivastava et al. 2014, JMLR 15.
template <class Name, expression A>
constexpr auto dropout(A const& a, double p) {
  if (!(p >= 0.0 && p < 1.0)) detail::throw_bad_probability(p);
  auto const rounded = static_cast<std::uint32_t>(p * 65536.0 + 0.5);
  std::uint32_t const drops = rounded < 65535 ? rounded : 65535;  // of 65536 elements
  dropout_rate const rate{drops << 16, {65536.0 / (65536.0 - drops)}, p};
  return dropout_node<Name, edge_number, dropout_rate, A>{a, rate};
}

}  // namespace edgewise::inline v0
