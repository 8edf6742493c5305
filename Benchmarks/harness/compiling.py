"""Compiling a large model: 500 entities in ten versions."""
import os
import platform
import shutil
import tempfile
from importlib.machinery import SourceFileLoader

from . import measuring
from .reporting import summary

ENTITIES, VERSIONS = 500, 10


def measure(modelc, generator, rounds):
    with tempfile.TemporaryDirectory(prefix="modelc-benchmark-") as project:
        SourceFileLoader("generator", generator).load_module().generate(project, ENTITIES, VERSIONS, seed=1)
        work = tasks(modelc, project)
        samples = {name: [] for name, *_ in work}
        environment = {**os.environ, "XDG_CACHE_HOME": os.path.join(project, "cache")}
        for round_number in range(rounds + 1):
            for name, prepare, command, _, _ in work:
                prepare()
                sample = measuring.spawn(command, environment=environment)
                if round_number:  # the first round warms the caches
                    samples[name].append(sample)
    results = [
        {"task": name, **summary(samples[name]), "goalSeconds": goal, "goalBytes": memory}
        for name, _, _, goal, memory in work]
    return {
        "entities": ENTITIES, "versions": VERSIONS, "rounds": rounds, "system": platform.platform(),
        "cores": os.cpu_count(), "load": os.getloadavg()[1], "results": results,
    }


def tasks(modelc, project):
    """Name, what comes before the clock starts, command, goal in seconds, goal in bytes."""
    build = os.path.join(project, "Build")

    def nothing_yet():
        shutil.rmtree(build, ignore_errors=True)

    command = [modelc, "compile", "-C", project, "--quiet"]
    return [
        ("compile", nothing_yet, command, 0.250, 150e6),
        ("compile --check", lambda: None, command + ["--check"], None, None),
        ("--version", lambda: None, [modelc, "--version"], 0.015, None),
    ]


def print_record(record):
    print(f"\n{record['entities']} entities in {record['versions']} versions; {record['rounds']} rounds, medians")
    print(f"{'':28}{'median':>10}{'fastest':>10}{'processor':>11}{'memory':>9}   goal")
    for r in record["results"]:
        goals = []
        if r["goalSeconds"]:
            verdict = "met" if r["seconds"] <= r["goalSeconds"] else "MISSED"
            goals.append(f"{r['goalSeconds'] * 1e3:.0f} ms {verdict}")
        if r["goalBytes"]:
            goals.append(f"{r['goalBytes'] / 1e6:.0f} MB {'met' if r['peakBytes'] <= r['goalBytes'] else 'MISSED'}")
        print(
            f"{r['task']:28}{r['seconds'] * 1e3:7.1f} ms{r['fastest'] * 1e3:7.1f} ms"
            f"{r['processorSeconds'] * 1e3:8.1f} ms{r['peakBytes'] / 1e6:6.0f} MB   {', '.join(goals)}")
