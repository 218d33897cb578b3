// Errors where there is no memory for their messages: they keep their types, and no text is cut.
#include <edgewise/core/error.hpp>

#include <cstdlib>
#include <new>

#include <edgewise/core/memory.hpp>

#include "support/catch.hpp"

namespace {

int allocations_left = -1;  // -1: as many as are asked for

void* allocated(std::size_t bytes) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) { return allocated(bytes); }
// AddressSanitizer has this one of its own, which std::free does not match.
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept { return std::malloc(bytes == 0 ? 1 : bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace edgewise;

namespace {

char const* const long_name = "an operand with a name that no small string holds";

/// What is thrown where only so many allocations succeed: the type's first letter and the message.
std::string thrown_with(int allocations) {
  bool is_invalid = false, is_memory = false;
  char message[200] = {};
  allocations_left = allocations;
  try {
    throw invalid_argument(detail::text(long_name, ": has ", 3, " rows, the graph has ", 4, " vertices"));
  } catch (invalid_argument const& error) {
    is_invalid = true;
    std::snprintf(message, sizeof message, "%s", error.what());
  } catch (std::bad_alloc const&) {
    is_memory = true;
  }
  allocations_left = -1;
  return std::string(is_invalid ? "i" : is_memory ? "m" : "?") + message;
}

}  // namespace

TEST_CASE("error: keeps its type where there is no memory for its message", "[core]") {
  std::string const whole = thrown_with(-1);
  CHECK(whole == std::string("i") + long_name + ": has 3 rows, the graph has 4 vertices");
  int refusals = 0;
  for (int allocations = 0; allocations < 10; ++allocations) {
    std::string const thrown = thrown_with(allocations);
    INFO(allocations << " allocations");
    bool const is_fallback = thrown == "ithere was no memory for the message of this error";
    CHECK((is_fallback || thrown == whole));
    refusals += is_fallback;
  }
  CHECK(refusals > 0);
}

TEST_CASE("joined: is whole or throws", "[core]") {
  std::string const whole = detail::joined(long_name, ' ', 12345678);
  for (int allocations = 0; allocations < 10; ++allocations) {
    bool is_thrown = false;
    std::string got;
    allocations_left = allocations;
    try {
      got = detail::joined(long_name, ' ', 12345678);
    } catch (std::bad_alloc const&) {
      is_thrown = true;
    }
    allocations_left = -1;
    CHECK((is_thrown || got == whole));
  }
}

TEST_CASE("buffer: more bytes than can be counted are refused", "[core]") {
  CHECK_THROWS_AS(host_buffer<double>(std::size_t{1} << 61, host_memory()), invalid_argument);
  CHECK_THROWS_AS(host_buffer<double>(~std::size_t{0}, host_memory()), invalid_argument);
  CHECK_THROWS_AS(host_buffer<int>((std::size_t{1} << 62) + 1, host_memory()), invalid_argument);
  CHECK(host_buffer<double>(8, host_memory()).size_bytes() == 64);
}
