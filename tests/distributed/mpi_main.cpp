// The main function of tests that run on several MPI processes, all of which run all test cases in one order.
#define CATCH_CONFIG_RUNNER
#include <edgewise/vendor/mpi.hpp>

#include "support/catch.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int const failures = Catch::Session().run(argc, argv);
  // The others wait for a process that left out messages, until its end ends them.
  if (failures != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}
