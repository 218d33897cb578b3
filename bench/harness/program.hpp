// What the benchmark programs share around their sessions: how a program ends, and its loop over graphs and storage
// types.
#pragma once

#include <iostream>
#include <string>

#include <edgewise/core/error.hpp>
#include <edgewise/core/float16.hpp>
#include <edgewise/core/type_list.hpp>

#include "options.hpp"

namespace edgewise::bench {

/// Exit status of `run(argc, argv)`; an error becomes a line that begins with the program's name, and 1.
template <class Run>
int run_program(char const* name, int argc, char** argv, Run run) {
  try {
    return run(argc, argv);
  } catch (error const& failure) {
    std::cerr << name << ": " << failure.what() << '\n';
    return 1;
  }
}

/// Calls f(graph, type_tag<T>) for all that were chosen, T as results name it: f32, f16 or bf16.
template <class F>
void for_each_graph_and_type(options const& chosen, F f) {
  for (std::string const& graph : chosen.graphs) {
    for (std::string const& dtype : chosen.dtypes) {
      if (dtype == "f32") f(graph, type_tag<float>{});
      if (dtype == "f16") f(graph, type_tag<float16>{});
      if (dtype == "bf16") f(graph, type_tag<bfloat16>{});
    }
  }
}

}  // namespace edgewise::bench
