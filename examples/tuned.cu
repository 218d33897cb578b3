// Choosing a schedule by measuring, and pinning it. Exits with 77 without a device.
#include <cstddef>
#include <iostream>

#include <edgewise/edgewise.cuh>
#include <edgewise/tuning/autotune.cuh>

namespace {

namespace ew = edgewise;

struct h;
struct w;

ew::device_buffer<float> filled(ew::cuda const& device, std::size_t size, float value) {
  ew::host_buffer<float> values(size, ew::host_memory());
  for (float& x : values) x = value;
  return ew::to_device(device, values);
}

}  // namespace

int main() {
  int num_devices = 0;
  if (cudaGetDeviceCount(&num_devices) != cudaSuccess || num_devices == 0) return 77;

  ew::cuda const device{};
  auto const club = ew::karate_club();
  auto const csr = ew::to_device(device, ew::to_csr(ew::cpu{}, club.edges));
  auto const csc = ew::to_device(device, ew::to_csc(ew::cpu{}, club.edges));
  ew::graph const graph{csr, csc};
  int const vertices = 34, edges = 156, channels = 8;
  auto const H = filled(device, vertices * channels, 1), W = filled(device, edges, 0.5f),
             dY = filled(device, vertices * channels, 1);
  auto Y = filled(device, vertices * channels, 0), dH = filled(device, vertices * channels, 0);
  auto const program = ew::gather<ew::sum>(ew::edge<w> * ew::src<h>);
  auto const in =
      ew::bindings(ew::bind<h>(ew::wide(H.data(), vertices, channels)), ew::bind<w>(ew::per_row(W.data(), edges)));
  auto const y = ew::wide(Y.data(), vertices, channels);
  auto const dy = ew::wide(dY.data(), vertices, channels);
  auto const dh = ew::wide(dH.data(), vertices, channels);

  // [begin tuned]
  auto const kernel = ew::fuse(graph, ew::automatic{}, program);
  ew::tuning_cache cache;  // or cache("tuning.txt"), which is read, and written to
  auto const choice = ew::autotune(device, cache, kernel, in, ew::out(y), ew::grad_out(dy), ew::grad<h>(dh));
  auto const plan = kernel.plan(device, in, choice.policy);
  // [end tuned]
  plan.forward(device, in, ew::out(y));
  std::cout << "measured " << (choice.num_measured > 1 ? "several" : "no") << " schedules\n";
  auto const again = ew::autotune(device, cache, kernel, in, ew::out(y), ew::grad_out(dy), ew::grad<h>(dh));
  std::cout << "measured again: " << again.num_measured << "\n";
  std::cout << "same policy: " << (again.policy == plan.policy() ? "yes" : "no") << "\n";
  std::cout << "its text is read back: "
            << (ew::parse_policy<ew::row_split>(to_string(choice.policy)) == choice.policy ? "yes" : "no") << "\n";
  plan.forward(device, in, ew::out(y));
  std::cout << "sum at vertex 0, of degree 16: " << ew::to_host(device, Y)[0] << "\n";
  return 0;
}
