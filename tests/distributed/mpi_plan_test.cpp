// What plans over ranks promise besides values: errors that name a rank, not a hang; what is sent, and as what.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gather/sum_cases.hpp"
#include "mpi_ranks.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// A communicator that a test may break.
mpi_communicator impatient() { return mpi_communicator(MPI_COMM_WORLD, std::chrono::milliseconds(500)); }

/// Rank 1 sends `sent` numbers to rank 0, which expects `expected`.
std::string error_of_rank_0(std::size_t sent, std::size_t expected, int& named) {
  auto comm = impatient();
  std::vector<double> numbers(8, 1.0);
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  if (comm.rank() == 1) sends.push_back({numbers.data(), sent * sizeof(double), 0});
  if (comm.rank() == 0) receives.push_back({numbers.data(), expected * sizeof(double), 1});
  std::string found;
  try {
    comm.start(cpu{}, sends, receives);
    comm.finish(cpu{});
  } catch (communication_error const& error) {
    found = error.what();
    named = error.rank();
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return found;
}

}  // namespace

TEST_CASE("communicator: messages of another length are refused", "[distributed]") {
  if (world().size() == 1) return;
  for (std::size_t const sent : {1, 4}) {
    int named = -1;
    auto const found = error_of_rank_0(sent, 2, named);
    if (world().rank() != 0) continue;
    CHECK(named == 1);
    CHECK(found == (sent == 1 ? "mpi_communicator: rank 1 sent 8 bytes, rank 0 expects 16 of it"
                              : "mpi_communicator: rank 1 sent more than the 16 bytes that rank 0 expects of it"));
  }
}

