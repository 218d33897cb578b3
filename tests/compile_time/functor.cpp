#include "functor_program.hpp"

void run_on_host(compile_time::groupings const& g, int vertices, int edges, int channels, float* data) {
  compile_time::run(edgewise::cpu{}, g, vertices, edges, channels, data);
}
