// forward and backward allocate nothing: neither from the plan's memory resource nor behind its back.
#include <cstdlib>
#include <new>

#include "check_case.hpp"
#include "gather/max_cases.hpp"
#include "host_machine.hpp"
#include "program/attention_cases.hpp"

namespace {

std::size_t num_news = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  ++num_news;
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

/// Out of line: g++ 12 takes std::free for a mismatch of operator new where both are inlined.
[[gnu::noinline]] void give_back(void* memory) { std::free(memory); }

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes == 0 ? 1 : bytes, alignof(std::max_align_t)); }
// AddressSanitizer has this one of its own, which std::free does not match.
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  ++num_news;
  return std::malloc(bytes == 0 ? 1 : bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

using namespace edgewise;
using namespace edgewise::testing;

TEST_CASE("allocation: forward and backward call no operator new", "[plan]") {
  auto const edges = random_skewed();
  int const n = edges.num_sources;
  graph const g{edges.csr(), edges.csc()};
  random_stream random("allocation");
  auto const request = draw_request<gatv2, float>(edges, {2, 12}, random);
  auto const view = [&](auto* data, int rows) { return wide(data, rows, 2, 12); };
  auto const in = bindings(bind<a>(view(request.operands[0].data(), 1)), bind<l>(view(request.operands[1].data(), n)),
                           bind<r>(view(request.operands[2].data(), n)));
  auto const plan = fuse(g, automatic{}, gatv2::program).plan(cpu{.threads = 2}, in);
  auto saved = plan.make_saved(cpu{});
  std::vector<float> result(n * 24), a_grad(24), l_grad(n * 24), r_grad(n * 24);
  std::size_t const before = num_news;
  plan.forward(cpu{.threads = 2}, in, out(view(result.data(), n)), saved);
  CHECK(num_news - before == 0);
  std::size_t const between = num_news;
  plan.backward(cpu{.threads = 2}, in, saved, grad_out(view(request.grad_out.data(), n)),
                grad<a>(view(a_grad.data(), 1)), grad<l>(view(l_grad.data(), n)), grad<r>(view(r_grad.data(), n)));
  CHECK(num_news - between == 0);
}
