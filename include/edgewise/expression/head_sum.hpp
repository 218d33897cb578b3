// Sums and means over heads, in epilogues: [rows, heads, channels] to [rows, channels].
#pragma once

#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/expression.hpp>

namespace edgewise::inline v0 {

/// The sum over the heads of each channel. Every head of the result holds the whole sum; adjoints of it lie apart by
/// head, as those of operands per channel do, and their sum is what each head of the argument gets.
template <class Arg>
struct head_sum_node : unary_node<head_sum_node, Arg> {
  static constexpr char const* name = "sum_heads";
  static constexpr row_axes sums_over{.heads = true};

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    return trace_node<head_sum_node>(
        env, [&](auto const& in) EDGEWISE_INLINE_LAMBDA { return finish(in, this->arg.trace(in)); });
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const& env, Record const& record, Adjoint const& adjoint, Sink& sink) const {
    pull_node<head_sum_node>(env, record, adjoint, sink, [&](auto const& traced) EDGEWISE_INLINE_LAMBDA {
      if constexpr (Sink::template wants<Arg>()) {
        this->arg.pull(env, get<0>(traced.children), over_heads(env, adjoint), sink);
      }
    });
  }

private:
  template <class Env, class V>
  EDGEWISE_HD static V over_heads(Env const& env, V const& x) {
    V sums;
    detail::for_each_entry<V>(env.geo, [&](int b, int c, int l) { sums.at(b, c, l) = x.at(b, c, l); });
    env.geo.sum_over_heads_in_place(sums);
    return sums;
  }
  template <class Env, class Record>
  EDGEWISE_HD auto finish(Env const& env, Record const& inner) const {
    using value = std::remove_cvref_t<decltype(inner.value)>;
    static_assert(
        value::extent_of == extent::wide,
        "sum_heads / mean_heads: needs a value with heads and channels, such as a gather of wide operands; its "
        "value is per channel (expression/head_sum.hpp)");
    return detail::record<value, Record>{over_heads(env, inner.value), make_pack(inner)};
  }
};

namespace detail {

/// 1 / heads of the program's rows.
struct inverse_of_heads {
  using edgewise_expression = void;
  using leaves = type_list<>;

  template <class Env>
  EDGEWISE_HD auto trace(Env const& env) const {
    using T = typename Env::accumulator;
    using geometry = typename Env::geometry;
    using uniform = register_value<T, extent::uniform, 1, geometry::max_chunks, geometry::channels_per_chunk>;
    return constant_record<uniform>{uniform{{{{T(1) / static_cast<T>(env.geo.heads)}}}}};
  }
  template <class Env, class Record, class Adjoint, class Sink>
  EDGEWISE_HD void pull(Env const&, Record const&, Adjoint const&, Sink&) const {}
};

}  // namespace detail

/// `sum_heads(x)`: the sum over heads of a value of a vertex, [rows, heads, channels] to [rows, channels], such as
/// `sum_heads(gather<sum>(edge<w> * src<h>)) + param<b>`. Where nothing above it varies by head, the program's output
/// is `per_channel`. Deterministic: heads are added in a fixed order.
template <expression A>
constexpr auto sum_heads(A const& a) {
  return head_sum_node<A>{{a}};
}
/// `mean_heads(x)`: `sum_heads(x)` divided by the number of heads, which is how the last layer of a GAT averages them
/// (Velickovic et al. 2018, equation 6).
template <expression A>
constexpr auto mean_heads(A const& a) {
  return sum_heads(a) * detail::inverse_of_heads{};
}

}  // namespace edgewise::inline v0
