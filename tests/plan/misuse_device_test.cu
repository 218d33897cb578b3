#include "misuse_device_test.hpp"

#include <memory>
#include <optional>
#include <utility>

#include <edgewise/edgewise.cuh>
#include <edgewise/format/convert.cuh>

#include "support/device.cuh"
#include "support/device_graph.cuh"

namespace edgewise::testing {
namespace {

struct w;
struct h;
struct matrices;
inline constexpr auto ring_sum = gather<sum>(edge<w> * src<h>);

/// Keeps a stream busy for a while.
__global__ void count_up(long rounds, unsigned* to) {
  unsigned x = 1;
  for (long k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
  *to = x;
}
#if defined(__NVCC__)
constexpr long busy_rounds = 100'000'000;  // about a third of a second
#else
constexpr long busy_rounds = 10;
#endif

/// Calls f and returns the message of the invalid_argument that it throws.
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

/// The ring v -> v + 1, its operands and outputs.
struct ring {
  explicit ring(int with_channels = 8) : channels(with_channels) {
    for (int v = 0; v < n; ++v) {
      edges.sources.push_back(v);
      edges.destinations.push_back((v + 1) % n);
    }
    sources.emplace(edges.sources);
    destinations.emplace(edges.destinations);
  }
  coo_view<> coo() const { return {sources->data(), destinations->data(), nullptr, n, n, n}; }
  auto in() const { return bindings(bind<w>(per_row(weights.data(), n)), bind<h>(wide(features.data(), n, channels))); }
  auto result() const { return out(wide(y.data(), n, channels)); }
  auto adjoint() const { return grad_out(wide(features.data(), n, channels)); }
  auto gradient() const { return grad<h>(wide(dh.data(), n, channels)); }

  template <class Plan, class Saved>
  void run(Plan const& plan, cuda const& exec, Saved& saved) const {
    plan.forward(exec, in(), result(), saved);
    plan.backward(exec, in(), saved, adjoint(), gradient());
  }
  fault check(char const* when) const {
    for (auto const* values : {&y, &dh}) {
      for (float const x : values->values()) {
        if (x != 3) return std::string(when) + ": an element is " + std::to_string(x) + ", not 3";
      }
    }
    return "";
  }
  fault check_output(char const* when) const {
    for (float const x : y.values()) {
      if (x != 3) return std::string(when) + ": an element is " + std::to_string(x) + ", not 3";
    }
    return "";
  }

  int n = ring_vertices;
  int channels;
  test_graph edges;
  std::optional<device_array<int>> sources, destinations;
  device_array<float> weights{std::vector<float>(static_cast<std::size_t>(n), 3)};
  device_array<float> features{std::vector<float>(static_cast<std::size_t>(n) * static_cast<std::size_t>(channels), 1)};
  device_array<float> y{std::vector<float>(static_cast<std::size_t>(n) * static_cast<std::size_t>(channels))};
  device_array<float> dh{std::vector<float>(static_cast<std::size_t>(n) * static_cast<std::size_t>(channels))};
};

auto kernel_of(csr<int, int, device_space> const& by_destination, csc<int, int, device_space> const& by_source) {
  return fuse(graph{by_destination, by_source}, vertex_balanced{}, ring_sum);
}

/// Groupings and a plan on a stream.
struct planned {
  planned(ring const& r, cuda const& exec)
      : by_destination(to_csr(exec, r.coo())),
        by_source(to_csc(exec, r.coo())),
        plan(kernel_of(by_destination, by_source).plan(exec, r.in())),
        saved(plan.make_saved(exec)) {}

  csr<int, int, device_space> by_destination;
  csc<int, int, device_space> by_source;
  decltype(kernel_of(by_destination, by_source).plan(cuda{}, std::declval<ring const&>().in())) plan;
  typename decltype(plan)::saved_type saved;
};

fault run_ring() {
  ring const r;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  planned p(r, exec);
  r.run(p.plan, exec, p.saved);
  stream.synchronize();
  return r.check("a run");
}

/// Gives some memory, then none.
class scarce_resource final : public memory_resource {
public:
  void* allocate(std::size_t bytes, stream_handle stream) override {
    return device_memory()->allocate(left_-- > 0 ? bytes : std::size_t{1} << 50, stream);
  }
  void deallocate(void* pointer, std::size_t bytes, stream_handle stream) noexcept override {
    device_memory()->deallocate(pointer, bytes, stream);
  }

private:
  int left_ = 1;
};

}  // namespace

fault run_with_error_of_caller() {
  cudaSetDevice(12345);  // the caller's mistake
  if (cudaPeekAtLastError() != cudaErrorInvalidDevice) return "there is no error to begin with";
  fault const wrong = run_ring();
  cudaError_t const left = cudaGetLastError();
  if (!wrong.empty()) return wrong;
  return left == cudaErrorInvalidDevice ? "" : "the caller's error was cleared or replaced";
}

fault run_after_out_of_memory() {
  scarce_resource scarce;
  ring const r;
  device_stream const stream;
  bool is_refused = false;
  try {
    planned const p(r, cuda{.stream = stream.get(), .memory = &scarce});
  } catch (cuda_error const& refusal) {
    is_refused = refusal.code() == static_cast<int>(cudaErrorMemoryAllocation);
  }
  if (!is_refused) return "no cuda_error of an allocation";
  if (cudaGetLastError() != cudaSuccess) return "an error is left behind";
  return run_ring();
}

std::vector<std::string> refusals_of_host_memory() {
  int reads_any = 0;
  check_cuda(cudaDeviceGetAttribute(&reads_any, cudaDevAttrPageableMemoryAccess, 0), "misuse: attribute");
  if (reads_any) return {};
  ring const r;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  planned p(r, exec);
  auto const size = static_cast<std::size_t>(r.n) * static_cast<std::size_t>(r.channels);
  std::vector<float> host(size);
  std::vector<int> ids(static_cast<std::size_t>(r.n) + 1);
  auto const host_view = wide(host.data(), r.n, r.channels);
  std::vector<std::string> messages;
  auto view = p.by_destination.view();
  view.offsets = ids.data();
  messages.push_back(message_of([&] {
    fuse(graph{view, p.by_source.view()}, vertex_balanced{}, ring_sum).plan(exec, r.in());
  }));
  auto const in = bindings(bind<w>(per_row(static_cast<float*>(host.data()), r.n)),
                           bind<h>(wide(r.features.data(), r.n, r.channels)));
  messages.push_back(message_of([&] { kernel_of(p.by_destination, p.by_source).plan(exec, in); }));
  messages.push_back(message_of([&] { p.plan.forward(exec, r.in(), out(host_view)); }));
  p.plan.forward(exec, r.in(), r.result(), p.saved);
  messages.push_back(message_of([&] { p.plan.backward(exec, r.in(), p.saved, grad_out(host_view), r.gradient()); }));
  messages.push_back(message_of([&] { p.plan.backward(exec, r.in(), p.saved, r.adjoint(), grad<h>(host_view)); }));
  messages.push_back(message_of([&] { to_csr(exec, coo_view<>{ids.data(), ids.data(), nullptr, r.n, r.n, r.n}); }));
  auto const typed = bindings(
      bind<h>(wide(r.features.data(), r.n, r.channels)),
      bind<matrices>(by_type(wide(r.features.data(), r.channels, r.channels), row_types_view<>{ids.data(), 1, r.n})));
  messages.push_back(message_of([&] {
    fuse(graph{p.by_destination, p.by_source}, automatic{}, gather<sum>(linear<matrices>(src<h>))).plan(exec, typed);
  }));
  stream.synchronize();
  r.run(p.plan, exec, p.saved);  // all of it left the plan as it was
  stream.synchronize();
  if (!r.check("afterwards").empty()) messages.push_back(r.check("afterwards"));
  return messages;
}

fault run_on_managed_and_pinned_memory() {
#if defined(__NVCC__)
  ring const r;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  planned p(r, exec);
  float* managed = nullptr;
  float* pinned = nullptr;
  auto const size = static_cast<std::size_t>(r.n) * static_cast<std::size_t>(r.channels);
  check_cuda(cudaMallocManaged(&managed, sizeof(float) * static_cast<std::size_t>(r.n)), "misuse: managed");
  check_cuda(cudaMallocHost(&pinned, sizeof(float) * size), "misuse: pinned");
  for (int v = 0; v < r.n; ++v) managed[v] = 3;
  for (std::size_t k = 0; k < size; ++k) pinned[k] = 1;
  auto const in = bindings(bind<w>(per_row(managed, r.n)), bind<h>(wide(pinned, r.n, r.channels)));
  auto const plan = kernel_of(p.by_destination, p.by_source).plan(exec, in);
  plan.forward(exec, in, r.result());
  stream.synchronize();
  fault const wrong = r.check_output("managed and pinned");
  cudaFree(managed);
  cudaFreeHost(pinned);
  return wrong;
#else
  return "";
#endif
}

fault destroy_while_running() {
  ring const r;
  device_stream const made_on, run_on, other;
  device_array<unsigned> counted{std::vector<unsigned>(1)};
  cuda const exec{.stream = run_on.get()};
  auto p = std::make_unique<planned>(r, cuda{.stream = made_on.get()});
  made_on.synchronize();
  r.run(p->plan, exec, p->saved);  // loads the kernels
  run_on.synchronize();
  count_up<<<1, 1, 0, run_on.get()>>>(busy_rounds, counted.data());
  r.run(p->plan, exec, p->saved);
  p.reset();
  std::vector<device_buffer<unsigned char>> taken;
  for (std::size_t const bytes : {1000, 10'000, 20'000, 100'000, 200'000, 1'000'000}) {
    for (int k = 0; k < 8; ++k) {
      taken.emplace_back(bytes, device_memory(), other.get());
      check_cuda(cudaMemsetAsync(taken.back().data(), 0xff, bytes, other.get()), "misuse: spoil");
    }
  }
  other.synchronize();
  run_on.synchronize();
  return r.check("destroyed while it ran");
}

fault destroy_stream_first() {
  ring const r;
  cudaStream_t stream = nullptr;
  check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "misuse: make a stream");
  cuda const exec{.stream = stream};
  {
    planned p(r, exec);
    r.run(p.plan, exec, p.saved);
    check_cuda(cudaStreamDestroy(stream), "misuse: destroy the stream");  // its work goes on
  }
  check_cuda(cudaDeviceSynchronize(), "misuse: wait");
  if (fault const wrong = r.check("stream destroyed first"); !wrong.empty()) return wrong;
  return run_ring();
}

captured_plan plan_in_a_capture() {
  ring const r;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  planned p(r, exec);
  r.run(p.plan, exec, p.saved);  // loads the kernels
  stream.synchronize();
  cudaGraph_t captured = nullptr;
  cudaGraphExec_t instance = nullptr;
  captured_plan result;
  check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), "misuse: begin");
  result.message = message_of([&] { kernel_of(p.by_destination, p.by_source).plan(exec, r.in()); });
  r.run(p.plan, exec, p.saved);
  check_cuda(cudaStreamEndCapture(stream.get(), &captured), "misuse: end");
  check_cuda(cudaGraphInstantiate(&instance, captured, 0), "misuse: instantiate");
  check_cuda(cudaMemset(r.y.data(), 0, r.y.size() * sizeof(float)), "misuse: clear");
  check_cuda(cudaMemset(r.dh.data(), 0, r.dh.size() * sizeof(float)), "misuse: clear");
  check_cuda(cudaDeviceSynchronize(), "misuse: wait");  // the other stream does not wait for the clearing
  check_cuda(cudaGraphLaunch(instance, stream.get()), "misuse: launch");
  stream.synchronize();
  result.replay = r.check("replayed");
  check_cuda(cudaGraphExecDestroy(instance), "misuse: destroy");
  check_cuda(cudaGraphDestroy(captured), "misuse: destroy");
  return result;
}

