// expected-error: calling a __host__ function("T1 halve::operator ()<float> (T1) const") from a __device__ function
// expected-error: call_functor_marked_EDGEWISE_HD
#include <edgewise/expression/functor.hpp>

struct halve {
  template <class T>
  T operator()(T x) const {
    return x / 2;
  }
};

__global__ void run(float* x) { x[0] = edgewise::operation::functor<halve>{}.value(x[0]); }
