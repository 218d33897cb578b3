// The code of docs/tutorial.md, in its order.
#include <iostream>
#include <vector>

#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

// [begin names]
struct h;  // features
struct w;  // edge weights
struct b;  // bias
// [end names]
struct el;     // attention logits of sources
struct er;     // and of destinations
struct drop;   // random numbers
struct p;      // pseudo-coordinates of edges
struct mu;     // centres of kernels
struct r;      // rows of types
struct z;      // rows of pairs of type and vertex
struct theta;  // matrices of dense products
struct phi;
struct al;  // vectors of scores, of sources
struct ar;  // and of destinations

// [begin functor]
// exp(-((x - y) / width)^2)
struct closeness {
  static constexpr char const* name = "closeness";  // in explain()
  static constexpr int flops = 11;                  // a channel; 8 where it is not given
  float width;
  template <class T>
  EDGEWISE_HD T operator()(T x, T y) const {
    T const d = (x - y) / width;
    return ew::exp(-d * d);
  }
  template <int I, class T>  // adjoint times the partial derivative by argument I
  EDGEWISE_HD T pull(T adjoint, T result, T x, T y) const {
    T const by_x = adjoint * result * T(-2) * (x - y) / (width * width);
    return I == 0 ? by_x : -by_x;
  }
};
// [end functor]

namespace {

void print(char const* what, std::vector<float> const& values) {
  std::cout << what << ":";
  for (float value : values) std::cout << " " << value;
  std::cout << "\n";
}

}  // namespace

