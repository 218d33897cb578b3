#include <edgewise/mapping/policy.hpp>

#include "support/catch.hpp"

using namespace edgewise;
using namespace edgewise::detail;

TEST_CASE("policy: groups that share a row fit a warp and divide it", "[tuning]") {
  for (int group_size : {1, 2, 4, 8, 16, 32}) {
    for (long long degree : {0, 1, 3, 4, 100, 1000000}) {
      for (long long rows : {0LL, 1LL, 3000LL, 1LL << 32}) {
        for (int const sub_groups : {share_cut_row(group_size, degree, rows), share_whole_row(group_size, 4, degree)}) {
          INFO(group_size << " threads, " << degree << " edges a row, " << rows << " rows");
          CHECK(sub_groups >= 1);
          CHECK((sub_groups & (sub_groups - 1)) == 0);
          CHECK(group_size * sub_groups <= 32);
        }
      }
    }
  }
}

TEST_CASE("policy: rows of few edges are not shared, unless the device has threads to spare", "[tuning]") {
  CHECK(share_cut_row(1, 1, 1000000) == 1);
  CHECK(share_cut_row(2, 3, 1000000) == 1);
  CHECK(share_cut_row(2, 50, 1000000) == 2);
  CHECK(share_cut_row(1, 50, 1000000) == 4);
  CHECK(share_cut_row(2, 3, 2708) > 1);
  CHECK(share_cut_row(1, 7, 1000000) == 1);  // most rows of a skewed graph are shorter than the mean
}

TEST_CASE("policy: a thread of a piece has as many edges as it keeps in flight, up to a warp", "[tuning]") {
  for (int group_size : {1, 2, 4}) {
    CHECK(group_size * share_piece(group_size, 8, 64) == 8);
    CHECK(group_size * share_piece(group_size, 8, 256) == 32);
    CHECK(group_size * share_piece(group_size, 8, 1LL << 40) == 32);
    CHECK(share_piece(group_size, 8, 8 * group_size) == 1);
  }
}

TEST_CASE("policy: every kernel keeps edges in flight and two blocks a multiprocessor", "[tuning]") {
  for (int group_size : {1, 2, 8, 32}) {
    for (int wide : {0, 1, 4, 20}) {
      for (kernel_policy const policy : {choose_policy(group_size, 4, 4, {wide, wide, wide}, false),
                                         choose_loop_policy(group_size, 4, 4, {wide, wide, wide}, false)}) {
        CHECK(policy.edges_in_flight >= 1);
        CHECK(policy.blocks_per_multiprocessor >= 2);
        CHECK(policy.blocks_per_multiprocessor <= 9);
      }
    }
  }
}

TEST_CASE("policy: a softmax has registers for its scores, or fewer edges in flight", "[tuning]") {
  for (int chunks : {1, 2, 4}) {
    for (int wide : {1, 2}) {
      register_demand demand{wide, 0, 1};
      kernel_policy const plain = choose_policy(32, chunks, 4, demand, false);
      demand.has_softmax = true;
      demand.narrow_varying = 3;
      demand.narrow_fixed = 4;
      kernel_policy const with_scores = choose_policy(32, chunks, 4, demand, false);
      CHECK(with_scores.edges_in_flight <= plain.edges_in_flight);
      CHECK((with_scores.edges_in_flight < plain.edges_in_flight ||
             with_scores.blocks_per_multiprocessor < plain.blocks_per_multiprocessor));
    }
  }
}

TEST_CASE("policy: of 16 bits, gradients of scores that weigh channels take two edges at a time", "[tuning]") {
  register_demand demand{2, 2, 1};
  demand.has_softmax = true;
  demand.has_gradients = true;
  CHECK(choose_policy(32, 1, 8, demand, false).edges_in_flight == 4);
  demand.parameters = 1;
  CHECK(choose_policy(32, 1, 8, demand, false).edges_in_flight == 2);
  demand.has_gradients = false;
  CHECK(choose_policy(32, 1, 8, demand, false).edges_in_flight == 4);
}

TEST_CASE("policy: sums of bfloat16 have more registers than those of float16", "[tuning]") {
  register_demand demand{1, 0, 1};
  CHECK(choose_policy(16, 1, 8, demand, false) == kernel_policy{4, 9});
  CHECK(choose_policy(16, 2, 8, demand, false) == kernel_policy{4, 6});
  demand.has_bfloat16 = true;
  CHECK(choose_policy(16, 1, 8, demand, false) == kernel_policy{4, 8});
  CHECK(choose_policy(16, 2, 8, demand, false) == kernel_policy{4, 5});
  CHECK(choose_policy(16, 1, 4, demand, false) == kernel_policy{4, 9});  // of which no thread takes eight channels
}

TEST_CASE("policy: bfloat16 changes no other passes, nor how many edges are in flight", "[tuning]") {
  for (int group_size : {1, 4, 8, 16, 32, 64}) {
    for (int chunks : {1, 2, 4}) {
      for (register_demand demand : {register_demand{1, 0, 1}, {2, 0, 1}, {1, 0, 2}, {1, 1, 2}, {2, 2, 1}}) {
        for (bool const has_softmax : {false, true}) {
          INFO(group_size << " threads, " << chunks << " chunks, " << demand.varying << " rows vary");
          demand.has_softmax = has_softmax;
          demand.has_bfloat16 = false;
          kernel_policy const other = choose_policy(group_size, chunks, 8, demand, false);
          demand.has_bfloat16 = true;
          kernel_policy const policy = choose_policy(group_size, chunks, 8, demand, false);
          CHECK(policy.edges_in_flight == other.edges_in_flight);
          bool const is_sum = demand.varying == 1 && demand.state == 1 && !has_softmax && group_size > 4;
          if (!is_sum) CHECK(policy == other);
        }
      }
    }
  }
}

TEST_CASE("policy: inner products of wide rows take two edges at a time", "[tuning]") {
  register_demand demand{1, 1, 0};
  CHECK(choose_policy(32, 2, 4, demand, false).edges_in_flight == 4);
  demand.has_edge_sums = true;
  demand.narrow_varying = 1;
  CHECK(choose_policy(32, 1, 4, demand, false).edges_in_flight == 4);
  CHECK(choose_policy(32, 2, 4, demand, false).edges_in_flight == 2);
}

TEST_CASE("policy: blocks of a fixed number all run at once", "[tuning]") {
  CHECK(keep_resident(32, 8, {1, 3}).blocks_per_multiprocessor == 4);
  CHECK(keep_resident(32, 16, {1, 2}).blocks_per_multiprocessor == 3);
  CHECK(keep_resident(32, 8, {2, 7}).blocks_per_multiprocessor == 7);
  CHECK(keep_resident(512, 32, {1, 1}).blocks_per_multiprocessor == 1);
  CHECK(fixed_blocks(32, {1, 3}) == 396);
  CHECK(fixed_blocks(32, {2, 7}) == 528);
  CHECK(fixed_blocks(512, {1, 1}) == 528);
}

TEST_CASE("policy: blocks that walk rows are small, and 32 of them hold all warps that registers allow", "[tuning]") {
  for (int group_size : {1, 2, 8, 16, 32}) {
    for (int blocks = 2; blocks <= 9; ++blocks) {
      int const threads = choose_block_threads(group_size, blocks);
      INFO(group_size << " threads a group, " << blocks << " blocks of 128");
      CHECK(threads % 32 == 0);
      CHECK(threads <= 64);
      CHECK(blocks * 128 / threads <= 32);
    }
  }
}
