// Catch2, of version 3 or 2.13. The tests are written with version 2's names, which version 3 has elsewhere.
#pragma once

// Version 3 first, as in cmake/ProgramTests.cmake: where both are installed, version 2's header is found too.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>

using Catch::Approx;

namespace Catch {
using Matchers::EndsWith;
using Matchers::StartsWith;
/// Not `Matchers::Contains`, which is about the elements of a range in version 3.
inline auto Contains(std::string const& part) { return Matchers::ContainsSubstring(part); }
}  // namespace Catch
#else
#include <catch2/catch.hpp>
#endif

/// Behind the first cases of a TEMPLATE_TEST_CASE: more of them, which quick builds leave out. Each is a program to
/// compile.
#if defined(EDGEWISE_QUICK_BUILD)
#define EDGEWISE_MORE_CASES(...)
#else
#define EDGEWISE_MORE_CASES(...) , __VA_ARGS__
#endif
