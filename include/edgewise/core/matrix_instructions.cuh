// Instructions of tensor cores and of what feeds them, sm_80 on: copies to shared memory that a warp does not wait for,
// loads of fragments, and products of them, m16n8k16 of 16-bit numbers and m16n8k8 of tf32.
//
// Fragments of a thread with q = lane % 4, g = lane / 4 (PTX ISA, "Matrix Fragments for mma.m16n8k16", "... m16n8k8"):
//   a  4 words: rows g, g + 8, g, g + 8. Of 16 bits: [16 x 16], 2 elements each, at columns 2 q, the last two words at
//      columns 2 q + 8. Of tf32: [16 x 8], at column q, the last two at column q + 4
//   b  2 words. Of 16 bits: [16 x 8], column g at rows 2 q, and 2 q + 8. Of tf32: [8 x 8], at row q, and q + 4
//   c  [16 x 8], 4 floats: row g at columns 2 q and 2 q + 1, row g + 8 at the same
#pragma once

#include <cstdint>
#include <type_traits>

#include <edgewise/core/config.hpp>
#include <edgewise/core/float16.hpp>

namespace edgewise::inline v0::detail {

/// The number that tensor cores take in the place of a float: its sign and exponent, and 10 bits of its fraction.
struct tf32 {
  std::uint32_t bits;

  tf32() = default;
  /// The nearest one, of two the one farther from 0.
  EDGEWISE_DEVICE explicit tf32(float x) { asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x)); }
};

EDGEWISE_DEVICE std::uint32_t shared_address(void const* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// Starts to copy 16 bytes to shared memory: the first `bytes` of them from `from`, zeros behind. Both addresses are
/// multiples of 16.
EDGEWISE_DEVICE void start_copy(void* to, void const* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(shared_address(to)), "l"(from), "r"(bytes));
}
/// Ends the group of copies that this thread started since the last one.
EDGEWISE_DEVICE void end_copies() { asm volatile("cp.async.commit_group;\n"); }
/// Waits until all but the newest Pending groups of this thread's copies are there.
template <int Pending>
EDGEWISE_DEVICE void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;\n" ::"n"(Pending) : "memory");
}

/// Four matrices of 8 x 8 elements of 16 bits: lane l names row l % 8 of matrix l / 8, 16 bytes. Word i of a thread is
/// row g of matrix i at columns 2 q and 2 q + 1.
EDGEWISE_DEVICE void load_matrices(std::uint32_t (&to)[4], void const* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}
/// The same of the transposed matrices: column g at rows 2 q and 2 q + 1.
EDGEWISE_DEVICE void load_transposed_matrices(std::uint32_t (&to)[4], void const* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row)));
}

/// c += a b, of elements stored as T, in float.
template <class T>
EDGEWISE_DEVICE void multiply_matrices(float (&c)[4], std::uint32_t const (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else if constexpr (std::is_same_v<T, tf32>) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    static_assert(std::is_same_v<T, float16>);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}

}  // namespace edgewise::inline v0::detail
