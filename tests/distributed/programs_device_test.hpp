// The cases that run over several ranks of one device.
#pragma once

#include "gather/max_cases.hpp"
#include "gather/stddev_cases.hpp"
#include "gather/sum_cases.hpp"
#include "program/attention_cases.hpp"
#include "program/dropout_cases.hpp"
#include "program/edge_cases.hpp"
#include "program/epilogue_cases.hpp"
#include "program/relation_cases.hpp"
#include "program/units_cases.hpp"
#include "program/with_self_cases.hpp"

namespace edgewise::testing {

using weighted_sum_on_ranks = first_set<weighted_sum<operand_kind::per_row>>;
using maximum_on_ranks = first_set<extremum_of_weighted<edgewise::max>>;

}  // namespace edgewise::testing

#define EDGEWISE_CASES_ON_RANKS(F)          \
  F(weighted_sum_on_ranks)                  \
  F(first_set<sum_of_differences>)          \
  F(maximum_on_ranks)                       \
  F(first_set<deviation_of_weighted>)       \
  F(first_set<relu_of_biased_sum>)          \
  F(first_set<gat>)                         \
  F(first_set<gat_with_self>)               \
  F(mean_with_self)                         \
  F(first_set<transformer>)                 \
  F(first_set<dropped_attention_with_self>) \
  F(first_set<edge_dot>)                    \
  F(first_set<relation_bases>)              \
  F(first_set<two_hops>)
