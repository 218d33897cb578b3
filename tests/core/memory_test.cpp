#include <edgewise/core/memory.hpp>

#include <cstdint>

#include "support/catch.hpp"

using namespace edgewise;

TEST_CASE("host_memory: large arrays begin at huge pages, all at lines", "[core]") {
  auto const place = [](buffer<char, host_space> const& b) { return reinterpret_cast<std::uintptr_t>(b.data()); };
  std::size_t const page = detail::huge_page_bytes;
  for (std::size_t const size : {std::size_t{1}, 2 * page - 1, 2 * page, 2 * page + 1, 5 * page / 2}) {
    host_buffer<char> array(size, host_memory());
    CHECK(place(array) % (size < 2 * page ? 256 : page) == 0);
    array[0] = 1;
    array[size - 1] = 2;
    CHECK(array[size - 1] == 2);
  }
}
