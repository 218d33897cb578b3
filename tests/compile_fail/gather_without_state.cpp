// expected-error: gather G: needs 'template <class T, class Offset> struct state' (gather/concept.hpp)
#include <edgewise/edgewise.hpp>

struct h;

struct last {
  static constexpr char const* name = "last";
};

auto const program = edgewise::gather<last>(edgewise::src<h>);