TEST_CASE("communicator: a rank that stays away is named", "[distributed]") {
  if (world().size() == 1) return;
  auto comm = impatient();
  int const last = comm.size() - 1;
  if (comm.rank() != last) {
    auto const begin = std::chrono::steady_clock::now();
    int named = -1;
    try {
      edgewise::detail::gather_lists(comm, cpu{}, std::vector<std::int64_t>{1});
    } catch (communication_error const& error) {
      named = error.rank();
      CHECK_THAT(error.what(), Catch::Contains("has not sent 8 bytes"));
    }
    CHECK(named == last);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
    CHECK_THROWS_WITH(comm.start(cpu{}, {}, {}), "mpi_communicator: an earlier exchange failed");
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_CASE("communicator: one exchange at a time", "[distributed]") {
  std::vector<char> byte(1);
  int const rank = world().rank(), size = world().size();
  if (size == 1) return;
  std::vector<outgoing> const sends{{byte.data(), 1, (rank + 1) % size}};
  std::vector<char> other(1);
  std::vector<incoming> const receives{{other.data(), 1, (rank + size - 1) % size}};
  world().start(cpu{}, sends, receives);
  CHECK_THROWS_WITH(world().start(cpu{}, sends, receives),
                    "mpi_communicator: an exchange is under way; finish it first");
  world().finish(cpu{});
}

TEST_CASE("distributed: parts that do not go together", "[distributed]") {
  auto const graph = directed();
  auto const owners = partition(graph.csr(), world().size() + 1, by_edges{});
  CHECK_THROWS_WITH(
      distributed_graph(world(), cpu{}, make_part(cpu{}, graph.csr(), owners, world().rank())),
      edgewise::detail::text("halo_plan: the part is that of rank ", world().rank(), " of ", world().size() + 1,
                             ", this is rank ", world().rank(), " of ", world().size()));
  if (world().size() == 1) return;
  auto const other = world().rank() == 1 ? directed(40) : directed();
  auto const of_other = partition(other.csr(), world().size(), by_edges{});
  int named = -1;
  try {
    distributed_graph const g(world(), cpu{}, make_part(cpu{}, other.csr(), of_other, world().rank()));
  } catch (communication_error const& error) {
    named = error.rank();
  }
  CHECK(named == (world().rank() == 1 ? 0 : 1));
}

TEST_CASE("distributed: owners that differ between ranks", "[distributed]") {
  if (world().size() == 1) return;
  auto const graph = directed();
  std::vector<std::int32_t> owners;
  for (int v = 0; v < 50; ++v) owners.push_back((v + (world().rank() == 1 ? 1 : 0)) % world().size());
  auto const of_rank = partition(graph.csr(), world().size(), by_owner{owners});
  CHECK_THROWS_WITH(distributed_graph(world(), cpu{}, make_part(cpu{}, graph.csr(), of_rank, world().rank())),
                    Catch::Contains("as the hash of owners"));
}

TEST_CASE("distributed: sources and destinations that are owned apart", "[distributed]") {
  auto const graph = directed();
  std::vector<std::int32_t> destinations, sources;
  for (int v = 0; v < 50; ++v) {
    destinations.push_back(v % world().size());
    sources.push_back(v * world().size() / 50);
  }
  auto const owners = partition(graph.csr(), world().size(), by_owner{destinations, sources});
  distributed_graph const g(world(), cpu{}, make_part(cpu{}, graph.csr(), owners, world().rank()));
  std::int64_t const rows = g.part().num_destinations();
  std::vector<float> features(50);
  auto const in = bindings(bind<h>(wide(features.data(), g.part().num_sources(), 1)));
  CHECK_THROWS_WITH(fuse(g, automatic{}, gather<sum>(at_source(gather<sum>(src<h>)))).plan(cpu{}, in),
                    Catch::Contains("at_source: needs as many sources as destinations"));
  if (g.part().num_sources() != rows) return;
  CHECK_THROWS_WITH(fuse(g, automatic{}, gather<sum>(src<h> - dst<h>)).plan(cpu{}, in),
                    "bindings: one array is bound as src<h> and dst<h>, but sources and destinations are owned apart; "
                    "bind the roles apart");
}

TEST_CASE("distributed: operands, outputs and gradients have the rows of the part", "[distributed]") {
  auto const whole = directed();
  distributed_graph const g(
      world(), cpu{},
      make_part(cpu{}, whole.csr(), partition(whole.csr(), world().size(), by_edges{}), world().rank()));
  std::int64_t const rows = g.part().num_destinations(), edges = g.part().num_edges();
  std::vector<float> features(50 * 4, 1), weights(static_cast<std::size_t>(whole.num_edges()), 1), values(50 * 4);
  auto const bound = [&](std::int64_t num_rows, std::int64_t num_edges, int channels) {
    return bindings(bind<h>(wide(features.data(), num_rows, channels)), bind<w>(per_row(weights.data(), num_edges)));
  };
  auto const kernel = fuse(g, automatic{}, gather<sum>(edge<w> * src<h>));
  CHECK_THROWS_WITH(kernel.plan(cpu{}, bound(rows + 1, edges, 4)),
                    edgewise::detail::text("src<h>: has ", rows + 1, " rows, the graph has ", rows, " sources"));
  auto const in = bound(rows, edges, 4);
  auto const plan = kernel.plan(cpu{}, in);
  auto saved = plan.make_saved(cpu{});
  auto const result = wide(values.data(), rows, 4);
  CHECK_THROWS_WITH(plan.forward(cpu{}, bound(rows, edges + 1, 4), out(result), saved),
                    edgewise::detail::text("edge<w>: has ", edges + 1, " rows, the graph has ", edges, " edges"));
  CHECK_THROWS_WITH(plan.forward(cpu{}, bound(rows, edges, 2), out(result), saved),
                    "bindings: operands have 1 heads x 2 channels, the plan was made for 1 x 4");
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(wide(values.data(), rows + 1, 4)), saved),
                    edgewise::detail::text("out: has ", rows + 1, " rows, the graph has ", rows, " destinations"));
  CHECK_THROWS_WITH(plan.forward(cpu{}, in, out(wide(features.data(), rows, 4)), saved),
                    Catch::Contains("which is read while out is written"));
  std::vector<float> slope(50 * 4);
  CHECK_THROWS_WITH(plan.backward(cpu{}, in, saved, grad_out(result), grad<h>(wide(slope.data(), rows, 3))),
                    Catch::Contains("the operand has"));
  plan.forward(cpu{}, in, out(result), saved);
  plan.backward(cpu{}, in, saved, grad_out(result), grad<h>(wide(slope.data(), rows, 4)));
}

