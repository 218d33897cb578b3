// Gathers over the ranks of MPI are those over the whole graph.
#include "gather/max_cases.hpp"
#include "gather/prod_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "gather/sum_cases.hpp"
#include "mpi_ranks.hpp"
#include "program/epilogue_cases.hpp"
#include "program/with_self_cases.hpp"

using namespace edgewise;
using namespace edgewise::testing;

TEMPLATE_TEST_CASE("distributed: sums and means", "[distributed]", weighted_sum<operand_kind::per_row>,
                   sum_of_differences, first_set<mean_of_weighted>, first_set<sum_of_edges<operand_kind::per_head>>,
                   first_set<weighted_sum_with_self>, plain_sum_with_self, mean_with_self) {
  check_on_mpi<TestType>();
}

TEMPLATE_TEST_CASE("distributed: extrema, products, deviations", "[distributed]",
                   first_set<extremum_of_weighted<edgewise::max>>, first_set<max_of_differences>,
                   first_set<max_with_self>, first_set<product_of_weighted>, first_set<deviation_of_weighted>) {
  check_on_mpi<TestType>();
}

TEMPLATE_TEST_CASE("distributed: epilogues and parameters", "[distributed]", relu_of_biased_sum, first_set<everywhere>,
                   first_set<several_gathers>, first_set<shared_parameter>) {
  check_on_mpi<TestType>();
}

TEST_CASE("distributed: sums of double", "[distributed]") {
  check_on_mpi<first_set<weighted_sum<operand_kind::per_row>>, double>();
}
