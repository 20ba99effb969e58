import math

import numpy as np

rng = np.random.default_rng(0)
d = 256
q, k = rng.standard_normal((2, 10_000, d))  # (trials, d)
spread = (q * k).sum(axis=-1).std()

print(f"spread of the dot products:       {spread:.2f}")
print(f"root of the number of components: {math.sqrt(d):.2f}")
