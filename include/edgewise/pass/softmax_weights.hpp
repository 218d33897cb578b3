// The running weights of a softmax over the edges of a row.
#pragma once

#include <type_traits>

#include <edgewise/core/softmax_normalizer.hpp>
#include <edgewise/pass/environment.hpp>

namespace edgewise::inline v0::detail {

/// Largest score and sum of exponentials so far, as far as the score varies.
template <class Score, class Env>
struct softmax_weights {
  using geometry = typename Env::geometry;
  using T = typename Env::accumulator;
  using score_value =
      std::remove_cvref_t<decltype(std::declval<Score const&>().trace(std::declval<Env const&>()).value)>;
  using score_state = register_value<T, score_value::extent_of, 1, geometry::max_chunks, geometry::channels_per_chunk>;
  template <int Edges>
  using block = register_value<T, score_value::extent_of, Edges, geometry::max_chunks, geometry::channels_per_chunk>;

  score_state largest;  ///< -inf before the first edge
  score_state weight;   ///< sum of exp(score - largest)

  EDGEWISE_HD void start(geometry const& geo) {
    fill(geo, largest, negative_infinity<T>());
    fill(geo, weight, T(0));
  }
  /// Online softmax over a block of edges: one rescale per block (Milakov & Gimelshein 2018). p: the edges'
  /// exponentials; rescale: what sums so far are to be multiplied by.
  template <int Edges, class V>
  EDGEWISE_HD void fold(geometry const& geo, V const& score, edge_mask<Edges> const& ok, block<Edges>& p,
                        score_state& rescale) {
    if constexpr (Edges == 1 && has_head_lanes<score_state, geometry>) {
      return fold_heads(geo, score, p, rescale);  // a CPU thread has no masked edges
    }
    for_each_number<score_state>(geo, [&](int, int c, int l) {
      if (repeats_head<score_state::extent_of>(geo, c)) {
        largest.at(0, c, l) = largest.at(0, c - 1, l);
        weight.at(0, c, l) = weight.at(0, c - 1, l);
        rescale.at(0, c, l) = rescale.at(0, c - 1, l);
        for (int b = 0; b < Edges; ++b) p.at(b, c, l) = p.at(b, c - 1, l);
        return;
      }
      T const before = largest.at(0, c, l);
      T now = before;
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        T const s = ok[b] ? score.at(b, c, l) : negative_infinity<T>();
        p.at(b, c, l) = s;
        now = larger_number(now, s);  // a NaN score makes its weight NaN below
      }
      // A row whose scores are all -inf keeps weight 0, and no (-inf) - (-inf) is formed.
      T const base = now == negative_infinity<T>() ? T(0) : now;
      rescale.at(0, c, l) = rescale_from(before, now, base);
      T sum = weight.at(0, c, l) * rescale.at(0, c, l);
      EDGEWISE_UNROLL
      for (int b = 0; b < Edges; ++b) {
        p.at(b, c, l) = fast_exp(p.at(b, c, l) - base);
        sum += p.at(b, c, l);
      }
      weight.at(0, c, l) = sum;
      largest.at(0, c, l) = now;
    });
  }
  /// mine, its: what this sum and the later one are to be multiplied by.
  EDGEWISE_HD void merge(geometry const& geo, softmax_weights const& later, score_state& mine, score_state& its) {
    for_each_entry<score_state>(geo, [&](int, int c, int l) {
      T const now = larger_number(largest.at(0, c, l), later.largest.at(0, c, l));
      T const base = now == negative_infinity<T>() ? T(0) : now;
      mine.at(0, c, l) = fast_exp(largest.at(0, c, l) - base);
      its.at(0, c, l) = fast_exp(later.largest.at(0, c, l) - base);
      largest.at(0, c, l) = now;
      weight.at(0, c, l) = weight.at(0, c, l) * mine.at(0, c, l) + later.weight.at(0, c, l) * its.at(0, c, l);
    });
  }
  EDGEWISE_HD auto normalizers(geometry const& geo) const {
    return map(
        geo, [](T m, T w) { return make_normalizer(m, w); }, largest, weight);
  }
  template <class F>
  EDGEWISE_HD void components(F const& f) {
    f(largest);
    f(weight);
  }

private:
  /// One edge, heads as lanes, without branches.
  template <class V>
  EDGEWISE_HD void fold_heads(geometry const& geo, V const& score, block<1>& p, score_state& rescale) {
    using lanes_type = head_lanes<T, geometry>;
    for_each_head_lanes<score_state>(geo, [&](int, int c) EDGEWISE_INLINE_LAMBDA {
      auto const before = load_heads<lanes_type>(largest, 0, c);
      auto const s = load_heads<lanes_type>(score, 0, c);
      auto const now = select(before <= s, s, before);  // not a NaN
      auto const base = select(now == lanes_type(negative_infinity<T>()), lanes_type(T(0)), now);
      auto const edge = fast_exp(s - base);
      auto const earlier = fast_exp(before - base);
      edge.store(&p.at(0, c, 0));
      earlier.store(&rescale.at(0, c, 0));
      now.store(&largest.at(0, c, 0));
      (load_heads<lanes_type>(weight, 0, c) * earlier + edge).store(&weight.at(0, c, 0));
    });
  }
  /// exp(before - base); on the host without a call where no score was larger, which is the rule.
  EDGEWISE_HD static T rescale_from(T before, [[maybe_unused]] T now, T base) {
#if !defined(__CUDA_ARCH__)
    if constexpr (std::is_floating_point_v<T>) {
      if (now == before) return T(1);
    }
#endif
    return fast_exp(before - base);
  }
};

}  // namespace edgewise::inline v0::detail
