// Offsets and edge ids beyond 2^32.
#include "far_edges.hpp"

#include <sys/mman.h>

#include <algorithm>

#include "gather/max_cases.hpp"
#include "gather/sum_cases.hpp"
#include "host_machine.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

/// Arrays of which only a window is in memory: nothing else may be read.
struct window_machine : host_machine {
  template <class T>
  struct array {
    std::vector<T> window;
    long long first;
    T const* data() const {
      return reinterpret_cast<T const*>(reinterpret_cast<std::uintptr_t>(window.data()) - first * sizeof(T));
    }
    std::vector<T> values() const { return window; }
  };
  template <class T>
  array<T> array_from(std::vector<T> values, long long first) const {
    return {std::move(values), first};
  }
  std::vector<float> download(std::vector<float> const& values) const { return values; }
};

/// Arrays in address space alone, but for the window: rows that picked no edge read the first element.
struct sparse_machine : host_machine {
  class rows {
  public:
    rows(std::vector<float> const& values, long long first)
        : first_(first),
          count_(values.size()),
          bytes_((static_cast<std::size_t>(first) + values.size()) * sizeof(float)),
          place_(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
      INFO(bytes_ << " bytes of address space");
      REQUIRE(place_ != MAP_FAILED);
      std::copy(values.begin(), values.end(), data() + first_);
    }
    rows(rows const&) = delete;
    rows& operator=(rows const&) = delete;
    ~rows() { munmap(place_, bytes_); }
    float* data() const { return static_cast<float*>(place_); }
    std::vector<float> values() const { return {data() + first_, data() + first_ + count_}; }

  private:
    long long first_;
    std::size_t count_;
    std::size_t bytes_;
    void* place_;
  };
  rows array_from(std::vector<float> const& values, long long first) const { return {values, first}; }
  std::vector<float> download(std::vector<float> const& values) const { return values; }
};

}  // namespace

TEMPLATE_TEST_CASE("far edges: offsets beyond 2^32", "[plan]", weighted_sum<operand_kind::per_row>,
                   extremum_of_weighted<edgewise::max>) {
  check_far_edges<TestType>(
      [](run_request<float> const& request) { return run_program<TestType>(window_machine{}, request, far_edges{}); });
}

TEST_CASE("far edges: ids beyond 2^32", "[plan]") {
  check_far_ids([](test_graph const& edges, long long first) {
    return run_ids_from<edgewise::sum>(window_machine{}, edges, first);
  });
  check_far_ids([](test_graph const& edges, long long first) {
    return run_ids_from<edgewise::max>(sparse_machine{}, edges, first);
  });
}
