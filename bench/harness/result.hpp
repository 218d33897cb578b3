// One measured number with everything it is judged by, and the file it is kept in.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "bounds.hpp"
#include "environment.hpp"
#include "timing.hpp"

namespace edgewise::bench {

/// What one kernel takes of a multiprocessor, per thread.
struct kernel_resources {
  int registers = 0;
  int local_bytes = 0;  ///< stack and spilled registers
};

/// A row of a result file; bench/results/README.md says what each field means.
struct result {
  std::string graph;
  std::string op;
  int heads = 1;
  int channels = 0;
  int row_stride = 0;  ///< elements from row to row, where rows have gaps
  std::string dtype;
  std::string pass;
  std::string impl;
  std::string variant;                        ///< the algorithm or plan that won
  std::map<std::string, double> variants_ms;  ///< every one that was timed
  timing time;
  plan_cost cost;                         ///< the least that the operation moves and computes, whoever runs it
  time_bounds bounds;                     ///< what that takes at the machine's ceilings
  std::vector<kernel_resources> kernels;  ///< those of one launch, in order; empty on the host and where unknown
  std::size_t peak_bytes = 0;             ///< taken from the memory resource at most; 0 where it is not counted
  double error = 0;                       ///< worst sampled error relative to the sum of the magnitudes of its terms
  std::map<std::string, std::vector<std::int64_t>> ranks;  ///< what each of several processes has of the work
  double speedup = 0;  ///< over one process; 0 where there is one, or it was not timed

  /// A bound over the measured time: 1 is perfect. 0 where the bound is not known.
  double fraction_of(double bound_ms) const { return time.median_ms > 0 ? bound_ms / time.median_ms : 0; }
};

/// Bytes of a graph in each format that a benchmark hands to implementations.
struct graph_bytes {
  std::string graph;
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  std::map<std::string, std::int64_t> formats;
};

/// Writes {environment, graphs, results} as JSON. Throws `io_error`.
void write_results(std::string const& path, environment const& where, std::vector<result> const& rows,
                   std::vector<graph_bytes> const& graphs = {});

/// Prints one line per (graph, pass, dtype, channels) with a column per implementation and, with two or more, the first
/// implementation's time over each other's.
void print_table(std::ostream& out, std::vector<result> const& rows);

}  // namespace edgewise::bench
