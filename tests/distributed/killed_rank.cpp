// A rank dies between two exchanges: the others end, by their launcher or by the time that they wait at most.
#include <chrono>
#include <csignal>
#include <cstdio>

#include <edgewise/distributed/exchange_lists.hpp>
#include <edgewise/vendor/mpi.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    edgewise::mpi_communicator comm(MPI_COMM_WORLD, std::chrono::seconds(5));
    auto const exchange = [&] { edgewise::detail::gather_lists(comm, edgewise::cpu{}, std::vector<int>{comm.rank()}); };
    exchange();
    if (comm.rank() == 0) std::puts("all ranks have exchanged");
    std::fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (comm.rank() == comm.size() - 1) std::raise(SIGKILL);
    try {
      exchange();
      std::puts("a rank went on without the one that died");
    } catch (edgewise::communication_error const& error) {
      std::puts(error.what());
    }
    std::fflush(stdout);
  }
  MPI_Abort(MPI_COMM_WORLD, 1);
}
