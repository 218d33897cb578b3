#include "two_devices_device_test.hpp"

#include <memory>
#include <vector>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/convert.cuh>

#include "support/device.cuh"

namespace edgewise::testing {
namespace {

struct w;
struct h;
inline constexpr auto ring_sum = gather<sum>(edge<w> * src<h>);

void use(int device) { check_cuda(cudaSetDevice(device), "two devices: set the device"); }
int current() {
  int device = -1;
  check_cuda(cudaGetDevice(&device), "two devices: which device");
  return device;
}

template <class F>
std::string message_of(F const& f) {
  try {
    f();
  } catch (invalid_argument const& refusal) {
    return refusal.what();
  } catch (std::exception const& other) {
    return std::string("another exception: ") + other.what();
  }
  return "nothing was thrown";
}

/// A ring whose outputs and gradients are 3, on the device that is current when it is made.
struct ring {
  static std::vector<int> ids(int first) {
    std::vector<int> all;
    for (int v = 0; v < n; ++v) all.push_back((v + first) % n);
    return all;
  }
  coo_view<> coo() const { return {sources.data(), destinations.data(), nullptr, n, n, n}; }
  auto in() const { return bindings(bind<w>(per_row(weights.data(), n)), bind<h>(wide(features.data(), n, channels))); }

  template <class Plan, class Saved>
  void run(Plan const& plan, cuda const& exec, Saved& saved) const {
    plan.forward(exec, in(), out(wide(y.data(), n, channels)), saved);
    plan.backward(exec, in(), saved, grad_out(wide(features.data(), n, channels)),
                  grad<h>(wide(dh.data(), n, channels)));
  }
  std::string check() const {
    for (auto const* values : {&y, &dh}) {
      for (float const x : values->values()) {
        if (x != 3) return "an element is " + std::to_string(x) + ", not 3";
      }
    }
    return "";
  }

  static constexpr int n = 1000, channels = 16;
  device_array<int> sources{ids(0)}, destinations{ids(1)};
  device_array<float> weights{std::vector<float>(n, 3)};
  device_array<float> features{std::vector<float>(n * channels, 1)};
  device_array<float> y{std::vector<float>(n * channels)}, dh{std::vector<float>(n * channels)};
};

auto plan_of(ring const& r, cuda const& exec, csr<int, int, device_space> const& by_destination,
             csc<int, int, device_space> const& by_source) {
  return fuse(graph{by_destination, by_source}, vertex_balanced{}, ring_sum).plan(exec, r.in());
}

}  // namespace

int num_devices() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

calls_from_another_device call_from_another_device() {
  calls_from_another_device result;
  use(1);
  ring const far;
  device_stream const far_stream;
  use(0);
  ring const near;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  auto by_destination = std::make_unique<csr<int, int, device_space>>(to_csr(exec, near.coo()));
  auto by_source = std::make_unique<csc<int, int, device_space>>(to_csc(exec, near.coo()));
  {
    auto plan = plan_of(near, exec, *by_destination, *by_source);
    use(1);
    auto saved = plan.make_saved(exec);
    if (current() != 1) result.current = "make_saved left another device current";
    near.run(plan, exec, saved);
    if (current() != 1) result.current = "a pass left another device current";
    stream.synchronize();
    use(0);
    result.results = near.check();
    use(1);
    auto const y = out(wide(near.y.data(), ring::n, ring::channels));
    result.other_stream = message_of([&] { plan.forward(cuda{.stream = far_stream.get()}, near.in(), y); });
    result.other_output =
        message_of([&] { plan.forward(exec, near.in(), out(wide(far.y.data(), ring::n, ring::channels))); });
    if (current() != 1) result.current = "a refusal left another device current";
    use(0);
    result.other_operand = message_of([&] { plan_of(far, exec, *by_destination, *by_source); });
    result.other_edges = message_of([&] { to_csr(exec, far.coo()); });
    near.run(plan, exec, saved);
    use(1);
  }  // plan and state go while device 1 is current, and while their passes run
  by_destination.reset();
  by_source.reset();
  stream.synchronize();
  use(0);
  result.afterwards = near.check();
  use(1);
  {
    cuda const other{.stream = far_stream.get()};
    auto const rows = to_csr(other, far.coo());
    auto const columns = to_csc(other, far.coo());
    auto const plan = plan_of(far, other, rows, columns);
    auto saved = plan.make_saved(other);
    far.run(plan, other, saved);
    far_stream.synchronize();
    result.afterwards += far.check();
  }
  use(0);
  return result;
}

}  // namespace edgewise::testing
