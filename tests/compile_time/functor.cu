#include <edgewise/edgewise.cuh>

#include "functor_program.hpp"

void run_on_device(compile_time::groupings const& g, int vertices, int edges, int channels, float* data) {
  compile_time::run(edgewise::cuda{}, g, vertices, edges, channels, data);
}
