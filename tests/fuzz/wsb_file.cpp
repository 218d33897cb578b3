// Files of window-sorted blocks. The checksum is made to fit, so that what is behind it is reached.
#include <edgewise/io/wsb_file.hpp>

#include <cstring>

#include <edgewise/format/to_wsb.hpp>

#include "invariants.hpp"

namespace edgewise::testing {

namespace {

template <class Rows>
void load_as(std::string const& path) {
  wsb<Rows> g;
  if (!accepts([&] { g = load_wsb<Rows>(path); })) return;
  require(accepts([&] { validate(g); }), "what is loaded is valid");
  auto const again = fuzz_folder().file("again.wsb");
  save_wsb(again, g);
  auto const copy = load_wsb<Rows>(again);
  require(same_bytes(copy.columns(), g.columns()) && same_bytes(copy.masks(), g.masks()), "what is saved is loaded");
  auto const made = to_wsb(cpu{}, g.rows());
  require(made.view().num_edges == g.view().num_edges, "rows of a loaded file can be tiled");
}

}  // namespace

void fuzz_wsb_file(std::string_view bytes) {
  std::string content(bytes);
  if (content.size() >= sizeof(std::uint64_t)) {
    edgewise::detail::byte_checksum sum;
    std::size_t const end = content.size() - sizeof(std::uint64_t);
    sum.add(content.data(), end);
    std::uint64_t const value = sum.value();
    std::memcpy(content.data() + end, &value, sizeof(value));
  }
  auto const path = fuzz_folder().write("a.wsb", content);
  load_as<csr<>>(path);
  load_as<csc<>>(path);
  load_as<csr<std::int32_t, std::int64_t>>(path);
}

}  // namespace edgewise::testing
