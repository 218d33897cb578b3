// flags: -std=c++17
// expected-error: edgewise is written in C++20: compile with -std=c++20
// every-compiler
// first-lines: 4
#include <edgewise/edgewise.hpp>

namespace ew = edgewise;

int main() {}
