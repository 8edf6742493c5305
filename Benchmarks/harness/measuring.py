"""Runs a command and says what it cost."""
import os
import subprocess
import time


def spawn(arguments, folder=None, environment=None):
    """Runs a command to its end, its output thrown away.

    Gives seconds of wall clock and of processor, peak resident bytes, and, where `folder` is given, the most bytes
    that its files had meanwhile: looked at every four milliseconds.
    """
    with open(os.devnull, "r+b") as null:
        start = time.perf_counter()
        process = subprocess.Popen(
            arguments, stdin=null, stdout=null, stderr=subprocess.PIPE if folder else null, env=environment)
        disk = 0
        while folder:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            disk = max(disk, size(folder))
            if pid:
                break
            time.sleep(0.004)
        if not folder:
            _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        trouble = process.stderr.read().decode(errors="replace")[-600:] if process.stderr else ""
        raise RuntimeError(f"{' '.join(map(str, arguments[:8]))}: exit {process.returncode}\n{trouble}")
    if process.stderr:
        process.stderr.close()
    return {
        "seconds": seconds, "processorSeconds": usage.ru_utime + usage.ru_stime,
        "peakBytes": usage.ru_maxrss * 1024, "diskBytes": disk,
    }


def size(folder):
    """Bytes of all files below a folder."""
    total = 0
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(path, name)).st_size
            except OSError:
                pass
    return total
