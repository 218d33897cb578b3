// Fibers, the exchanges of warps and blocks, and the few parts of the emulated device that are not in its headers.
#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#include <cuda_runtime_api.h>

#include <edgewise/core/float16.hpp>

uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim;
dim3 gridDim;

namespace emulation {
namespace {

constexpr int warp_size = 32;
constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // touched where it is used

enum class state { ready, at_warp, at_block, returned };

/// One emulated thread. A switch is a jump, which costs no system call as swapcontext does; that one starts a fiber.
struct fiber {
  jmp_buf jump;
  ucontext_t context{};
  void* stack = nullptr;
  bool is_started = false;
  state at = state::returned;
  uint3 index{};
  arrival arrived{};
  std::uint64_t given_back = 0;
};

struct scheduler {
  jmp_buf jump;
  ucontext_t context{};
  std::vector<std::unique_ptr<fiber>> fibers;  // kept from grid to grid
  fiber* current = nullptr;
  int current_thread = 0;
  std::function<void()> const* kernel = nullptr;
  char const* name = "";
  std::mt19937 random{[] {
    char const* const seed = std::getenv("EDGEWISE_TEST_SEED");
    return seed ? static_cast<unsigned>(std::strtoul(seed, nullptr, 10)) : 1u;
  }()};
#if defined(__SANITIZE_ADDRESS__)
  void* own_fake_stack = nullptr;
  void const* own_stack = nullptr;
  std::size_t own_stack_bytes = 0;
#endif
};
scheduler device;

/// Ends the program, as a device ends a context: what comes after cannot be trusted.
[[noreturn]] void give_up() {
  std::fflush(nullptr);
  std::_Exit(1);
}

/// Back to the scheduler, until it is this fiber's turn.
[[gnu::noinline]] void leave_fiber(fiber& self) {
#if defined(__SANITIZE_ADDRESS__)
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(&fake_stack, device.own_stack, device.own_stack_bytes);
#endif
  if (_setjmp(self.jump) == 0) _longjmp(device.jump, 1);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake_stack, &device.own_stack, &device.own_stack_bytes);
#endif
}

/// What every fiber does: thread after thread.
void fiber_main() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &device.own_stack, &device.own_stack_bytes);
#endif
  for (;;) {
    fiber& self = *device.current;
    (*device.kernel)();
    self.at = state::returned;
    leave_fiber(self);
  }
}

[[gnu::noinline]] void jump_into(fiber& next) {
  if (_setjmp(device.jump) != 0) return;
  if (next.is_started) _longjmp(next.jump, 1);
  next.is_started = true;
  setcontext(&next.context);
}

void run_fiber(int thread) {
  fiber& next = *device.fibers[static_cast<std::size_t>(thread)];
  device.current = &next;
  device.current_thread = thread;
  threadIdx = next.index;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&device.own_fake_stack, next.stack, stack_bytes);
#endif
  jump_into(next);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(device.own_fake_stack, nullptr, nullptr);
#endif
}

void make_fibers(std::size_t count) {
  while (device.fibers.size() < count) {
    auto made = std::make_unique<fiber>();
    made->stack =
        mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made->stack == MAP_FAILED) give_up();
    getcontext(&made->context);
    made->context.uc_stack.ss_sp = made->stack;
    made->context.uc_stack.ss_size = stack_bytes;
    made->context.uc_link = nullptr;
    makecontext(&made->context, fiber_main, 0);
    device.fibers.push_back(std::move(made));
  }
}

/// Where a thread is, as text.
std::string place_of(fiber const& f) {
  if (f.at == state::returned) return "returned";
  char const* const what = f.at == state::at_block ? "at a barrier of the block" : "at an exchange of the warp";
  char mask[32] = "";
  if (f.at == state::at_warp) std::snprintf(mask, sizeof(mask), ", mask %08x", f.arrived.mask);
  return std::string(what) + mask + ", " + f.arrived.file + ":" + std::to_string(f.arrived.line);
}
[[noreturn]] void report_stuck(int num_threads) {
  std::fprintf(stderr, "emulated device: threads of block (%u, %u) of %s wait in vain:\n", blockIdx.x, blockIdx.y,
               device.name);
  for (int first = 0; first < num_threads;) {
    std::string const place = place_of(*device.fibers[static_cast<std::size_t>(first)]);
    int last = first;
    while (last + 1 < num_threads && place_of(*device.fibers[static_cast<std::size_t>(last + 1)]) == place) ++last;
    std::fprintf(stderr, "  threads %d to %d: %s\n", first, last, place.c_str());
    first = last + 1;
  }
  give_up();
}

