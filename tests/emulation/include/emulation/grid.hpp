// A grid of emulated threads. The threads of a block are fibers of one host thread: each runs until it waits for others
// of its warp or block, in an order that a seed shuffles, so that what is right in one order alone is found.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

struct CUstream_st;

struct dim3 {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  constexpr dim3() = default;
  template <class X, class Y = unsigned, class Z = unsigned>
  constexpr dim3(X of_x, Y of_y = 1, Z of_z = 1)
      : x(static_cast<unsigned>(of_x)), y(static_cast<unsigned>(of_y)), z(static_cast<unsigned>(of_z)) {}
};
struct uint3 {
  unsigned x, y, z;
};

/// The place of the thread that runs.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

namespace emulation {

/// Runs `kernel` once for each thread of the grid. Prints what is wrong and aborts where threads wait for each other in
/// vain: at different places, or for a thread that never comes.
void run_grid(dim3 grid, dim3 block, std::function<void()> const& kernel, char const* name);

/// What one thread of a warp gives to a collective instruction, and what it gets.
enum class collective { shuffle, any, all, ballot, match, wait };
struct arrival {
  collective kind;
  unsigned mask;        ///< the lanes that take part
  std::uint64_t given;  ///< its value, or whether it votes for
  int from;             ///< the lane whose value it wants (shuffle)
  char const* file;
  int line;

  bool meets(arrival const& other) const {
    return kind == other.kind && mask == other.mask && line == other.line && file == other.file;
  }
};
/// Waits for all lanes of the mask that have not returned.
std::uint64_t meet_warp(arrival const& of_lane);
/// Waits for all threads of the block that have not returned.
void meet_block(char const* file, int line);
int lane();

/// Memory that is poisoned: bytes of -1 and NaN.
inline constexpr std::size_t memory_bytes = std::size_t{4} << 30;
/// Null where that is more than the device has.
void* allocate(std::size_t bytes);
void deallocate(void* data);
/// Does the address lie in what was allocated?
bool is_allocated(void const* data);

struct node {
  enum kind { kernel, copy, clear, memory } type;
  std::string name;
  std::function<void()> work;
};
using graph = std::vector<node>;
/// Does the work, or keeps it where a capture is under way.
void enqueue(node work);
bool is_capturing();
void begin_capture();
graph* end_capture();

using event = std::chrono::steady_clock::time_point;
inline event now() { return std::chrono::steady_clock::now(); }
inline float milliseconds(event begin, event end) {
  return std::chrono::duration<float, std::milli>(end - begin).count();
}

struct launch_shape {
  dim3 grid;
  dim3 block;
  std::size_t bytes = 0;
  CUstream_st* stream = nullptr;
};

/// kernel<<<shape>>>(arguments...): they are copied, as a device copies them. The name that a graph knows the kernel by
/// has the types of its arguments.
template <class Kernel, class... Arguments>
void launch(char const* name, launch_shape const& shape, Kernel kernel, Arguments const&... arguments) {
  std::tuple<Arguments...> copies(arguments...);
  enqueue({node::kernel, std::string(name) + " " + __PRETTY_FUNCTION__, [=] {
             run_grid(
                 shape.grid, shape.block, [&] { std::apply(kernel, copies); }, name);
           }});
}

/// What becomes of launch_kernel("what", kernel, grid, block, stream, arguments...).
template <class Kernel, class... Arguments>
void launch_named(char const* name, Kernel kernel, dim3 grid, dim3 block, CUstream_st* stream,
                  Arguments const&... arguments) {
  launch(name, {grid, block, 0, stream}, kernel, arguments...);
}

}  // namespace emulation
