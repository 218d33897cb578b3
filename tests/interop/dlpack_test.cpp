#include <edgewise/interop/dlpack.hpp>

#include <memory>
#include <vector>

#include "dlpack_tensors.hpp"
#include "support/catch.hpp"

#include <edgewise/edgewise.hpp>
#include <edgewise/format/make_views.hpp>

using namespace edgewise;

namespace {

struct h;
struct w;

/// A tensor of version 1 over these arrays, in memory of the host.
struct tensor_of {
  std::vector<std::int64_t> shape, strides;
  DLManagedTensorVersioned managed{};

  tensor_of(void* data, DLDataType type, std::vector<std::int64_t> of_shape, std::vector<std::int64_t> of_strides = {})
      : shape(std::move(of_shape)), strides(std::move(of_strides)) {
    managed.version = {1, 1};
    managed.dl_tensor = {data, {1, 0},       static_cast<std::int32_t>(shape.size()),
                         type, shape.data(), strides.empty() ? nullptr : strides.data(),
                         0};
  }
  tensor_of(tensor_of const&) = delete;
};
constexpr DLDataType f32{2, 32, 1}, f16{2, 16, 1}, bf16{4, 16, 1}, i64{0, 64, 1};

}  // namespace

TEST_CASE("dlpack: a graph and operands of other libraries, without a copy", "[interop]") {
  std::vector<std::int64_t> edge_index{0, 1, 2, 0, 1, 2, 1, 0};  // [2, 4]
  std::vector<float> weights{1, 2, 3, 4}, features{1, 2, -1, 3, 4, -1, 5, 6, -1}, sums(6, -7);
  tensor_of const edges(edge_index.data(), i64, {2, 4});
  tensor_of const one_for_each(weights.data(), f32, {4});
  tensor_of const rows(features.data(), f32, {3, 2}, {3, 1});  // every row has a gap
  tensor_of const result(sums.data(), f32, {3, 2});

  auto const ends = read_dlpack<std::int64_t const>(cpu{}, edges.managed);
  auto const coo = view_coo<std::int64_t>(vertices(3), flat(row_of(ends, 0)), flat(row_of(ends, 1)));
  CHECK(coo.sources == edge_index.data());
  CHECK(coo.destinations == edge_index.data() + 4);
  auto const csr = to_csr(cpu{}, coo);
  auto const in = bindings(bind<h>(wide(read_dlpack<float const>(cpu{}, rows.managed))),
                           bind<w>(per_row(read_dlpack<float const>(cpu{}, one_for_each.managed))));
  fuse(edgewise::graph{csr}, automatic{}, gather<sum>(edge<w> * src<h>))
      .plan(cpu{}, in)
      .forward(cpu{}, in, out(wide(read_dlpack<float>(cpu{}, result.managed))));
  // 0: edge 3 from 0; 1: edges 0 from 0 and 2 from 2; 2: edge 1 from 1.
  CHECK(sums == std::vector<float>{4, 8, 1 + 15, 2 + 18, 6, 8});
}