stale_state backward_after_rebuild() {
  ring const r;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  planned const p(r, exec);
  auto plan = kernel_of(p.by_destination, p.by_source).plan_for_capacity(exec, r.in());
  auto saved = plan.make_saved(exec);
  graph const g{p.by_destination, p.by_source};
  plan.rebuild(exec, g);
  plan.forward(exec, r.in(), r.result(), saved);
  plan.rebuild(exec, g);
  stale_state result;
  result.message = message_of([&] { plan.backward(exec, r.in(), saved, r.adjoint(), r.gradient()); });
  r.run(plan, exec, saved);
  stream.synchronize();
  result.afterwards = r.check("filled again");
  return result;
}

std::vector<std::string> refusals_of_what_was_moved() {
  ring const r;
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  planned p(r, exec);
  p.plan.forward(exec, r.in(), r.result(), p.saved);
  auto moved_saved = std::move(p.saved);
  std::vector<std::string> messages;
  messages.push_back(message_of([&] { p.plan.backward(exec, r.in(), p.saved, r.adjoint(), r.gradient()); }));
  auto plan = std::move(p.plan);
  messages.push_back(message_of([&] { p.plan.forward(exec, r.in(), r.result(), moved_saved); }));
  messages.push_back(message_of([&] { p.plan.backward(exec, r.in(), moved_saved, r.adjoint(), r.gradient()); }));
  messages.push_back(message_of([&] { p.plan.make_saved(exec); }));
  messages.push_back(message_of([&] { p.plan.rebuild(exec, graph{p.by_destination, p.by_source}); }));
  r.run(plan, exec, moved_saved);
  stream.synchronize();
  if (fault const wrong = r.check("the plan that it was moved to"); !wrong.empty()) messages.push_back(wrong);
  return messages;
}

