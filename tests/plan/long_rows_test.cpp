// Long rows on the host: errors that do not grow with the number of edges.
#include "long_rows_run.hpp"

#include "support/catch.hpp"

using namespace edgewise;
using namespace edgewise::testing;

namespace {

template <class T>
struct host_array {
  std::vector<T> content;
  explicit host_array(std::vector<T> values) : content(std::move(values)) {}
  T* data() { return content.data(); }
  T const* data() const { return content.data(); }
  std::vector<T> values() const { return content; }
};

}  // namespace

TEST_CASE("long rows: 10^7 equal terms by every mapping, all within 1e-5", "[plan]") {
  for (auto const& found : run_long_rows<host_array>(cpu{}, 3)) {
    INFO(found.of);
    CHECK(found.error < most_long_row_error);
  }
}
