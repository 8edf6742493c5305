"""T1–T6: modelc by every route that it has, other tools, and SQLite's own limits, on one store, in turn."""
import os
import shutil
import statistics
import subprocess
import sys

from . import limits, measuring
from .peers import Peers

HERE = os.path.dirname(os.path.abspath(__file__))
TASKS = {
    "T1": ("add an optional attribute", "AddAttribute"),
    "T2": ("rename an attribute and its entity", "Rename"),
    "T3": ("optional to required, with a default", "RequireValue"),
    "T4": ("integer to text", "IntegerToText"),
    "T5": ("split an entity, a value from a related object", "Split"),
    "T6": ("T1, T2 and T3 as a chain of versions", "Chain3"),
    "statement": ("a value of every line item by an expression", "Statement"),
    "policy": ("the same by a policy", "Policy"),
    "small": ("a policy on the products, a twentieth of the objects", "Shelf"),
}
# × IS, from the design's goals: by task and contender.
GOALS = {
    ("T1", "modelc in-place"): 0.05, ("T2", "modelc in-place"): 0.05, ("T3", "modelc in-place"): 0.35,
    ("T4", "modelc in-place"): 0.75, ("T6", "modelc in-place"): 0.40, ("T6", "modelc clone"): 0.60,
    ("T3", "modelc clone"): 0.48, ("T5", "modelc"): 1.10, ("statement", "modelc"): 0.60, ("small", "modelc"): 0.25,
}


def ask(required, store, shop):
    """Milliseconds in which an app learns whether its store has to be migrated: the first time, and the median."""
    command = [required, store, os.path.join(shop, "Models", "Shop"), "41"]
    times = [float(line) for line in subprocess.check_output(command, text=True).split()]
    return {"first": times[0], "median": statistics.median(times)}


class Migrating:
    def __init__(self, modelc, policy_modelc, shop, store, work, python, options):
        self.modelc, self.policy_modelc, self.shop, self.store = modelc, policy_modelc, shop, store
        self.work, self.options = work, options
        self.place = os.path.join(work, "place")
        self.peers = Peers(store, work, python)
        help_text = subprocess.run([modelc, "migrate", "--help"], capture_output=True, text=True).stdout
        self.routes = ["in-place", "clone"] if "--route" in help_text else []
        self.samples, self.refused = {}, {}

    def run(self):
        jobs = [("start", "modelc"), ("start", "Python")] + [("limit", name) for name in limits.LIMITS]
        for task in self.options.tasks:
            if task in ("statement", "policy", "small"):
                jobs += [(task, "modelc")] if self.policy_modelc else []
                # What the policy does, as one statement that a person wrote.
                jobs += [(task, "SQL")] if task == "policy" else []
                continue
            jobs += [(task, "modelc")] + [(task, f"modelc {route}") for route in self.routes]
            jobs += [(task, name) for name in self.peers.names]
        for round_number in range(self.options.rounds):
            for job in jobs:
                if job in self.refused:
                    continue
                try:
                    self.samples.setdefault(job, []).append(self.measure(*job))
                except RuntimeError as trouble:
                    self.refused[job] = str(trouble).strip().splitlines()
                    print(f"  {' '.join(job)}: {trouble}", file=sys.stderr)
            print(f"round {round_number + 1} of {self.options.rounds}", file=sys.stderr)
        return self.samples

    def measure(self, task, contender):
        """One run on a fresh copy, which is on the disk before the clock starts."""
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        path = os.path.join(self.place, "store.sqlite")
        script = [sys.executable, os.path.join(HERE, "limits.py")]
        if task == "start":
            return measuring.spawn(
                [self.modelc, "--version"] if contender == "modelc" else script + ["nothing", "-", "-"])
        if task == "limit":
            return measuring.spawn(script + [contender, self.store, path], folder=self.place)
        shutil.copyfile(self.store, path)
        if not contender.startswith("modelc"):
            self.peers.prepare(contender, path)
        with open(path, "r+b") as file:
            os.fsync(file.fileno())
        command = (
            self.migration(task, contender, path) if contender.startswith("modelc")
            else self.peers.command(contender, task, path))
        return measuring.spawn(command, folder=self.place)

    def migration(self, task, contender, path):
        # A project with a policy knows it from the beginning, also where another step has none.
        modelc = self.policy_modelc or self.modelc
        route = contender.removeprefix("modelc").strip()
        return [
            modelc, "migrate", path, "-C", self.shop, "--to", TASKS[task][1], "--no-backup", "--quiet",
            "--allow-loss", "MC3111", *(["--route", route] if route else [])]
