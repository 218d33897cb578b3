// A layer over a graph whose parts are on several processes: mpirun -n 3 example_distributed.
#include <cstdio>
#include <vector>

#include <edgewise/distributed.hpp>
#include <edgewise/vendor/mpi.hpp>

namespace ew = edgewise;

namespace {

struct h;  // features of members
struct b;  // bias

void run() {
  // [begin graph]
  ew::mpi_communicator comm(MPI_COMM_WORLD);
  ew::cpu const exec{};

  // Every rank has the whole graph here; large ones come in slices (partition.hpp).
  auto const edges = ew::to_csr(exec, ew::karate_club().edges);
  ew::ownership const owners = ew::partition(edges, comm.size(), ew::by_edges{});
  ew::distributed_graph const g(comm, exec, ew::make_part(exec, edges, owners, comm.rank()));
  ew::graph_part<> const& part = g.part();
  // [end graph]

  // [begin layer]
  // Operands have the rows of the part: row v is that of vertex part.destinations[v] of the whole graph.
  std::int64_t const rows = part.num_destinations();
  std::vector<float> features, bias{1.0f}, values(part.destinations.size()), ones(part.destinations.size(), 1.0f);
  for (auto const v : part.destinations) features.push_back(static_cast<float>(v % 5) - 1.0f);

  auto const layer = ew::relu(ew::gather<ew::sum>(ew::src<h>) + ew::param<b>);
  auto const in =
      ew::bindings(ew::bind<h>(ew::per_row(features.data(), rows)), ew::bind<b>(ew::per_row(bias.data(), 1)));
  auto const plan = ew::fuse(g, ew::automatic{}, layer).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, ew::out(ew::per_row(values.data(), rows)), saved);

  std::vector<float> slopes(part.destinations.size()), bias_slope(1);
  plan.backward(exec, in, saved, ew::grad_out(ew::per_row(ones.data(), rows)),
                ew::grad<h>(ew::per_row(slopes.data(), rows)), ew::grad<b>(ew::per_row(bias_slope.data(), 1)));
  // [end layer]

  // [begin sums]
  // Gradients of parameters are sums over all ranks already; sums of one's own are taken in the order of ranks, too.
  std::vector<float> sums(2);
  for (std::size_t v = 0; v < values.size(); ++v) {
    sums[0] += values[v];
    sums[1] += slopes[v];
  }
  ew::rank_sum<ew::mpi_communicator, float>(comm, exec, 2)(exec, sums.data());
  // [end sums]
  if (comm.rank() == 0) {
    std::printf("values %g, gradient of b %g, of h %g\n", sums[0], bias_slope[0], sums[1]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  run();
  MPI_Finalize();
}