fiber& lane_of(int first, int l) { return *device.fibers[static_cast<std::size_t>(first + l)]; }

/// Gives the lanes `taking` what they wait for.
void exchange(int first, unsigned taking) {
  unsigned votes = 0;
  for (int l = 0; l < warp_size; ++l) {
    if ((taking >> l & 1) != 0 && lane_of(first, l).arrived.given != 0) votes |= 1u << l;
  }
  for (int l = 0; l < warp_size; ++l) {
    if ((taking >> l & 1) == 0) continue;
    fiber& f = lane_of(first, l);
    switch (f.arrived.kind) {
      case collective::shuffle: {
        int const from = f.arrived.from & (warp_size - 1);
        bool const is_there = (taking >> from & 1) != 0;
        if (!is_there) {
          std::fprintf(stderr, "emulated device: %s:%d: lane %d reads lane %d, which takes no part\n", f.arrived.file,
                       f.arrived.line, l, from);
          give_up();
        }
        f.given_back = lane_of(first, from).arrived.given;
        break;
      }
      case collective::any:
        f.given_back = votes != 0;
        break;
      case collective::all:
        f.given_back = votes == taking;
        break;
      case collective::ballot:
        f.given_back = votes;
        break;
      case collective::match: {
        unsigned same = 0;
        for (int k = 0; k < warp_size; ++k) {
          if ((taking >> k & 1) != 0 && lane_of(first, k).arrived.given == f.arrived.given) same |= 1u << k;
        }
        f.given_back = same;
        break;
      }
      case collective::wait:
        break;
    }
  }
  for (int l = 0; l < warp_size; ++l) {
    if ((taking >> l & 1) != 0) lane_of(first, l).at = state::ready;
  }
}

/// Lets go on whoever waits in this warp and has all its partners. Returns whether there were some.
bool release_warp(int first, int num_threads) {
  int const lanes = std::min(warp_size, num_threads - first);
  unsigned returned = 0;
  unsigned waiting = 0;
  for (int l = 0; l < warp_size; ++l) {
    if (l >= lanes || lane_of(first, l).at == state::returned) {
      returned |= 1u << l;
    } else if (lane_of(first, l).at == state::at_warp) {
      waiting |= 1u << l;
    }
  }
  bool released = false;
  while (waiting != 0) {  // those that wait for the same as the first of them
    fiber const& f = lane_of(first, std::countr_zero(waiting));
    unsigned same = 0;
    for (int k = 0; k < lanes; ++k) {
      if ((waiting >> k & 1) != 0 && lane_of(first, k).arrived.meets(f.arrived)) same |= 1u << k;
    }
    unsigned const expected = f.arrived.mask & ~returned;
    waiting &= ~same;
    if ((expected & same) == same && (expected & ~same) == 0) {
      exchange(first, expected);
      released = true;
    }
  }
  return released;
}

bool release_block(int num_threads) {
  fiber const* first = nullptr;
  for (int t = 0; t < num_threads; ++t) {
    fiber const& f = lane_of(0, t);
    if (f.at == state::returned) continue;
    if (f.at != state::at_block) return false;
    if (first && (f.arrived.line != first->arrived.line || f.arrived.file != first->arrived.file)) return false;
    first = &f;
  }
  for (int t = 0; t < num_threads; ++t) {
    if (lane_of(0, t).at == state::at_block) lane_of(0, t).at = state::ready;
  }
  return first != nullptr;
}

