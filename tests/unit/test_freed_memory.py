"""What the allocator keeps: large messages are not paged in anew, one by one."""

import platform
import subprocess
import sys

_COUNT_FAULTS = """
import resource
from tablestate_service.adapters.system import keep_freed_memory

def answer_like_a_large_batch():
    for _ in range(100):
        bytes(bytearray(300_000))

keep_freed_memory()
answer_like_a_large_batch()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
answer_like_a_large_batch()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_memory_of_large_messages_is_kept_for_the_next_ones() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _COUNT_FAULTS], capture_output=True, text=True, check=True
    )
    faults = int(done.stdout)
    # Other allocators are left to their own rules.
    assert faults < 100 or platform.libc_ver()[0] != "glibc", "11 000 if it is given back each time"
