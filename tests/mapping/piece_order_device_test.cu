#include "gather/max_cases.hpp"
#include "mapped.hpp"
#include "plan/device_machine.cuh"
#include "program/attention_cases.hpp"
#include "program/epilogue_cases.hpp"

namespace edgewise::testing {

template run_result<float> run_on_device<mapped<exact_sum, pieces_in_place>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, pieces_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<exact_sum, pieces_in_place_of_tiles>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, pieces_in_place>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, pieces_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<max_of_differences, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, pieces_in_place>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, pieces_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<relu_of_biased_sum, as_stored>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, pieces_in_place>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, pieces_in_windows>>(run_request<float> const&);
template run_result<float> run_on_device<mapped<gat, as_stored>>(run_request<float> const&);

}  // namespace edgewise::testing