TEST_CASE("dlpack: axes become kinds", "[interop]") {
  std::vector<float> data(64);
  auto const array = [&](std::vector<std::int64_t> shape, std::vector<std::int64_t> strides = {}) {
    tensor_of const tensor(data.data(), f32, std::move(shape), std::move(strides));
    return read_dlpack<float const>(cpu{}, tensor.managed);
  };
  auto const three = wide(array({4, 2, 3}, {8, 3, 1}));
  CHECK((three.rows == 4 && three.heads == 2 && three.channels == 3 && three.row_stride == 8));
  auto const two = wide(array({4, 5}));
  CHECK((two.rows == 4 && two.heads == 1 && two.channels == 5 && two.row_stride == 5));
  auto const heads = per_head(array({4, 2}));
  CHECK((heads.heads == 2 && heads.channels == 1));
  auto const channels = per_channel(array({4, 2}));
  CHECK((channels.heads == 1 && channels.channels == 2));
  auto const apart = per_row(array({4}, {3}));
  CHECK((apart.rows == 4 && apart.row_stride == 3));
  auto const bias = per_channel(one_row(array({5})));
  CHECK((bias.rows == 1 && bias.channels == 5));
  CHECK_THROWS_WITH(per_channel(array({5})), Catch::Contains("a parameter of one row is one_row(array)"));
  auto const single = wide(array({1, 5}, {99, 1}));  // the stride of one row means nothing
  CHECK(single.row_stride == 5);

  CHECK_THROWS_WITH(wide(array({4})), Catch::Contains("wide: takes") && Catch::Contains("has shape [4]"));
  CHECK_THROWS_WITH(wide(array({4, 2}, {1, 4})),
                    Catch::Contains("axis 1 of shape [4, 2] has stride 4") && Catch::Contains("copy the array first"));
  CHECK_THROWS_WITH(wide(array({4, 2, 3}, {9, 4, 1})), Catch::Contains("axis 1 of shape [4, 2, 3] has stride 4"));
  CHECK_THROWS_WITH(per_row(array({4}, {-1})), Catch::Contains("are -1 elements apart"));
  CHECK_THROWS_WITH(wide(array({4, 0})), Catch::Contains("must have 1 to 2^31 - 1 elements"));
  CHECK_THROWS_WITH(flat(array({4}, {2})), Catch::Contains("flat: takes [elements] that are neighbors"));
  CHECK_THROWS_WITH(row_of(array({2, 4}), 2), Catch::Contains("there is no row 2"));
}

TEST_CASE("dlpack: tensors that cannot be read are refused", "[interop]") {
  std::vector<double> data(8);
  tensor_of tensor(data.data(), f16, {2, 2});
  CHECK_NOTHROW(read_dlpack<float16>(cpu{}, tensor.managed));
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed), Catch::Contains("holds float16, is read as float32"));
  CHECK_THROWS_WITH(read_dlpack<bfloat16>(cpu{}, tensor.managed), Catch::Contains("is read as bfloat16"));
  tensor.managed.dl_tensor.dtype = bf16;
  CHECK_NOTHROW(read_dlpack<bfloat16>(cpu{}, tensor.managed));
  tensor.managed.dl_tensor.dtype = {2, 32, 4};
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed), Catch::Contains("holds float32 x 4"));
  tensor.managed.dl_tensor.dtype = f32;
  CHECK_THROWS_WITH(read_dlpack<float>(cuda{}, tensor.managed), Catch::Contains("wanted is memory of a CUDA device"));
  tensor.managed.dl_tensor.device = {2, 1};
  CHECK_NOTHROW(read_dlpack<float>(cuda{}, tensor.managed));
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed),
                    Catch::Contains("is on DLPack device type 2, number 1, wanted is memory of the host"));
  tensor.managed.dl_tensor.device = {1, 0};
  tensor.managed.flags = 1;
  CHECK_NOTHROW(read_dlpack<float const>(cpu{}, tensor.managed));
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed), Catch::Contains("is read-only"));
  tensor.managed.flags = 0;
  tensor.managed.dl_tensor.byte_offset = 2;
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed), Catch::Contains("not aligned"));
  tensor.managed.dl_tensor.byte_offset = 4;
  CHECK(read_dlpack<float>(cpu{}, tensor.managed).address == reinterpret_cast<float*>(data.data()) + 1);
  tensor.managed.version.major = 2;
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed), Catch::Contains("version 2.1 of DLPack"));
  tensor.managed.version.major = 1;
  tensor.managed.dl_tensor.data = nullptr;
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, tensor.managed), Catch::Contains("has no memory"));
  std::vector<std::int64_t> const five(5, 1);
  tensor_of const deep(data.data(), f32, five);
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, deep.managed), Catch::Contains("has 5 axes"));
}

