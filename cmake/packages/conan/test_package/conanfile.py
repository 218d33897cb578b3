"""Builds and runs tests/package/host with the package."""
import pathlib

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout

CONSUMER = pathlib.Path(__file__).resolve().parents[4] / "tests/package/host"


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires(self.tested_reference_str)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["USE_EDGEWISE_BY"] = "find_package"
        toolchain.cache_variables["edgewise_ROOT"] = self.dependencies["edgewise"].package_folder
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder=str(CONSUMER))
        cmake.build()

    def test(self):
        if can_run(self):
            self.run(str(pathlib.Path(self.build_folder) / "consumer"))
