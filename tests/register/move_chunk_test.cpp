#include <edgewise/register/move_chunk.hpp>

#include <vector>

#include "support/catch.hpp"

using edgewise::bfloat16;
using edgewise::float16;
using namespace edgewise::detail;

namespace {

template <class T>
std::vector<float> widened(std::vector<T> const& values) {
  std::vector<float> all;
  for (T const& x : values) all.push_back(static_cast<float>(x));
  return all;
}

/// Eight elements of 9, of which four from the third on take a chunk of 1 2 3 4.
template <edgewise::detail::access Access, class T>
std::vector<float> store(int valid, bool adds) {
  std::vector<T> memory(8, static_cast<T>(9.0f));
  float chunk[4] = {1, 2, 3, 4};
  if (adds) add_stored_chunk<Access>(memory.data() + 2, valid, chunk);
  store_chunk<Access>(memory.data() + 2, valid, chunk);
  return widened(memory);
}

template <class T>
void check_stores() {
  using rows = std::vector<float>;
  for (int const valid : {1, 3, 4}) {  // a word is stored as a whole
    CHECK(store<edgewise::detail::access::chunk, T>(valid, false) == rows{9, 9, 1, 2, 3, 4, 9, 9});
    CHECK(store<edgewise::detail::access::chunk, T>(valid, true) == rows{9, 9, 10, 11, 12, 13, 9, 9});
  }
  CHECK(store<edgewise::detail::access::element, T>(4, false) == rows{9, 9, 1, 2, 3, 4, 9, 9});
  CHECK(store<edgewise::detail::access::element, T>(3, false) == rows{9, 9, 1, 2, 3, 9, 9, 9});
  CHECK(store<edgewise::detail::access::element, T>(3, true) == rows{9, 9, 10, 11, 12, 9, 9, 9});
  CHECK(store<edgewise::detail::access::element, T>(1, true) == rows{9, 9, 10, 9, 9, 9, 9, 9});
  for (bool const adds : {false, true}) {
    CHECK(store<edgewise::detail::access::chunk, T>(0, adds) == rows(8, 9));
    CHECK(store<edgewise::detail::access::element, T>(0, adds) == rows(8, 9));
  }
}

}  // namespace

TEST_CASE("move_chunk: words are stored as a whole, elements where they are in the row", "[register]") {
  check_stores<float>();
  check_stores<double>();
  check_stores<bfloat16>();
  check_stores<float16>();
}

TEST_CASE("move_chunk: channels outside the row read as 0, element by element", "[register]") {
  bfloat16 memory[4];
  for (int i = 0; i < 4; ++i) memory[i] = static_cast<bfloat16>(static_cast<float>(i + 1));
  float x[4] = {7, 7, 7, 7};
  load_chunk<edgewise::detail::access::element>(memory, 3, x);
  CHECK((x[0] == 1 && x[1] == 2 && x[2] == 3 && x[3] == 0));
  load_chunk<edgewise::detail::access::chunk>(memory, 3, x);
  CHECK((x[0] == 1 && x[1] == 2 && x[2] == 3 && x[3] == 4));
}

TEST_CASE("move_chunk: what is added to is rounded once", "[register]") {
  // Half an aggregation of the sum and a little more: lost where the term is rounded to 16 bits first.
  auto const add = [](auto stored, float first) {
    using T = decltype(stored);
    T memory[4] = {stored, stored, stored, stored};
    float chunk[4] = {first, first, first, first};
    add_stored_chunk<edgewise::detail::access::chunk>(memory, 4, chunk);
    store_chunk<edgewise::detail::access::chunk>(memory, 4, chunk);
    return static_cast<float>(memory[3]);
  };
  CHECK(add(static_cast<bfloat16>(256.0f), 1 + 0x1p-9f) == 258);
  CHECK(add(static_cast<float16>(2048.0f), 1 + 0x1p-12f) == 2050);
}