TEMPLATE_TEST_CASE("dlpack: views as tensors come back as they went", "[interop]", DLManagedTensor,
                   DLManagedTensorVersioned) {
  auto const owner = std::make_shared<std::vector<float>>(64);
  auto const view = wide(owner->data(), 4, 2, 3, 8);
  TestType* const tensor = make_dlpack<TestType>(cpu{}, view, owner);
  CHECK(owner.use_count() == 2);
  CHECK(tensor->dl_tensor.ndim == 3);
  auto const back = wide(read_dlpack<float>(cpu{}, *tensor));
  CHECK((back.data == view.data && back.rows == 4 && back.heads == 2 && back.channels == 3 && back.row_stride == 8));
  tensor->deleter(tensor);
  CHECK(owner.use_count() == 1);

  TestType* const numbers = make_dlpack<TestType>(cuda{}, 3, per_row(owner->data(), 5));
  CHECK((numbers->dl_tensor.ndim == 1 && numbers->dl_tensor.shape[0] == 5));
  CHECK((numbers->dl_tensor.device.device_type == 2 && numbers->dl_tensor.device.device_id == 3));
  numbers->deleter(numbers);
}

TEST_CASE("dlpack: a view of const is a read-only tensor", "[interop]") {
  std::vector<float> const data(6);
  auto* const tensor = make_dlpack<DLManagedTensorVersioned>(cpu{}, per_head(data.data(), 3, 2));
  CHECK(tensor->flags == 1);
  CHECK_THROWS_WITH(read_dlpack<float>(cpu{}, *tensor), Catch::Contains("is read-only"));
  tensor->deleter(tensor);
}

namespace {

/// As std::mdspan, which C++20 has not.
struct small_mdspan {
  float* address;
  static constexpr std::size_t rank() { return 3; }
  using reference = float&;
  float* const& data_handle() const { return address; }
  std::size_t extent(std::size_t axis) const { return axis == 0 ? 4 : axis == 1 ? 2 : 3; }
  std::size_t stride(std::size_t axis) const { return axis == 0 ? 6 : axis == 1 ? 3 : 1; }
};
/// As thrust::device_vector, whose data() is no pointer.
struct vector_elsewhere {
  struct pointer {
    int* address;
    int* get() const { return address; }
    int& operator*() const { return *address; }
  };
  std::vector<int> values;
  pointer data() const { return {const_cast<int*>(values.data())}; }
  std::size_t size() const { return values.size(); }
};

}  // namespace

TEST_CASE("views of arrays that a program has already", "[interop]") {
  std::vector<float> data(24);
  auto const rows = wide(strided(small_mdspan{data.data()}));
  CHECK((rows.data == data.data() && rows.rows == 4 && rows.heads == 2 && rows.channels == 3));

  std::vector<std::int64_t> const offsets{0, 1, 3, 4};
  vector_elsewhere const neighbors{{2, 0, 1, 3}};
  std::vector<std::int64_t> const ids{3, 1, 0, 2};
  auto const csr = view_csr({.sources = 4, .destinations = 3}, offsets, neighbors, ids);
  static_assert(std::is_same_v<decltype(csr), csr_view<int, std::int64_t> const>);
  CHECK((csr.offsets == offsets.data() && csr.neighbors == neighbors.values.data() && csr.edge_ids == ids.data()));
  CHECK((csr.num_destinations() == 3 && csr.num_sources() == 4 && csr.num_edges == 4));
  auto const csc = view_csc({.sources = 3, .destinations = 4}, std::span(offsets), neighbors);
  CHECK((csc.num_destinations() == 4 && csc.num_sources() == 3 && csc.edge_ids == nullptr));
  CHECK_NOTHROW(validate(csr));

  CHECK_THROWS_WITH(view_csr(vertices(4), offsets, neighbors),
                    "csr: offsets has 4 elements, must have num_rows + 1 = 5");
  std::vector<std::int64_t> const two{0, 1};
  CHECK_THROWS_WITH(view_csr({.sources = 4, .destinations = 3}, offsets, neighbors, two),
                    "csr: edge_ids has 2 elements, must have num_edges = 4");
  std::vector<int> const one{1};
  CHECK_THROWS_WITH(view_coo(vertices(4), neighbors, one), "coo: destinations has 1 elements, must have num_edges = 4");
}
