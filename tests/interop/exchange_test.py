#!/usr/bin/env python3
"""Hands arrays of numpy, and of PyTorch where it is installed, to a library written with edgewise: exchange_test.py LIBRARY.

Exits with 77 where there is neither.
"""
import ctypes
import importlib
import sys

library = ctypes.CDLL(sys.argv[1])
pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
is_named = ctypes.pythonapi.PyCapsule_IsValid
is_named.restype, is_named.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]


def weighted_sum(*arrays, versioned):
    """None, or the message of an error. Capsules stay alive for the call, and with them what they point to."""
    name = b'dltensor_versioned' if versioned else b'dltensor'
    capsules = [a.__dlpack__(max_version=(1, 0)) if versioned else a.__dlpack__() for a in arrays]
    assert all(is_named(c, name) for c in capsules)
    call = library.weighted_sum_of_versioned if versioned else library.weighted_sum_of
    call.restype = ctypes.c_char_p
    message = call((ctypes.c_void_p * len(arrays))(*(pointer_of(c, name) for c in capsules)))
    return message.decode() if message else None


def speaks_version_1(array):
    try:
        return is_named(array.__dlpack__(max_version=(1, 0)), b'dltensor_versioned')
    except TypeError:
        return False


def check(module, array, zeros, versioned):
    """array(list, type name), zeros(shape) of the module under test."""
    edge_index = array([[0, 1, 2, 0], [1, 2, 1, 0]], 'int64')
    weights = array([1, 2, 3, 4], 'float32')
    features = array([[1, 2, -1], [3, 4, -1], [5, 6, -1]], 'float32')[:, :2]  # rows with gaps
    result = zeros((3, 2))
    assert weighted_sum(edge_index, weights, features, result, versioned=versioned) is None
    assert result.tolist() == [[4, 8], [16, 20], [6, 8]], result

    def refused(words, *arrays):
        message = weighted_sum(*arrays, versioned=versioned)
        assert message and words in message, message

    refused('holds float64, is read as float32', edge_index, weights, array([[1], [2], [3]], 'float64'), result)
    refused('holds int32, is read as int64', array([[0], [1]], 'int32'), weights, features, result)
    refused('copy the array first', edge_index, weights, array([[1, 3, 5], [2, 4, 6]], 'float32').T, result)
    refused('destinations[0] = 9', array([[0], [9]], 'int64'), weights[:1], features, result)
    refused('the graph has 4 edges', edge_index, weights[:3], features, result)
    assert result.tolist() == [[4, 8], [16, 20], [6, 8]], 'a refused call wrote'
    print(f'{module.__name__} {module.__version__}, {"version 1" if versioned else "unversioned"} tensors: right')


found = False
for name in ('numpy', 'torch'):
    try:
        module = importlib.import_module(name)
    except ImportError:
        print(f'{name} is not installed')
        continue
    make = module.array if name == 'numpy' else module.tensor
    def array(values, type_name): return make(values, dtype=getattr(module, type_name))
    def zeros(shape): return module.zeros(shape, dtype=module.float32)
    for versioned in (False, True):
        if versioned and not speaks_version_1(zeros((1, 1))):
            continue
        check(module, array, zeros, versioned)
        found = True
sys.exit(0 if found else 77)
