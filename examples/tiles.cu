// Attention with a score of one's own on tensor cores, and its gradients, compared with those of walked rows. Exits
// with 77 without a device.
#include <cmath>
#include <iostream>
#include <vector>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/to_wsb.cuh>

namespace ew = edgewise;

// [begin functor]
// width * tanh((x + bias) / width): a score that cannot run away
struct bounded {
  static constexpr char const* name = "bounded";
  static constexpr bool has_finite_slope = true;
  float width;
  template <class T>
  EDGEWISE_HD T operator()(T x, T b) const {
    return width * ew::tanh((x + b) / width);
  }
};
// [end functor]

namespace {

struct q;     // queries
struct k;     // keys
struct v;     // values
struct bias;  // of edges

constexpr int vertices = 34, edges = 156, heads = 2, channels = 64;

/// Numbers from -1 to 1.
std::vector<float> numbers(std::size_t size, unsigned seed) {
  std::vector<float> values(size);
  for (float& x : values) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}
template <class T>
ew::host_buffer<T> stored_as(std::vector<float> const& values) {
  ew::host_buffer<T> buffer(values.size(), ew::host_memory());
  for (std::size_t i = 0; i < values.size(); ++i) buffer[i] = static_cast<T>(values[i]);
  return buffer;
}

/// The output, and the gradients of keys and of the bias.
struct results {
  ew::host_buffer<ew::float16> out;
  ew::host_buffer<ew::float16> keys;
  ew::host_buffer<float> bias;
};

/// Runs the program over groupings of the edges.
template <class Rows, class Columns, class Mapping>
results run(ew::cuda const& exec, Rows const& rows, Columns const& columns, Mapping const& mapping) {
  auto const size = static_cast<std::size_t>(vertices * heads * channels);
  auto const rows_of = [&](unsigned seed) { return ew::to_device(exec, stored_as<ew::float16>(numbers(size, seed))); };
  auto const bias_of = [&](unsigned seed) {
    return ew::to_device(exec, stored_as<float>(numbers(edges * heads, seed)));
  };
  auto const Q = rows_of(1), K = rows_of(2), V = rows_of(3), dY = rows_of(4);
  auto const B = bias_of(5);
  auto Y = rows_of(6), dK = rows_of(7);
  auto dB = bias_of(8);
  auto const of_vertices = [](auto& x) { return ew::wide(x.data(), vertices, heads, channels); };
  auto const in = ew::bindings(ew::bind<q>(of_vertices(Q)), ew::bind<k>(of_vertices(K)), ew::bind<v>(of_vertices(V)),
                               ew::bind<bias>(ew::per_head(B.data(), edges, heads)));
  // [begin program]
  auto const score = ew::apply(bounded{4}, ew::dot(ew::dst<q>, ew::src<k>) / 8.0, ew::edge<bias>);
  auto const program = ew::gather<ew::sum>(ew::softmax(score) * ew::src<v>);
  auto const plan = ew::fuse(ew::graph{rows, columns}, mapping, program).plan(exec, in);
  // [end program]
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, ew::out(of_vertices(Y)), saved);
  plan.backward(exec, in, saved, ew::grad_out(of_vertices(dY)), ew::grad<k>(of_vertices(dK)),
                ew::grad<bias>(ew::per_head(dB.data(), edges, heads)));
  return {ew::to_host(exec, Y), ew::to_host(exec, dK), ew::to_host(exec, dB)};
}

/// ||a - b|| / ||b||.
template <class T>
double difference(ew::host_buffer<T> const& a, ew::host_buffer<T> const& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const x = static_cast<float>(a[i]), y = static_cast<float>(b[i]);
    error += (x - y) * (x - y);
    norm += y * y;
  }
  return std::sqrt(error / norm);
}

}  // namespace

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) return 77;

  ew::cuda const device{};
  auto const club = ew::karate_club();
  auto const csr = ew::to_device(device, ew::to_csr(ew::cpu{}, club.edges));
  auto const csc = ew::to_device(device, ew::to_csc(ew::cpu{}, club.edges));
  results const expected = run(device, csr, csc, ew::automatic{});
  // [begin tensor_core]
  auto const rows = ew::to_wsb(device, csr);
  auto const columns = ew::to_wsb(device, csc);
  results const found = run(device, rows, columns, ew::tensor_core{});
  // [end tensor_core]

  auto const agree = [](double error) { return error < 2e-3 ? "agree" : "differ"; };
  std::cout << "outputs " << agree(difference(found.out, expected.out)) << "\n"
            << "gradients of keys " << agree(difference(found.keys, expected.keys)) << "\n"
            << "gradients of the bias " << agree(difference(found.bias, expected.bias)) << "\n";
  return 0;
}
