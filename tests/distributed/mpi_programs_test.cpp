// Programs of attention, edges, masks and vertices over the ranks of MPI are those over the whole graph.
#include "mpi_ranks.hpp"
#include "program/attention_cases.hpp"
#include "program/concat_cases.hpp"
#include "program/dropout_cases.hpp"
#include "program/edge_cases.hpp"
#include "program/edge_feature_cases.hpp"
#include "program/edge_softmax_cases.hpp"
#include "program/float16_cases.hpp"
#include "program/per_channel_cases.hpp"
#include "program/stash_cases.hpp"
#include "program/sum_over_cases.hpp"
#include "program/units_cases.hpp"
#include "program/with_self_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("distributed: attention", "[distributed]", first_set<gat>, first_set<transformer>,
                   first_set<gat_with_self>, first_set<attention_of_edge_features>, first_set<stashed_gat>) {
  check_on_mpi<TestType>();
}

TEMPLATE_TEST_CASE("distributed: the masks of edges do not depend on ranks", "[distributed]",
                   first_set<dropped_attention_with_self>, first_set<dropped_layer>, first_set<dropped_gathers>) {
  check_on_mpi<TestType>();
}

TEMPLATE_TEST_CASE("distributed: values of edges", "[distributed]", first_set<edge_dot>, first_set<edge_attention>) {
  check_on_mpi<TestType>();
}

TEMPLATE_TEST_CASE("distributed: small vectors, channels, several outputs, values of rows", "[distributed]",
                   first_set<vec_distances>, first_set<per_channel_roles>, per_channel_below_heads, first_set<pna>,
                   first_set<normalized_weights>) {
  check_on_mpi<TestType>();
}

TEMPLATE_TEST_CASE("distributed: gathers that read gathers of other rows", "[distributed]", first_set<two_hops>,
                   first_set<differences_of_means>, first_set<below_the_maximum>, first_set<normalized_edges>,
                   first_set<propagation>) {
  check_on_mpi<TestType>();
}

TEST_CASE("distributed: operands, outputs of 16 bits", "[distributed]") {
  check_on_mpi<stored_as<first_set<gat>, bfloat16>>();
  check_on_mpi<first_set<float16_sum_of_floats>>();
}
