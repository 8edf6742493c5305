"""What was measured, as text, JSON and a picture."""
import json
import os
import platform
import statistics

from .migrating import GOALS, TASKS


def summary(samples):
    return {
        "seconds": statistics.median(s["seconds"] for s in samples),
        "fastest": min(s["seconds"] for s in samples), "slowest": max(s["seconds"] for s in samples),
        "processorSeconds": statistics.median(s["processorSeconds"] for s in samples),
        "peakBytes": max(s["peakBytes"] for s in samples), "diskBytes": max(s["diskBytes"] for s in samples),
    }


def migration_record(store, migrating, options):
    """All figures of one store; ratios are the medians of the ratios within each round."""
    samples = migrating.samples
    unit = samples[("limit", "rewrite")]
    starts = {name: samples[("start", name)] for name in ("modelc", "Python")}
    results = []
    for (task, contender), runs in samples.items():
        if not runs:
            continue
        start = starts["modelc" if contender.startswith("modelc") else "Python"]
        net = [max(run["seconds"] - s["seconds"], 0) for run, s in zip(runs, start)]
        ours = task != "start" and (task == "limit" or contender.startswith("modelc"))
        base = [u["seconds"] - s["seconds"] for u, s in zip(unit, starts["Python"])]
        # A peer's start is part of what it costs; ours is subtracted, as the goals say.
        times = net if ours else [run["seconds"] for run in runs]
        work = [run["processorSeconds"] - (s["processorSeconds"] if ours else 0) for run, s in zip(runs, start)]
        unit_work = [u["processorSeconds"] - s["processorSeconds"] for u, s in zip(unit, starts["Python"])]
        results.append({
            "task": task, "contender": contender, **summary(runs),
            "ratio": statistics.median(t / b for t, b in zip(times, base)),
            "processorRatio": statistics.median(max(t, 0) / b for t, b in zip(work, unit_work)),
            "goal": GOALS.get((task, contender)),
        })
    policy = samples.get(("policy", "modelc"))
    comparison = None
    # The same by modelc's own statement, and by one that a person wrote, which knows of no metadata and checks nothing.
    for name, other in (("statement", samples.get(("statement", "modelc"))), ("SQL", samples.get(("policy", "SQL")))):
        if policy and other:
            comparison = comparison or {
                "goal": 3.0, "peakBytes": max(p["peakBytes"] for p in policy), "goalBytes": 100e6, "against": {}}
            comparison["against"][name] = {
                key: statistics.median(p[key] / s[key] for p, s in zip(policy, other))
                for key in ("seconds", "processorSeconds")}
    refused = [
        {"task": task, "contender": contender, "reason": "\n".join(lines)}
        for (task, contender), lines in migrating.refused.items()]
    return {
        "store": os.path.basename(store), "storeBytes": os.path.getsize(store), "rounds": options.rounds,
        "system": platform.platform(), "cores": os.cpu_count(), "load": os.getloadavg()[1],
        "rewriteSeconds": statistics.median(u["seconds"] for u in unit), "results": results, "refused": refused,
        "policyByStatement": comparison,
    }


def print_migration(record):
    megabytes = record["storeBytes"] / 1e6
    print(f"\n{record['store']}, {megabytes:.0f} MB; {record['rounds']} rounds, medians; the unit (× IS) is a rewrite of "
          f"the whole store by INSERT … SELECT: {record['rewriteSeconds']:.2f} s")
    best = best_peers(record)
    print(
        f"{'':8}{'':20}{'seconds':>9}{'fastest':>9}{'× IS':>8}{'of proc.':>9}{'memory':>9}{'disk':>9}   "
        f"{'best peer':<12}goal")
    task = None
    for r in record["results"]:
        if r["task"] != task:
            task = r["task"]
            print(f"{task}  {TASKS[task][0] if task in TASKS else ''}")
        against = ""
        if task in best and r["contender"].startswith("modelc"):
            against = f"{r['seconds'] / best[task]['seconds']:.2f} ×"
        goal = ""
        if r["goal"]:
            goal = f"{r['goal']:.2f} {'met' if r['ratio'] <= r['goal'] else 'MISSED'}"
        print(
            f"{'':8}{r['contender']:20}{r['seconds']:9.3f}{r['fastest']:9.3f}{r['ratio']:8.2f}{r['processorRatio']:9.2f}"
            f"{r['peakBytes'] / 1e6:6.0f} MB{r['diskBytes'] / 1e6:6.0f} MB   {against:<12}{goal}")
    policy = record["policyByStatement"]
    if policy:
        for name, ratio in policy["against"].items():
            is_met = ratio["seconds"] <= policy["goal"] and policy["peakBytes"] <= policy["goalBytes"]
            print(
                f"a policy on every line item: {ratio['seconds']:.2f} × the same by "
                f"{'an expression' if name == 'statement' else 'plain SQL'} "
                f"({ratio['processorSeconds']:.2f} × its processor time), {policy['peakBytes'] / 1e6:.0f} MB; "
                f"goal {policy['goal']:.1f} and {policy['goalBytes'] / 1e6:.0f} MB {'met' if is_met else 'MISSED'}")
    for r in record["refused"]:
        print(f"{r['task']} {r['contender']}: not done: {r['reason'].splitlines()[-1]}")


