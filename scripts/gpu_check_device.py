"""Which GPU this machine has, asked of the driver: no toolkit and no nvidia-smi is needed."""

import ctypes

# CUdevice_attribute
COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76


def find():
    """A dictionary of name and compute capability, and ""; or None and why there is none."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return None, f"no CUDA driver ({error})"
    status = driver.cuInit(0)
    if status != 0:
        return None, f"cuInit fails with error {status}"
    count = ctypes.c_int(0)
    status = driver.cuDeviceGetCount(ctypes.byref(count))
    if status != 0 or count.value < 1:
        return None, f"the driver sees {count.value} devices"
    handle, major, minor = ctypes.c_int(0), ctypes.c_int(0), ctypes.c_int(0)
    name = ctypes.create_string_buffer(256)
    driver.cuDeviceGet(ctypes.byref(handle), 0)
    driver.cuDeviceGetName(name, len(name), handle)
    driver.cuDeviceGetAttribute(ctypes.byref(major), COMPUTE_CAPABILITY_MAJOR, handle)
    driver.cuDeviceGetAttribute(ctypes.byref(minor), COMPUTE_CAPABILITY_MINOR, handle)
    return {"name": name.value.decode(errors="replace"), "sm": major.value * 10 + minor.value}, ""


def architecture(device):
    """The one of the kernels' architectures whose code the device runs; None where unclear."""
    if device is None:
        return None
    for name in (120, 100, 90, 80):
        if name <= device["sm"] < name // 10 * 10 + 10:
            return name
    return None
