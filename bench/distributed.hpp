// The host side of bench_distributed: its command line, what is compared, and its tables.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "harness/host_graph.hpp"
#include "harness/result.hpp"

namespace edgewise::bench {

/// What to measure and where to write it.
struct distributed_options {
  std::vector<std::string> graph_directories;
  std::vector<std::string> graphs{"reddit", "products"};
  std::vector<std::string> layers{"gcn", "gat"};
  std::vector<int> channels{128, 256};  ///< of all heads together
  int heads = 4;                        ///< of layers with heads
  std::vector<std::string> partitions;  ///< ranges, owners
  std::string owners;                   ///< folder of NAME.owners.npy
  std::vector<std::string> messages{"float"};
  std::string transfer = "buffered";
  int samples = 11;
  bool skips_one_gpu = false;
  std::string out;
  std::string revision;
};

/// Prints help or the mistake and exits the process, as command-line programs do.
distributed_options parse_distributed_options(int argc, char** argv);

/// Vertices whose rows are compared, in numbers of the whole graph.
struct sampled_vertices {
  std::vector<std::int64_t> destinations;
  std::vector<std::int64_t> sources;
};

/// Rows of an array at sampled vertices. Shape: values [vertices, row_size].
struct sampled_values {
  std::string name;
  std::int64_t row_size = 0;
  std::vector<float> values;
};

/// The largest difference over all arrays, relative to the largest element of its row or, in rows smaller than that, to
/// the mean magnitude of the array: a row of cancelled terms holds their rounding alone. Infinite where sizes differ or
/// a number is not one.
double largest_error(std::vector<sampled_values> const& actual, std::vector<sampled_values> const& expected);

/// The arrays of a weighted sum at sampled vertices by double precision: output, and gradient of the features. Numbers
/// are those of the seeds.
struct weighted_sum_seeds {
  std::uint64_t weights, features, out_grad;
};
std::vector<sampled_values> weighted_sum_at(host_graph const& graph, sampled_vertices const& at, int channels,
                                            weighted_sum_seeds seeds);

/// Prints a line for each case with its breakdown, and one for each rank of each part.
void print_distributed(std::ostream& out, std::vector<result> const& rows);

}  // namespace edgewise::bench