fault run_wide_rows([[maybe_unused]] int channels) {
#if defined(__NVCC__)
  auto const size = 2 * static_cast<std::size_t>(channels);
  device_stream const stream;
  cuda const exec{.stream = stream.get()};
  device_array<int> const offsets{{0, 1, 2}}, neighbors{{1, 0}};
  csr_view<> const by_destination{{offsets.data(), neighbors.data(), nullptr, 2, 2, 2}};
  device_array<int> const ids{{1, 0}};
  csc_view<> const by_source{{offsets.data(), neighbors.data(), ids.data(), 2, 2, 2}};
  device_array<float> const weights{{3, 3}};
  device_array<float> const features{std::vector<float>(size, 1)};
  device_array<float> const y{std::vector<float>(size)}, dh{std::vector<float>(size)};
  auto const in = bindings(bind<w>(per_row(weights.data(), 2)), bind<h>(wide(features.data(), 2, channels)));
  auto const plan = fuse(graph{by_destination, by_source}, vertex_balanced{}, ring_sum).plan(exec, in);
  auto saved = plan.make_saved(exec);
  plan.forward(exec, in, out(wide(y.data(), 2, channels)), saved);
  plan.backward(exec, in, saved, grad_out(wide(features.data(), 2, channels)), grad<h>(wide(dh.data(), 2, channels)));
  for (auto const* values : {&y, &dh}) {
    for (float const x : values->values()) {
      if (x != 3) return "an element of a wide row is " + std::to_string(x) + ", not 3";
    }
  }
#endif
  return "";
}

}  // namespace edgewise::testing
