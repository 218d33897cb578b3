// expected-error: bind: takes a view
// every-compiler
#include <edgewise/edgewise.hpp>

#include <vector>

namespace ew = edgewise;

struct h;

void run(std::vector<float>& data) { auto const in = ew::bindings(ew::bind<h>(data)); }
