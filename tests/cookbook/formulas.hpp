// Layers of the literature, a line each: what docs/cookbook.md shows and cookbook_test.cpp checks.
#pragma once

#include <edgewise/edgewise.hpp>

namespace cookbook {

namespace ew = edgewise;
// [begin names]
using ew::dst, ew::edge, ew::gather, ew::linear, ew::over_row, ew::param, ew::relation, ew::softmax, ew::src;

using ew::dot, ew::exp, ew::leaky_relu, ew::log, ew::relu, ew::scatter, ew::sigmoid, ew::sum_channels, ew::tanh;

using ew::max, ew::mean, ew::sum;
// [end names]

// [begin sums]
struct h;    // features [V, channels]
struct w;    // weights of edges [E]
struct f;    // features of edges [E, channels]
struct x0;   // features of the first layer [V, channels]
struct d;    // a number of each vertex [V]
struct eps;  // a learned number

// GCN (Kipf and Welling 2017), LightGCN (He et al. 2020): w = 1 / sqrt(degree degree)
constexpr auto gcn = gather<sum>(edge<w> * src<h>);
// The same with factors of vertices, d = 1 / sqrt(degree)
constexpr auto gcn_by_vertices = dst<d> * gather<sum>(src<d> * src<h>);
// GraphSAGE (Hamilton et al. 2017): mean, and pooling
constexpr auto sage_mean = gather<mean>(src<h>);
constexpr auto sage_pool = gather<max>(relu(src<h>));
// GIN (Xu et al. 2019), GINE with features of edges (Hu et al. 2020)
constexpr auto gin = (1 + param<eps>)*dst<h> + gather<sum>(src<h>);
constexpr auto gine = (1 + param<eps>)*dst<h> + gather<sum>(relu(src<h> + edge<f>));
// SGC (Wu et al. 2019), two hops in one program
constexpr auto sgc = gather<sum>(edge<w> * ew::at_source(gather<sum>(edge<w> * src<h>)));
// A step of APPNP (Gasteiger et al. 2019), of GCNII without its matrix (Chen et al. 2020)
constexpr auto appnp = 0.9 * gather<sum>(edge<w> * src<h>) + 0.1 * dst<x0>;
constexpr auto gcn2 = relu(0.9 * gather<sum>(edge<w> * src<h>) + 0.1 * dst<x0>);
// A step of PageRank, d = 1 / out-degree
struct rank;
constexpr auto pagerank = 0.15 + 0.85 * gather<sum>(src<d> * src<rank>);
// The four aggregators of PNA (Corso et al. 2020) side by side, two of them scaled by a number of the degree; PNA has
// each with three scales
constexpr auto pna = ew::concat(gather<mean>(src<h>), dst<d>* gather<max>(src<h>), gather<ew::min>(src<h>),
                                dst<d>* gather<ew::stddev>(src<h>));
// Readout: a gather over the graph from vertices to the graphs of a batch
constexpr auto readout = gather<mean>(src<h>);
// [end sums]

// [begin attention]
struct el;  // scores of sources [V, heads]
struct er;  // scores of destinations [V, heads]
struct z;   // features [V, heads, channels]
struct q;   // queries, keys and values [V, heads, channels]
struct k;
struct v;
struct g;  // features of edges [E, heads, channels]
struct a;  // one vector for each head [1, heads, channels]
struct beta;
struct left;  // features times two matrices [V, channels]
struct right;

// GAT (Velickovic et al. 2018)
constexpr auto gat = gather<sum>(softmax(leaky_relu(src<el> + dst<er>, 0.2)) * src<z>);
// GATv2 (Brody et al. 2022)
constexpr auto gatv2 = gather<sum>(softmax(dot(param<a>, leaky_relu(src<z> + dst<q>, 0.2))) * src<z>);
// Graph transformer (Dwivedi and Bresson 2021): scores over a temperature, 1 / sqrt(channels)
constexpr auto transformer = gather<sum>(softmax(dot(dst<q>, src<k>) * 0.57735) * src<v>);
// UniMP (Shi et al. 2021): features of edges in keys and values
constexpr auto unimp = gather<sum>(softmax(dot(dst<q>, src<k> + edge<g>) * 0.57735) * (src<v> + edge<g>));
// AGNN (Thekumparampil et al. 2018): z are the rows of v, of length 1
constexpr auto agnn = gather<sum>(softmax(param<beta> * dot(src<z>, dst<z>)) * src<v>);
// FAGCN (Bo et al. 2021): signed weights, w = 1 / sqrt(degree degree), v = the first features
constexpr auto fagcn = param<eps> * dst<v> + gather<sum>(tanh(src<el> + dst<er>) * edge<w> * src<z>);
// Weights divided by their sum over the row
constexpr auto normalised = gather<sum>(edge<w> / over_row<sum>(edge<w>) * src<h>);
// The aggregation of GatedGCN (Dwivedi et al. 2020): gates divided by their sum, channel by channel
constexpr auto gate = sigmoid(edge<f> + src<left> + dst<right>);
constexpr auto gated_gcn = gather<sum>(gate * src<h>) / (gather<sum>(gate) + 1e-6);
// The mean of the heads of a last layer
constexpr auto mean_of_heads = ew::mean_heads(gat);
// Weights of attention alone, a number for each edge and head
constexpr auto attention_weights = scatter(softmax(leaky_relu(src<el> + dst<er>, 0.2)));
// [end attention]

// [begin geometry]
struct p;      // pseudo-coordinates of edges [E, 2]
struct mu;     // centres of kernels [1, heads, 2]
struct scale;  // inverse widths [1, heads, 2]
struct x;      // positions [V, 3]
struct place;  // positions beside features of another width: small vectors, vec_per_row<3>

// MoNet (Monti et al. 2017): Gaussian kernels are heads
constexpr auto kernel = exp(-0.5 * ew::sum_over<2>(ew::square((edge<p> - param<mu>)*param<scale>)));
constexpr auto monet = ew::sum_heads(gather<sum>(kernel * src<z>));
// SchNet (Schuett et al. 2017): continuous filters
constexpr auto schnet = gather<sum>(edge<f> * src<h>);
// A filter of the distance, beside features of any width; docs/potential.md has all of SchNet
constexpr auto distance = ew::sqrt(ew::sum_over<3>(ew::square(src<place> - dst<place>)));
constexpr auto filtered = gather<sum>(exp(-distance) * src<h>);
// EdgeConv (Wang et al. 2019): W (h_u - h_v) + V h_v, with both products before
constexpr auto edge_conv = gather<max>(relu(src<left> - dst<left> + dst<right>));
// EGNN (Satorras et al. 2021): positions
constexpr auto egnn = dst<x> + gather<mean>((dst<x> - src<x>)*edge<w>);
// The squared distance of both ends, a number for each edge
constexpr auto distances = scatter(sum_channels(ew::square(src<x> - dst<x>)));
// FiLM (Brockschmidt 2020): the destination modulates
constexpr auto film = gather<sum>(relu(dst<left> * src<h> + dst<right>));
// [end geometry]

// [begin types]
struct r;    // a row for each type of edge [types, channels]
struct c;    // coefficients of bases [types, heads]
struct own;  // features times W_0 [V, channels]

// R-GCN with bases (Schlichtkrull et al. 2018): bases are heads, w = 1 / edges of the type at the destination
constexpr auto rgcn = ew::sum_heads(gather<sum>(edge<w> * relation<c> * src<z>)) + dst<own>;
// CompGCN (Vashishth et al. 2020): composition by subtraction
constexpr auto compgcn = gather<sum>(src<h> - relation<r>);
// HGT's prior of a type on its scores (Hu et al. 2020)
constexpr auto hgt = gather<sum>(softmax(relation<c> * dot(dst<q>, src<k>)) * src<v>);
// Scores of triples: DistMult (Yang et al. 2015), TransE (Bordes et al. 2013)
constexpr auto distmult = scatter(sum_channels(src<h> * relation<r> * dst<h>));
constexpr auto transe = scatter(-sum_channels(ew::abs(src<h> + relation<r> - dst<h>)));
// [end types]

// [begin matrices]
struct W;  // [inputs, outputs]
struct first;
struct V;
struct b;

// GraphSAGE with its matrix: [own features, mean of neighbors] W + b
constexpr auto sage = relu(linear<W>(ew::concat(dst<h>, gather<mean>(src<h>))) + param<b>);
// Two layers of GCN, one program
constexpr auto two_layers =
    gather<sum>(edge<w> * linear<V>(ew::at_source(relu(gather<sum>(edge<w> * linear<first>(src<h>))))));
// Log-sum-exp of a number of each edge, stable
constexpr auto log_sum_exp = gather<max>(edge<w>) + log(gather<sum>(exp(edge<w> - over_row<max>(edge<w>))));
// Prediction of links
constexpr auto links = scatter(sigmoid(dot(src<h>, dst<h>)));
// [end matrices]

}  // namespace cookbook