def best_peers(record):
    """The fastest other tool at each task."""
    best = {}
    for r in record["results"]:
        if r["task"] in TASKS and not r["contender"].startswith("modelc"):
            if r["task"] not in best or r["seconds"] < best[r["task"]]["seconds"]:
                best[r["task"]] = r
    return best


def print_goals(records):
    """What the design wants, and whether it was met: ratios on the largest store, memory on all, flatness between."""
    largest = max(records, key=lambda record: record["storeBytes"])
    smallest = min(records, key=lambda record: record["storeBytes"])
    found = {(r["task"], r["contender"]): r for r in largest["results"]}
    lines = [
        (f"{task} {contender}", f"{r['ratio']:.2f} IS, {r['processorRatio']:.2f} of the processor", f"{goal:.2f} IS",
         r["ratio"] <= goal)
        for (task, contender), goal in GOALS.items() if (r := found.get((task, contender)))]
    for task, peer in best_peers(largest).items():
        if task not in ("T5", "policy") and (own := found.get((task, "modelc"))):
            lines.append((
                f"{task} modelc, no slower than any peer", f"{own['seconds']:.2f} s",
                f"{peer['contender']}: {peer['seconds']:.2f} s", own["seconds"] <= peer["seconds"]))
    for record in records:
        runs = [r for r in record["results"] if r["task"] in TASKS and r["contender"].startswith("modelc")]
        if runs:
            most = max(runs, key=lambda r: r["peakBytes"])
            lines.append((
                f"memory, {record['store']}", f"{most['peakBytes'] / 1e6:.0f} MB ({most['task']} {most['contender']})",
                "100 MB", most["peakBytes"] <= 100e6))
        if asked := record["migrationRequired"]:
            lines.append((
                f"migrationRequired, {record['store']}", f"{asked['first']:.1f} ms at first, {asked['median']:.1f} ms",
                "15 ms", asked["first"] <= 15))
    if smallest is not largest:
        small = {(r["task"], r["contender"]): r for r in smallest["results"]}
        for task in ("T1", "T2"):
            own, other = found.get((task, "modelc in-place")), small.get((task, "modelc in-place"))
            if own and other:
                lines.append((
                    f"{task} in place, flat", f"{own['processorSeconds']:.3f} s of processor",
                    f"{other['processorSeconds']:.3f} s with {smallest['storeBytes'] / 1e6:.0f} MB",
                    own["processorSeconds"] <= 1.5 * other["processorSeconds"]))
    width = max((len(line[0]) for line in lines), default=0)
    print()
    for name, value, goal, is_met in lines:
        print(f"{name:{width}}  {value:34}  {goal:28}  {'met' if is_met else 'MISSED'}")


def picture(record):
    """Bars of ratios, a group for each task."""
    groups = {}
    for r in record["results"]:
        if r["task"] in TASKS:
            groups.setdefault(r["task"], []).append(r)
    width, left, bar, scale_width = 860, 220, 16, 520
    most = max((r["ratio"] for rows in groups.values() for r in rows), default=1)
    scale = scale_width / max(most, 1)
    lines, y = [], 60
    for task, rows in groups.items():
        lines.append(f'<text x="16" y="{y + 12}" class="task">{task}: {TASKS[task][0]}</text>')
        y += 22
        for r in rows:
            length = max(r["ratio"] * scale, 1)
            kind = "own" if r["contender"].startswith("modelc") else "peer"
            lines.append(f'<text x="{left - 8}" y="{y + 12}" class="name">{r["contender"]}</text>')
            lines.append(f'<rect x="{left}" y="{y}" width="{length:.1f}" height="{bar - 3}" class="{kind}"/>')
            lines.append(f'<text x="{left + length + 6:.1f}" y="{y + 11}" class="figure">{r["ratio"]:.2f}</text>')
            if r["goal"]:
                x = left + r["goal"] * scale
                lines.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y - 1}" y2="{y + bar - 2}" class="goal"/>')
            y += bar
        y += 10
    unit = left + scale
    megabytes = record["storeBytes"] / 1e6
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{y + 10}" viewBox="0 0 {width} {y + 10}">
<style>
text {{ font: 12px system-ui, sans-serif; fill: #333 }}
.title {{ font-size: 15px; font-weight: 600 }} .task {{ font-weight: 600 }} .name {{ text-anchor: end }}
.figure {{ fill: #666 }} .own {{ fill: #2b6cb0 }} .peer {{ fill: #b9c2cc }} .goal {{ stroke: #c53030; stroke-width: 2 }}
.unit {{ stroke: #999; stroke-dasharray: 3 3 }}
</style>
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="24" class="title">Migrating a store of {megabytes:.0f} MB: times the rewrite of the whole store</text>
<text x="16" y="42">The dashed line is that rewrite, {record['rewriteSeconds']:.2f} s; red marks are goals. Less is better.</text>
<line x1="{unit:.1f}" x2="{unit:.1f}" y1="52" y2="{y}" class="unit"/>
{chr(10).join(lines)}
</svg>
"""


def keep(folder, name, content):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        if isinstance(content, str):
            file.write(content)
        else:
            json.dump(content, file, indent=2, ensure_ascii=False)
            file.write("\n")
    print(path)
