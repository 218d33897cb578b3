// expected-error: bind: takes a view
#include <edgewise/edgewise.hpp>

#include <vector>

namespace ew = edgewise;

struct h;

void run(std::vector<float>& data) { auto const in = ew::bindings(ew::bind<ew::src<h>>(data.data())); }
