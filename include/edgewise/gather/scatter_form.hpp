// The atomic form of gathers: how a message is combined with a row that other edges write to at the same time.
#pragma once

#include <edgewise/gather/max.hpp>
#include <edgewise/gather/sum.hpp>

namespace edgewise::inline v0 {

/// What ends the traversal of an edge that is not grouped.
enum class scatter_form {
  none,      ///< the gather has no atomic form: it needs the edges of a row together
  add,       ///< out[destination] += message
  largest,   ///< the largest message and its edge, in one 64-bit word
  smallest,  ///< the smallest message and its edge
  softmax    ///< three traversals: the largest score, the sum of weights, the weighted sum
};

/// The atomic form of a gather. Specialise it for a gather of your own whose value is a sum, maximum or minimum of
/// messages with the saved fields and adjoint of `sum` or `max`.
template <class Gather>
inline constexpr scatter_form scatter_form_of = scatter_form::none;
template <>
inline constexpr scatter_form scatter_form_of<sum> = scatter_form::add;
template <>
inline constexpr scatter_form scatter_form_of<max> = scatter_form::largest;
template <>
inline constexpr scatter_form scatter_form_of<min> = scatter_form::smallest;

}  // namespace edgewise::inline v0
