// Zachary's karate club: a real graph small enough to live in code.
#pragma once

#include <edgewise/format/generate/edge_set.hpp>
#include <edgewise/format/generate/labelled_graph.hpp>

namespace edgewise::inline v0 {

/// The friendships of 34 members of a karate club, 78 links, listed in both directions (156 edges) and sorted by
/// (source, destination). Label 0: the 17 members who stayed with the instructor (vertex 0) when the club split;
/// label 1: the 17 who went with the president (vertex 33). Source: Zachary 1977, doi:10.1086/jar.33.4.3629752.
template <class Index = std::int32_t, class Offset = std::int32_t>
labelled_graph<Index, Offset> karate_club() {
  constexpr std::int64_t num_members = 34;
  std::vector<detail::endpoint_pair> const links{
      {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},   {0, 8},   {0, 10},  {0, 11},
      {0, 12},  {0, 13},  {0, 17},  {0, 19},  {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},
      {1, 17},  {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},   {2, 13},  {2, 27},
      {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},  {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},
      {6, 16},  {8, 30},  {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32}, {15, 33},
      {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32}, {22, 33}, {23, 25}, {23, 27}, {23, 29},
      {23, 32}, {23, 33}, {24, 25}, {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
      {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33}, {32, 33}};
  host_buffer<std::int32_t> labels(num_members, host_memory());
  std::fill(labels.begin(), labels.end(), 1);
  for (std::size_t member : {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21}) labels[member] = 0;
  return {.edges = detail::coo_of_undirected_pairs<Index, Offset>(num_members, links),
          .labels = std::move(labels),
          .num_classes = 2};
}

}  // namespace edgewise::inline v0
