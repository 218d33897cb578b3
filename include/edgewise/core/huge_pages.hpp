// Large arrays of the host in pages of 2 MiB, where the system has them.
#pragma once

#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace edgewise::inline v0::detail {

inline constexpr std::size_t huge_page_bytes = std::size_t{1} << 21;

/// Asks for huge pages below an array that begins at one; of no effect where the system has none. Rows read in any
/// order lie on as many pages of 4 KiB as there are rows, and finding a page takes as long as reading a row.
inline void advise_huge_pages([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  madvise(first, bytes / huge_page_bytes * huge_page_bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace edgewise::inline v0::detail
