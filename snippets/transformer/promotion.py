import math

import numpy as np

scores = np.ones((1024, 1024), dtype=np.float32)  # (n, n)

# A NumPy scalar has a type, float64, and imposes it on the array.
with_numpy = scores / np.sqrt(64)
# A Python number has no size of its own and adopts the array's.
with_math = scores / math.sqrt(64)

assert np.array_equal(with_numpy, with_math)
assert with_numpy.nbytes == 2 * with_math.nbytes
print(f"scores:                 {scores.dtype}  {scores.nbytes / 2**20:.0f} MiB")
print(
    f"scores / np.sqrt(64):   {with_numpy.dtype}  {with_numpy.nbytes / 2**20:.0f} MiB"
)
print(f"scores / math.sqrt(64): {with_math.dtype}  {with_math.nbytes / 2**20:.0f} MiB")