int main() {
  // [begin graph]
  std::vector<int> const sources{0, 1, 2, 0}, destinations{1, 2, 1, 0};  // edge e: sources[e] -> destinations[e]
  auto const edges = ew::make_coo({.sources = 3, .destinations = 3}, sources, destinations);
  auto const csr = ew::to_csr(ew::cpu{}, edges);
  auto const csc = ew::to_csc(ew::cpu{}, edges);
  ew::graph const graph{csr, csc};
  // [end graph]

  std::vector<float> H{1, 2, 3, 4, 5, 6}, W{1, 10, 100, 1000}, B{-10, -10}, out(6);
  std::vector<float> const dout{1, 1, 1, 1, 1, 1};
  std::vector<float> dH(6), dW(4), dB(2);
  {
    // [begin run]
    auto const program = ew::gather<ew::sum>(ew::edge<w> * ew::src<h>);
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
    // [end run]
    print("weighted sum", out);
    // [begin differentiate]
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)),
                  ew::grad<h>(ew::wide(dH.data(), 3, 2)),         // overwritten
                  ew::accumulate<w>(ew::per_row(dW.data(), 4)));  // added to what is there
    // [end differentiate]
    print("  gradient of h", dH);
    print("  gradient of w", dW);
  }
  {
    std::vector<float> EL{0, 1, 2, 3, 4, 5}, ER{0, 0, 0, 0, 0, 0}, two_heads(12), O(12);
    for (std::size_t i = 0; i < two_heads.size(); ++i) two_heads[i] = static_cast<float>(i);
    // [begin attention]
    auto const score = ew::leaky_relu(ew::src<el> + ew::dst<er>, 0.2);               // a number a head
    auto const program = ew::gather<ew::sum>(ew::softmax(score) * ew::src<h>);       // times the channels of that head
    auto const in = ew::bindings(ew::bind<el>(ew::per_head(EL.data(), 3, 2)),        // [3 rows, 2 heads]
                                 ew::bind<er>(ew::per_head(ER.data(), 3, 2)),        //
                                 ew::bind<h>(ew::wide(two_heads.data(), 3, 2, 2)));  // [3 rows, 2 heads, 2 channels]
    // [end attention]
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(O.data(), 3, 2, 2)));
    print("attention", O);
  }
  {
    std::vector<float> P{0, 0, 1, 0, 0, 1, 1, 1}, MU{0, 0, 1, 1}, O(6);
    // [begin monet]
    auto const distance = ew::sum_over<2>(ew::square(ew::edge<p> - ew::param<mu>));  // a number an edge and kernel
    auto const program = ew::sum_heads(ew::gather<ew::sum>(ew::exp(-distance) * ew::src<h>));
    auto const in = ew::bindings(ew::bind<p>(ew::vec_per_row<2>(P.data(), 4)),        // [4 edges, 2]
                                 ew::bind<mu>(ew::vec_per_head<2>(MU.data(), 1, 2)),  // [1 row, 2 kernels, 2]
                                 ew::bind<h>(ew::per_channel(H.data(), 3, 2)));       // [3 rows, 2 channels]
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    plan.forward(ew::cpu{}, in, ew::out(ew::per_channel(O.data(), 3, 2)));  // summed over kernels
    // [end monet]
    print("sum over kernels", O);
  }
  {
    // [begin apply]
    auto const program = ew::gather<ew::sum>(ew::apply(closeness{2}, ew::src<h>, ew::dst<h>));
    // [end apply]
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)),
                  ew::grad<h>(ew::wide(dH.data(), 3, 2)));
    print("closeness", out);
    print("  gradient of h", dH);
  }
  {
    // [begin epilogue]
    auto const program = ew::relu(ew::gather<ew::sum>(ew::edge<w> * ew::src<h>) + ew::dst<h> + ew::param<b>);
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)),
                                 ew::bind<b>(ew::wide(B.data(), 1, 2)));  // a parameter has one row
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)),
                  ew::grad<h>(ew::wide(dH.data(), 3, 2)),  // of src<h> and dst<h> together
                  ew::grad<b>(ew::wide(dB.data(), 1, 2)));
    // [end epilogue]
    print("with an epilogue", out);
    print("  gradient of h", dH);
    print("  gradient of b", dB);
  }
  {
    // [begin dropout]
    ew::random_state state{.seed = 1, .step = 0};  // one for a whole model; for a device, in device memory
    auto const program = ew::gather<ew::sum>(ew::edge<w> * ew::dropout<drop>(ew::src<h>, 0.5));
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)),
                                 ew::bind<drop>(ew::random_numbers(&state, 0)));  // stream 0: one for each dropout
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    for (int i = 0; i < 2; ++i) {
      plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
      plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)),
                    ew::grad<h>(ew::wide(dH.data(), 3, 2)));
      ++state.step;  // after backward, which draws the mask of forward again
    }
    // Inference: the same plan, and nothing is dropped.
    auto const keep = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)),
                                   ew::bind<drop>(ew::no_dropout()));
    plan.forward(ew::cpu{}, keep, ew::out(ew::wide(out.data(), 3, 2)));
    // [end dropout]
    print("without dropout", out);
    print("  gradient of h with dropout", dH);
  }
  {
    // [begin with_self]
    auto const program = ew::gather<ew::mean>(ew::with_self(ew::src<h>));  // over the neighbors and the vertex itself
    // [end with_self]
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)));
    print("mean with self edges", out);
  }
  {
    // [begin several]
    auto const message = ew::edge<w> * ew::src<h>;
    auto const program = ew::gather<ew::max>(message) - ew::gather<ew::min>(message);  // one traversal
    // [end several]
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)));
    print("range of messages", out);
    std::vector<float> aggregates(3 * 4 * 2);
    {
      // [begin concat]
      auto const program = ew::concat(ew::gather<ew::mean>(message), ew::gather<ew::max>(message),
                                      ew::gather<ew::min>(message), ew::gather<ew::stddev>(message));
      auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
      plan.forward(ew::cpu{}, in,
                   ew::out(ew::wide(aggregates.data(), 3, 4, 2)));  // [vertices, parts * heads, channels]
      // [end concat]
    }
    print("mean, max, min and deviation", aggregates);
  }
  {
    // [begin over_row]
    auto const mean = ew::over_row<ew::mean>(ew::src<h>);  // of the row that the edge belongs to
    auto const program = ew::gather<ew::sum>(ew::square(ew::src<h> - mean));
    // [end over_row]
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)));
    print("squares of differences from the mean", out);
  }
  {
    // [begin hops]
    auto const near = ew::relu(ew::gather<ew::sum>(ew::edge<w> * ew::src<h>));
    auto const program = ew::gather<ew::sum>(ew::edge<w> * ew::at_source(near));  // two units, one plan
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<w>(ew::per_row(W.data(), 4)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)),
                  ew::grad<w>(ew::per_row(dW.data(), 4)));  // of both hops together
    // [end hops]
    print("two hops", out);
    print("  gradient of w", dW);
  }
  {
    std::vector<float> M{1, 0, 2, 1, 0, 1}, N{1, -1, 1}, dM(6), result(3);
    // [begin linear]
    auto const hidden = ew::relu(ew::gather<ew::mean>(ew::linear<theta>(ew::src<h>)));  // a product for every vertex
    auto const program = ew::linear<phi>(hidden) + ew::param<b>;
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<theta>(ew::wide(M.data(), 2, 3)),
                                 ew::bind<phi>(ew::wide(N.data(), 3, 1)), ew::bind<b>(ew::wide(B.data(), 1, 1)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(result.data(), 3, 1)), saved);
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(result.data(), 3, 1)),
                  ew::grad<theta>(ew::wide(dM.data(), 2, 3)));  // [inputs, outputs], as theta
    // [end linear]
    print("two dense layers", result);
    print("  gradient of theta", dM);
  }
  {
    std::vector<float> M{1, 0, 0, 1}, A{1, 1}, C{1, -1};
    // [begin layer]
    auto const z = ew::linear<theta>(ew::src<h>);
    auto const own = ew::linear<theta>(ew::dst<h>);
    auto const score = ew::per_vertex(ew::dot(ew::param<al>, z)) + ew::per_vertex(ew::dot(ew::param<ar>, own));
    auto const program = ew::gather<ew::sum>(ew::softmax(ew::leaky_relu(score, 0.2)) * z);
    // [end layer]
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<theta>(ew::wide(M.data(), 2, 2)),
                                 ew::bind<al>(ew::wide(A.data(), 1, 2)), ew::bind<ar>(ew::wide(C.data(), 1, 2)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)));
    print("a layer of attention", out);
  }
  {
    // [begin tangents]
    using number = ew::with_tangent<double>;
    std::vector<number> x{{1, 1}, {2, 0}, {3, 0}}, energies(3), forces(3);  // positions; the first one moves
    std::vector<number> const one(3, number(1));
    auto const program = ew::gather<ew::sum>(ew::square(ew::src<h> - ew::dst<h>));
    auto const in = ew::bindings(ew::bind<h>(ew::wide(x.data(), 3, 1)));
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(energies.data(), 3, 1)), saved);
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(one.data(), 3, 1)),
                  ew::grad<h>(ew::wide(forces.data(), 3, 1)));
    // [end tangents]
    std::vector<float> gradient, change;
    for (number const f : forces) {
      gradient.push_back(static_cast<float>(f.value));
      change.push_back(static_cast<float>(f.tangent));
    }
    print("gradient of energies", gradient);
    print("  and how it changes as the first position does", change);
  }
  {
    // [begin types]
    std::vector<int> const type_of_edge{0, 1, 1, 0};  // by edge id
    auto const types = ew::to_typed_edges(ew::cpu{}, csr, type_of_edge, 2);
    ew::graph const typed{csr, csc, types};
    auto const program = ew::gather<ew::sum>(ew::relation<r> * ew::src<h>);
    std::vector<float> R{1, 2, 3, 4}, dR(4);  // [2 types, 2 channels]
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)), ew::bind<r>(ew::wide(R.data(), 2, 2)));
    auto const plan = ew::fuse(typed, ew::automatic{}, program).plan(ew::cpu{}, in);
    auto saved = plan.make_saved(ew::cpu{});
    plan.forward(ew::cpu{}, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
    plan.backward(ew::cpu{}, in, saved, ew::grad_out(ew::wide(dout.data(), 3, 2)),
                  ew::grad<r>(ew::wide(dR.data(), 2, 2)));
    // [end types]
    print("features by type", out);
    print("  gradient of r", dR);
    std::vector<float> M{1, 0, 0, 1, 2, 0, 0, 2};  // a 2 x 2 matrix of each type
    // [begin by_type]
    auto const pairs = ew::find_typed_pairs(ew::cpu{}, types, ew::endpoint::destination);
    auto const to_pairs = ew::to_csr(ew::cpu{}, pairs.edges);       // rows: pairs of type and destination
    auto const to_vertices = ew::to_csr(ew::cpu{}, pairs.members);  // rows: destinations
    auto const messages = ew::linear<theta>(ew::gather<ew::mean>(ew::src<h>));
    auto const layer_in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)),
                                       ew::bind<theta>(ew::by_type(ew::wide(M.data(), 2 * 2, 2), pairs.row_types())));
    std::vector<float> Z(static_cast<std::size_t>(pairs.num_pairs()) * 2);
    ew::fuse(ew::graph{to_pairs}, ew::automatic{}, messages)
        .plan(ew::cpu{}, layer_in)
        .forward(ew::cpu{}, layer_in, ew::out(ew::wide(Z.data(), pairs.num_pairs(), 2)));
    auto const pairs_in = ew::bindings(ew::bind<z>(ew::wide(Z.data(), pairs.num_pairs(), 2)));
    ew::fuse(ew::graph{to_vertices}, ew::automatic{}, ew::gather<ew::sum>(ew::src<z>))
        .plan(ew::cpu{}, pairs_in)
        .forward(ew::cpu{}, pairs_in, ew::out(ew::wide(out.data(), 3, 2)));
    // [end by_type]
    print("R-GCN, aggregated first", out);
  }
  {
    auto const program = ew::gather<ew::max>(ew::src<h>);
    auto const in = ew::bindings(ew::bind<h>(ew::wide(H.data(), 3, 2)));
    // [begin memory]
    ew::counting_resource memory(ew::host_memory());
    ew::cpu const exec{.memory = &memory};
    auto const plan = ew::fuse(graph, ew::automatic{}, program).plan(exec, in);
    auto saved = plan.make_saved(exec);
    std::size_t const before = memory.num_allocations();
    plan.forward(exec, in, ew::out(ew::wide(out.data(), 3, 2)), saved);
    std::cout << "kept: " << saved.size_bytes() << " bytes, workspace: " << plan.workspace_bytes()
              << " bytes, allocations of forward: " << memory.num_allocations() - before << "\n";
    // [end memory]
  }
}
