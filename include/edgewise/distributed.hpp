// Everything for graphs whose parts are on several processes, on the CPU side; besides it one includes the
// communicator, edgewise/vendor/mpi.hpp.
#pragma once

#include <edgewise/distributed/distributed_graph.hpp>
#include <edgewise/distributed/feature_split.hpp>
#include <edgewise/distributed/fuse_distributed.hpp>
#include <edgewise/distributed/graph_part.hpp>
#include <edgewise/distributed/make_part.hpp>
#include <edgewise/distributed/partition.hpp>
#include <edgewise/distributed/rank_sum.hpp>
#include <edgewise/edgewise.hpp>