TEST_CASE("distributed: messages of 16 bits are rounded once, rows that stay are not", "[distributed]") {
  auto const whole = directed();
  auto const owners = partition(whole.csr(), world().size(), by_edges{});
  distributed_graph const g(world(), cpu{}, make_part(cpu{}, whole.csr(), owners, world().rank()));
  auto const& part = g.part();
  std::int64_t const rows = part.num_destinations(), edges = part.num_edges();
  random_stream random("distributed: messages");
  std::vector<float> features(50), weights(static_cast<std::size_t>(whole.num_edges())), adjoint(50);
  for (auto* values : {&features, &weights, &adjoint}) {
    for (float& x : *values) x = static_cast<float>(random.uniform(-1, 1));
  }
  std::vector<float> own_features, own_weights, own_adjoint;
  for (auto const v : part.destinations) {
    own_features.push_back(features[static_cast<std::size_t>(v)]);
    own_adjoint.push_back(adjoint[static_cast<std::size_t>(v)]);
  }
  for (auto const e : part.edges) own_weights.push_back(weights[static_cast<std::size_t>(e)]);
  auto const in = bindings(bind<h>(wide(own_features.data(), rows, 1)), bind<w>(per_row(own_weights.data(), edges)));
  auto const kernel = fuse(g, automatic{}, gather<sum>(edge<w> * src<h>), messages_as<bfloat16>{});
  auto const plan = kernel.plan(cpu{}, in);
  auto const exact = fuse(g, automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
  CHECK(2 * plan.sent().forward == exact.sent().forward);
  CHECK(2 * plan.sent().backward == exact.sent().backward);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> value(static_cast<std::size_t>(rows)), slope(static_cast<std::size_t>(rows));
  plan.forward(cpu{}, in, out(wide(value.data(), rows, 1)), saved);
  plan.backward(cpu{}, in, saved, grad_out(wide(own_adjoint.data(), rows, 1)), grad<h>(wide(slope.data(), rows, 1)));

  auto const rounded = [](float x) { return static_cast<float>(bfloat16(x)); };
  for (std::size_t row = 0; row < value.size(); ++row) {
    int const v = static_cast<int>(part.destinations[row]);
    double sum = 0, grad = 0, error = 0;
    std::vector<float> of_rank(static_cast<std::size_t>(world().size()), 0);
    for (int k = 0; k < whole.num_edges(); ++k) {
      auto const e = static_cast<std::size_t>(k);
      if (whole.destinations[e] == v) {
        auto const u = static_cast<std::size_t>(whole.sources[e]);
        bool const stays = owners.destinations.owner_of(whole.sources[e]) == world().rank();
        sum += weights[e] * static_cast<double>(stays ? features[u] : rounded(features[u]));
      }
      if (whole.sources[e] == v) {
        of_rank[static_cast<std::size_t>(owners.destinations.owner_of(whole.destinations[e]))] +=
            weights[e] * adjoint[static_cast<std::size_t>(whole.destinations[e])];
      }
    }
    for (int q = 0; q < world().size(); ++q) {
      float const x = of_rank[static_cast<std::size_t>(q)];
      grad += q == world().rank() ? x : rounded(x);
      error += q == world().rank() ? 0 : std::abs(x) / 128;  // a sum that differs in a bit may round the other way
    }
    CHECK(std::abs(value[row] - sum) < 1e-5);
    CHECK(std::abs(slope[row] - grad) < 1e-5 + error);
  }
}

namespace {

struct factor;

/// Vertices dealt out in turn: no row has all of its neighbors on one rank.
ownership in_turn(test_graph const& graph) {
  std::vector<std::int32_t> owners;
  for (int v = 0; v < graph.num_destinations; ++v) owners.push_back(v % world().size());
  return partition(graph.csr(), world().size(), by_owner{owners});
}
std::vector<float> drawn(char const* name, std::size_t size) {
  random_stream random(name);
  std::vector<float> values(size);
  for (float& x : values) x = static_cast<float>(random.uniform(-1, 1));
  return values;
}
std::vector<float> values_of(std::vector<float> const& whole, host_buffer<std::int64_t> const& ids) {
  std::vector<float> own;
  for (auto const v : ids) own.push_back(whole[static_cast<std::size_t>(v)]);
  return own;
}

}  // namespace

TEST_CASE("distributed: edges of a row are shared where rows of one rank are few", "[distributed]") {
  if (world().size() == 1) return;
  auto const says = [](test_graph const& whole, ownership const& owners, auto const& program) {
    distributed_graph const g(world(), cpu{}, make_part(cpu{}, whole.csr(), owners, world().rank()));
    std::vector<float> features(300);
    auto const in = bindings(bind<h>(wide(features.data(), g.part().num_destinations(), 1)));
    return fuse(g, automatic{}, program).plan(cpu{}, in).explain();
  };
  auto const graph = random_skewed(300, 3000);
  auto const dealt = in_turn(graph);
  std::string const by_edges_text = "edges from sources of this rank:";
  CHECK_THAT(says(graph, dealt, gather<sum>(src<h>)), Catch::Contains(by_edges_text));
  CHECK_THAT(says(graph, dealt, gather<mean>(src<h>) + dst<h>), Catch::Contains(by_edges_text));
  CHECK_THAT(says(graph, dealt, gather<sum>(softmax(src<h> * dst<h>) * src<h>)), Catch::Contains(by_edges_text));
  CHECK_THAT(says(graph, dealt, gather<sum>(with_self(softmax(src<h>) * src<h>))), Catch::Contains(by_edges_text));
  CHECK_THAT(says(graph, dealt, gather<edgewise::max>(src<h>)), !Catch::Contains(by_edges_text));
  auto const line = chain(40);
  CHECK_THAT(says(line, partition(line.csr(), world().size(), by_edges{}), gather<sum>(src<h>)),
             !Catch::Contains(by_edges_text));
}

TEST_CASE("distributed: a softmax shared by ranks is exact for scores of any size", "[distributed]") {
  auto const whole = random_skewed(60, 700);
  distributed_graph const g(world(), cpu{}, make_part(cpu{}, whole.csr(), in_turn(whole), world().rank()));
  auto const& part = g.part();
  auto const num_rows = part.destinations.size();
  auto const features = drawn("distributed: features of a softmax", 60);
  auto const own_features = values_of(features, part.destinations);
  // A mask of all edges, of some, of none that a rank has, and scores whose exponentials overflow.
  for (auto const& score_of : std::vector<float (*)(std::size_t)>{
           [](std::size_t) { return -1e9f; }, [](std::size_t e) { return e % 3 == 0 ? 0.5f : -1e9f; },
           [](std::size_t e) { return e % 3 == 0 ? 0.25f : -INFINITY; },
           [](std::size_t e) { return 500.0f * static_cast<float>(e % 7); }, [](std::size_t) { return -INFINITY; }}) {
    std::vector<float> scores;
    for (int e = 0; e < whole.num_edges(); ++e) scores.push_back(score_of(static_cast<std::size_t>(e)));
    auto const own_scores = values_of(scores, part.edges);
    auto const in = bindings(bind<h>(wide(own_features.data(), part.num_destinations(), 1)),
                             bind<w>(per_row(own_scores.data(), part.num_edges())));
    auto const plan = fuse(g, automatic{}, gather<sum>(softmax(edge<w>) * src<h>)).plan(cpu{}, in);
    std::vector<float> kept(num_rows, NAN), alone(num_rows, NAN), weights(part.edges.size(), NAN);
    auto saved = plan.make_saved(cpu{});
    plan.forward(cpu{}, in, out(wide(kept.data(), part.num_destinations(), 1)), saved);
    plan.forward(cpu{}, in, out(wide(alone.data(), part.num_destinations(), 1)));
    plan.attention_weights(cpu{}, in, saved, out(per_row(weights.data(), part.num_edges())));
    CHECK(kept == alone);
    for (std::size_t row = 0; row < num_rows; ++row) {
      int const v = static_cast<int>(part.destinations[row]);
      double largest = -INFINITY, sum = 0, expected = 0, total = 0;
      for (int e = 0; e < whole.num_edges(); ++e) {
        if (whole.destinations[static_cast<std::size_t>(e)] == v) {
          largest = std::max(largest, static_cast<double>(scores[static_cast<std::size_t>(e)]));
        }
      }
      for (std::size_t e = 0; e < scores.size(); ++e) {
        if (whole.destinations[e] != v || scores[e] == -INFINITY) continue;
        double const weight = std::exp(scores[e] - largest);
        sum += weight;
        expected += weight * features[static_cast<std::size_t>(whole.sources[e])];
      }
      for (std::size_t k = 0; k < part.edges.size(); ++k) {
        if (whole.destinations[static_cast<std::size_t>(part.edges[k])] == v) total += weights[k];
      }
      INFO("row " << v << ", largest score " << largest);
      CHECK(std::abs(kept[row] - (sum > 0 ? expected / sum : 0)) < 1e-5);
      CHECK(std::abs(total - (sum > 0 ? 1 : 0)) < 1e-5);
    }
  }
}

TEST_CASE("distributed: costs of gradients that one piece forms", "[distributed]") {
  auto const whole = random_skewed(60, 700);
  distributed_graph const g(world(), cpu{}, make_part(cpu{}, whole.csr(), in_turn(whole), world().rank()));
  std::int64_t const rows = g.part().num_destinations(), edges = g.part().num_edges();
  std::vector<float> features(60), weights(700), loops(60);
  auto const in = bindings(bind<h>(wide(features.data(), rows, 1)), bind<w>(per_row(weights.data(), edges)),
                           bind<self<w>>(per_row(loops.data(), rows)));
  auto const plan = fuse(g, automatic{}, gather<sum>(with_self(edge<w> * src<h>))).plan(cpu{}, in);
  auto const adjoint = grad_out(wide(features.data(), rows, 1));
  auto const of_loops = grad<self<w>>(per_row(loops.data(), rows));
  auto const of_both = plan.backward_cost(adjoint, of_loops, grad<edge<w>>(per_row(weights.data(), edges)));
  CHECK(plan.backward_cost(adjoint, of_loops).compulsory_bytes() > 0);
  CHECK(of_both.compulsory_bytes() > plan.backward_cost(adjoint, of_loops).compulsory_bytes());
}

TEST_CASE("distributed: an output over an operand of its rows, and one of 16 bits", "[distributed]") {
  auto const whole = random_skewed(60, 700);
  distributed_graph const g(world(), cpu{}, make_part(cpu{}, whole.csr(), in_turn(whole), world().rank()));
  auto const& part = g.part();
  std::int64_t const rows = part.num_destinations();
  auto const features = drawn("distributed: outputs over operands", 120);
  std::vector<float> own(static_cast<std::size_t>(rows)), other;
  for (std::size_t v = 0; v < own.size(); ++v) {
    own[v] = features[static_cast<std::size_t>(part.destinations[v])];
    other.push_back(features[static_cast<std::size_t>(part.destinations[v]) + 60]);
  }
  auto const program = gather<sum>(src<h> * dst<factor>);
  auto const bound = [&](std::vector<float> const& d_rows) {
    return bindings(bind<h>(wide(own.data(), rows, 1)), bind<factor>(wide(d_rows.data(), rows, 1)));
  };
  auto const plan = fuse(g, automatic{}, program).plan(cpu{}, bound(other));
  std::vector<float> apart(own.size());
  plan.forward(cpu{}, bound(other), out(wide(apart.data(), rows, 1)));
  std::vector<float> over(other);
  plan.forward(cpu{}, bound(over), out(wide(over.data(), rows, 1)));
  CHECK(over == apart);
  std::vector<bfloat16> narrow(own.size());
  plan.forward(cpu{}, bound(other), out(wide(narrow.data(), rows, 1)));
  for (std::size_t v = 0; v < own.size(); ++v)
    CHECK(static_cast<float>(narrow[v]) == static_cast<float>(bfloat16(apart[v])));
}

TEST_CASE("distributed: explain says what a rank has and sends", "[distributed]") {
  auto const whole = chain(40);
  distributed_graph const g(
      world(), cpu{},
      make_part(cpu{}, whole.csr(), partition(whole.csr(), world().size(), by_edges{}), world().rank()));
  std::int64_t const rows = g.part().num_destinations(), edges = g.part().num_edges();
  std::vector<float> features(40), weights(39);
  auto const in = bindings(bind<h>(wide(features.data(), rows, 1)), bind<w>(per_row(weights.data(), edges)));
  auto const plan = fuse(g, automatic{}, gather<sum>(edge<w> * src<h>)).plan(cpu{}, in);
  int const reads = world().rank() > 0 ? 1 : 0, sends = world().rank() + 1 < world().size() ? 1 : 0;
  CHECK_THAT(plan.explain(),
             Catch::Contains(edgewise::detail::text("rank ", world().rank(), " of ", world().size(), ": ", rows,
                                                    " of 40 rows, ", rows - reads, " of them interior; reads ", reads,
                                                    " rows of other ranks, sends ", sends)));
  CHECK(plan.sent().forward == 4 * sends);
  CHECK(plan.sent().backward == 4 * reads);
}
