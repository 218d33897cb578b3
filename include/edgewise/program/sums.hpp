// Whether gradients that many rows add to keep the same bits from run to run.
#pragma once

namespace edgewise::inline v0 {

/// The default: every result has the same bits whatever the stream, the repetition or the number of threads.
struct deterministic {};

/// Gradients of sources that max and min picked are added by atomics of floats on a GPU, in the order in which rows
/// happen to arrive: faster, and different by rounding from run to run. Gradients stored in 16 bits or as double, those
/// of other programs, and everything on a CPU stay as they are by default. Over graph{coo} `automatic` may scatter the
/// edges in place of grouping them, by atomics that differ in the same way.
struct nondeterministic {};

namespace detail {

template <class Option>
inline constexpr bool is_sums_option = false;
template <>
inline constexpr bool is_sums_option<deterministic> = true;
template <>
inline constexpr bool is_sums_option<nondeterministic> = true;

}  // namespace detail
}  // namespace edgewise::inline v0
