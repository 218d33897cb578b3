// The library's version, read by CMake too. All names live in the inline namespace `v0`, of the major version: include
// the headers rather than declare a name of the library yourself.
#pragma once

#define EDGEWISE_VERSION_MAJOR 0
#define EDGEWISE_VERSION_MINOR 1
#define EDGEWISE_VERSION_PATCH 1
