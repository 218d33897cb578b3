// For core/upwards.hpp.
#pragma once
