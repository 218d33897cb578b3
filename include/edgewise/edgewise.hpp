// Everything that a host compiler can read: graphs, messages, gathers, and the CPU engine.
#pragma once

#if __cplusplus < 202002L
#error "edgewise is written in C++20: compile with -std=c++20"
#else

// The headers that check what a user wrote come first, each before those that include it: a compiler's message about them
// then names one header on its way there instead of ten.
// clang-format off
#include <edgewise/core/pack.hpp>
#include <edgewise/core/scalar.hpp>
#include <edgewise/expression/leaf.hpp>
#include <edgewise/expression/expression.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/program/aggregation.hpp>
#include <edgewise/program/bindings.hpp>
#include <edgewise/program/lower.hpp>
#include <edgewise/program/lift.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/gradient_checks.hpp>
#include <edgewise/program/gradient_plan.hpp>
#include <edgewise/program/tile_program.hpp>
// clang-format on

#include <edgewise/core/float16.hpp>
#include <edgewise/core/resources.hpp>
#include <edgewise/core/version.hpp>
#include <edgewise/cost/type_order.hpp>
#include <edgewise/engine/cpu/engine.hpp>
#include <edgewise/expression/activation.hpp>
#include <edgewise/expression/arithmetic.hpp>
#include <edgewise/expression/concat.hpp>
#include <edgewise/expression/dropout.hpp>
#include <edgewise/expression/functions.hpp>
#include <edgewise/expression/functor.hpp>
#include <edgewise/expression/gather_node.hpp>
#include <edgewise/expression/head_sum.hpp>
#include <edgewise/expression/linear.hpp>
#include <edgewise/expression/named.hpp>
#include <edgewise/expression/scatter_node.hpp>
#include <edgewise/expression/sum_over.hpp>
#include <edgewise/expression/verbs.hpp>
#include <edgewise/expression/vertex_value.hpp>
#include <edgewise/expression/with_self.hpp>
#include <edgewise/format/convert.hpp>
#include <edgewise/format/generate.hpp>
#include <edgewise/format/graph.hpp>
#include <edgewise/format/make.hpp>
#include <edgewise/format/make_views.hpp>
#include <edgewise/format/normalize.hpp>
#include <edgewise/format/reorder.hpp>
#include <edgewise/format/reverse.hpp>
#include <edgewise/format/self_loops.hpp>
#include <edgewise/format/symmetric.hpp>
#include <edgewise/format/to_wsb.hpp>
#include <edgewise/format/typed_edges.hpp>
#include <edgewise/format/typed_pairs.hpp>
#include <edgewise/format/validate.hpp>
#include <edgewise/format/validate_wsb.hpp>
#include <edgewise/format/vertex_orders.hpp>
#include <edgewise/format/wsb_statistics.hpp>
#include <edgewise/gather/max.hpp>
#include <edgewise/gather/prod.hpp>
#include <edgewise/gather/stddev.hpp>
#include <edgewise/gather/sum.hpp>
#include <edgewise/mapping/recommend.hpp>
#include <edgewise/mapping/schedule_policy.hpp>
#include <edgewise/plan/argument_sources.hpp>
#include <edgewise/plan/fuse.hpp>
#include <edgewise/program/products.hpp>
#include <edgewise/program/stash.hpp>
#include <edgewise/program/sums.hpp>

#endif