void run_block(int num_threads) {
  std::vector<int> warps(static_cast<std::size_t>((num_threads + warp_size - 1) / warp_size));
  std::iota(warps.begin(), warps.end(), 0);
  for (int t = 0; t < num_threads; ++t) {
    fiber& f = lane_of(0, t);
    auto const number = static_cast<unsigned>(t);
    f.index = {number % blockDim.x, number / blockDim.x % blockDim.y, number / (blockDim.x * blockDim.y)};
    f.at = state::ready;
  }
  for (;;) {
    bool moved = false;
    std::shuffle(warps.begin(), warps.end(), device.random);
    for (int const warp : warps) {
      int const first = warp * warp_size;
      do {  // a warp as far as it gets alone
        int const order = static_cast<int>(device.random() % warp_size);
        for (int i = 0; i < warp_size; ++i) {
          int const l = i ^ order;
          if (first + l < num_threads && lane_of(first, l).at == state::ready) {
            run_fiber(first + l);
            moved = true;
          }
        }
      } while (release_warp(first, num_threads));
    }
    if (release_block(num_threads)) continue;
    bool const all_returned = std::all_of(device.fibers.begin(), device.fibers.begin() + num_threads,
                                          [](auto const& f) { return f->at == state::returned; });
    if (all_returned) return;
    if (!moved) report_stuck(num_threads);
  }
}

bool is_captured = false;
graph captured;
std::mutex one_grid;  // at a time: ranks of a test are threads
std::mutex allocations_guard;
std::map<char const*, std::size_t> allocations;

}  // namespace

int lane() { return device.current_thread % warp_size; }

std::uint64_t meet_warp(arrival const& of_lane) {
  fiber& self = *device.current;
  self.arrived = of_lane;
  self.at = state::at_warp;
  leave_fiber(self);
  return self.given_back;
}

void meet_block(char const* file, int line) {
  fiber& self = *device.current;
  self.arrived.file = file;
  self.arrived.line = line;
  self.at = state::at_block;
  leave_fiber(self);
}

void run_grid(dim3 grid, dim3 block, std::function<void()> const& kernel, char const* name) {
  std::lock_guard const lock(one_grid);
  int const num_threads = static_cast<int>(block.x * block.y * block.z);
  if (num_threads == 0 || num_threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 ||
      grid.z > 65535) {
    std::fprintf(stderr, "emulated device: %s: no grid of (%u, %u, %u) blocks of %d threads\n", name, grid.x, grid.y,
                 grid.z, num_threads);
    give_up();
  }
  make_fibers(static_cast<std::size_t>(num_threads));
  device.kernel = &kernel;
  device.name = name;
  gridDim = grid;
  blockDim = block;
  std::vector<unsigned> blocks(std::size_t{grid.x} * grid.y * grid.z);
  std::iota(blocks.begin(), blocks.end(), 0u);
  std::shuffle(blocks.begin(), blocks.end(), device.random);
  for (unsigned const b : blocks) {
    blockIdx = {b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y};
    run_block(num_threads);
  }
}

void* allocate(std::size_t bytes) {
  // Devices align allocations to 256 bytes. Sanitizers see an access behind the last byte that was asked for.
  void* data = nullptr;
  if (bytes > memory_bytes) return nullptr;
  if (posix_memalign(&data, 256, std::max<std::size_t>(bytes, 1)) != 0) return nullptr;
  std::memset(data, 0xff, bytes);
  std::lock_guard const lock(allocations_guard);
  allocations[static_cast<char const*>(data)] = std::max<std::size_t>(bytes, 1);
  return data;
}
void deallocate(void* data) {
  {
    std::lock_guard const lock(allocations_guard);
    allocations.erase(static_cast<char const*>(data));
  }
  std::free(data);
}
bool is_allocated(void const* data) {
  auto const* const address = static_cast<char const*>(data);
  std::lock_guard const lock(allocations_guard);
  auto const after = allocations.upper_bound(address);
  return after != allocations.begin() && address < std::prev(after)->first + std::prev(after)->second;
}

void enqueue(node work) {
  static bool const is_traced = std::getenv("EDGEWISE_EMULATION_TRACE") != nullptr;
  if (is_traced && work.type == node::kernel) std::fprintf(stderr, "%s\n", work.name.c_str());
  if (is_captured) {
    captured.push_back(std::move(work));
  } else {
    work.work();
  }
}
bool is_capturing() { return is_captured; }
void begin_capture() {
  is_captured = true;
  captured.clear();
}
graph* end_capture() {
  is_captured = false;
  return new graph(std::move(captured));
}

std::uint16_t round_16(bool is_bfloat, float x) {
  return is_bfloat ? edgewise::detail::bfloat16_bits(x) : edgewise::detail::float16_bits(x);
}
float widen_16(std::uint16_t bits) { return edgewise::detail::float_of_float16_bits(bits); }

}  // namespace emulation
