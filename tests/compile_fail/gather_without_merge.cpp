// expected-error: gather G: needs 'merge(state<T, Offset>& into, state<T, Offset> const& later)' (gather/concept.hpp)
#include <edgewise/edgewise.hpp>

struct h;

// A CPU runs it: rows are not cut there.
struct total {
  static constexpr char const* name = "total";
  static constexpr bool needs_edge = false;
  template <class T, class Offset>
  struct state {
    T sum;
  };
  template <class T, class Offset>
  EDGEWISE_HD static state<T, Offset> identity() {
    return {T(0)};
  }
  template <class T, class Offset>
  EDGEWISE_HD static void fold(state<T, Offset>& s, T message, Offset) {
    s.sum += message;
  }
  template <class T, class Offset>
  EDGEWISE_HD static T finish(state<T, Offset> const& s, Offset) {
    return s.sum;
  }
  template <class T, class Offset>
  using saved = edgewise::type_list<>;
  static constexpr int num_prepared = 0;
  using reads = edgewise::type_list<edgewise::gradient_field>;
  static constexpr bool reads_message = false;
  static constexpr bool reads_edge = false;
  template <class T, class Offset>
  EDGEWISE_HD static T adjoint(T, Offset, T gradient) {
    return gradient;
  }
};

auto const program = edgewise::gather<total>(edgewise::src<h>);
