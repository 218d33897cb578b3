// The ranges that a profiler sees, where EDGEWISE_NVTX is defined: a profiler of this test's own listens.
#define EDGEWISE_NVTX
#include <edgewise/core/profiler_range.hpp>

#include <string>
#include <vector>

#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>

using namespace edgewise;

namespace {

std::vector<std::string> heard;

int push(nvtxDomainHandle_t, nvtxEventAttributes_t const* event) {
  heard.emplace_back(event->message.ascii);
  return 0;
}
int pop(nvtxDomainHandle_t) {
  heard.emplace_back("end");
  return 0;
}
/// What NVTX calls first: puts the functions above into its table.
int listen(NvtxGetExportTableFunc_t export_table) {
  auto const* const callbacks = static_cast<NvtxExportTableCallbacks const*>(export_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size);
  *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(push);
  *table[NVTX_CBID_CORE2_DomainRangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}

struct h;

}  // namespace

TEST_CASE("profiler ranges: one for each call of a plan", "[plan]") {
  InitializeInjectionNvtx2_fnptr = listen;
  std::vector<int> const offsets{0, 1}, neighbors{0};
  std::vector<float> x{1, 2}, y(2), dx(2);
  auto const in = bindings(bind<h>(wide(x.data(), 1, 2)));
  auto const plan =
      fuse(graph{view_csr(vertices(1), offsets, neighbors)}, automatic{}, gather<sum>(dst<h> * 2)).plan(cpu{}, in);
  CHECK(heard == std::vector<std::string>{"plan", "end"});
  auto saved = plan.make_saved(cpu{});
  heard.clear();
  plan.forward(cpu{}, in, out(wide(y.data(), 1, 2)), saved);
  CHECK(heard == std::vector<std::string>{"forward", "end"});
  heard.clear();
  plan.backward(cpu{}, in, saved, grad_out(wide(y.data(), 1, 2)), grad<h>(wide(dx.data(), 1, 2)));
  CHECK(heard == std::vector<std::string>{"backward", "end"});
}
