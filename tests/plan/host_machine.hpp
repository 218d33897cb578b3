// The host as a machine for run_program.
#pragma once

#include <cstring>
#include <vector>

#include "run_program.hpp"

namespace edgewise::testing {

struct host_machine {
  template <class T>
  using output = guarded_output<T>;

  /// A test graph with offsets of a type.
  template <class Offset>
  class graph_arrays {
  public:
    explicit graph_arrays(test_graph const& graph)
        : graph_(graph),
          by_destination_(graph.by_destination.with_offsets<Offset>()),
          by_source_(graph.by_source.with_offsets<Offset>()) {}
    auto csr() const { return graph_.csr_of(by_destination_); }
    auto csc() const { return graph_.csc_of(by_source_); }

  private:
    test_graph const& graph_;
    adjacency<Offset> by_destination_;
    adjacency<Offset> by_source_;
  };

  memory_resource* memory() const { return host_memory(); }
  cpu execution(int threads, memory_resource* memory) const { return {.threads = threads, .memory = memory}; }
  void synchronize() const {}
  template <class T>
  std::vector<T> upload(std::vector<T> values) const {
    return values;
  }
  template <class T>
  void assign(guarded_output<T>& output, std::vector<T> const& values) const {
    if (!values.empty()) std::memcpy(output.data(), values.data(), values.size() * sizeof(T));
  }
};

/// Runs a case on the host.
template <class Case, class T>
run_result<T> run_on_host(run_request<T> const& request) {
  return run_program<Case>(host_machine{}, request);
}

}  // namespace edgewise::testing
