"""What others use in their pipelines: the action, the template, the hooks; and the files that only services run."""
import json
import os
import re
import shutil
import subprocess

from checking import TOP, require, run, tool

ACTION = TOP / ".github/actions/modelc"
IDENTITY = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_SYSTEM": "/dev/null"}
MODEL = "entities:\n  Hut:\n    attributes:\n      name: string?\n      beds: integer16 = 0\n"


def clean(folder):
    """A service's surroundings: nothing of this shell's but the system's programs."""
    return {
        "PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8",
        "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""), **IDENTITY}


def project(folder):
    """A repository with a version on `main`, which the branch `edit` edits, in a folder whose name holds a space."""
    folder.mkdir(parents=True)
    git = ["git", "-C", folder]
    run("git", "init", "--quiet", "--initial-branch", "main", folder, env=clean(folder.parent))
    models = folder / "Our App/Models/Huts"
    models.mkdir(parents=True)
    (models / "V1.yaml").write_text(MODEL)
    (models / "versions.yaml").write_text("current: V1\nversions: [V1]\n")
    for command in [["add", "--all"], ["commit", "--quiet", "-m", "a model"], ["checkout", "--quiet", "-b", "edit"]]:
        run(*git, *command, env=clean(folder.parent))
    (models / "V1.yaml").write_text(MODEL.replace("integer16", "integer32"))
    for command in [
        ["commit", "--quiet", "--all", "-m", "an edit"], ["update-ref", "refs/remotes/origin/main", "main"],
        ["checkout", "--quiet", "main"],
    ]:
        run(*git, *command, env=clean(folder.parent))
    return folder


class Runner:
    """Runs the steps of the action as GitHub's runner does: inputs, conditions, outputs, one PATH for all."""

    def __init__(self, dist, folder, clone, **inputs):
        import yaml
        self.action = yaml.safe_load((ACTION / "action.yml").read_text())
        self.folder, self.clone = folder, clone
        self.inputs = {name: str(value.get("default", "")) for name, value in self.action["inputs"].items()}
        self.inputs |= inputs
        self.outputs, self.text, self.used = {}, "", []
        # A runner finds the scripts in its own copy of the action.
        shutil.copytree(ACTION, folder / "action", dirs_exist_ok=True)
        for name in ["temp", "tools"]:
            (folder / name).mkdir(exist_ok=True)
        for name in ["path", "summary"]:
            (folder / name).write_text("")

    def value(self, expression):
        """Of `a || b`, `a && b`, `==`, `!=`, names and literals, as far as the action needs them."""
        expression = expression.strip()
        for operator in ["||", "&&"]:
            if operator in expression:
                values = [self.value(part) for part in expression.split(operator)]
                return next((one for one in values if bool(one) == (operator == "||")), values[-1])
        for operator, wanted in [("==", True), ("!=", False)]:
            if operator in expression:
                one, other = expression.split(operator)
                return (self.value(one) == self.value(other)) == wanted
        if expression.startswith("'"):
            return expression.strip("'")
        if expression == "!cancelled()":
            return True
        kind, _, name = expression.partition(".")
        if kind == "inputs":
            return self.inputs[name]
        if kind == "steps":
            step, _, name = name.partition(".outputs.")
            return self.outputs.get(step, {}).get(name, "")
        if kind == "github":
            return self.github.get(name, "")
        raise KeyError(expression)

    def filled(self, text):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(self.value(match[1])), text)

    def run(self, base="", before=""):
        """The exit code of the first step that fails, else 0."""
        self.github = {"event.before": before, "action_repository": "example/modelc", "repository": "example/app"}
        code = 0
        for step in self.action["runs"]["steps"]:
            condition = str(step.get("if", "true" if code == 0 else "")).removeprefix("${{").removesuffix("}}")
            always = "cancelled()" in condition
            if (code and not always) or not (condition == "true" or self.value(condition)):
                continue
            if "uses" in step:
                self.used.append((step["uses"].split("@")[0], {name: self.filled(str(value)) for name, value in step["with"].items()}))
                continue
            output = self.folder / "output"
            output.write_text("")
            environment = clean(self.folder) | {
                "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(self.folder / "action"), "GITHUB_OUTPUT": str(output),
                "GITHUB_PATH": str(self.folder / "path"), "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
                "RUNNER_TEMP": str(self.folder / "temp"), "RUNNER_TOOL_CACHE": str(self.folder / "tools"),
                "GITHUB_WORKSPACE": str(self.clone), "GITHUB_BASE_REF": base,
                **{name: self.filled(value) for name, value in step.get("env", {}).items()}}
            environment["PATH"] = ":".join((self.folder / "path").read_text().split() + [environment["PATH"]])
            result = subprocess.run(
                [step["shell"], "-e", "-c", step["run"]], cwd=self.clone, env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.text += result.stdout
            code = code or result.returncode
            if "id" in step:
                self.outputs[step["id"]] = dict(line.split("=", 1) for line in output.read_text().splitlines())
        return code


def sum_of(dist):
    return next(line.split()[0] for line in (dist.folder / "SHA256SUMS").read_text().splitlines() if line.endswith(dist.archive.name))


def action(dist):
    """A change is judged, in a clean folder; another archive than the one that is named is not installed."""
    folder = dist.place("action")
    clone = project(folder / "clone")
    inputs = {
        "version": dist.version, "sha256": "0" * 64 + "\n" + sum_of(dist).upper(), "url": dist.folder.as_uri(),
        "working-directory": "Our App", "arguments": "--fail-on 'error'"}
    first = Runner(dist, folder, clone, **inputs)
    require(first.run(base="main") == 0, first.text)
    summary = (folder / "summary").read_text()
    require("### Stores: ready" in summary, f"the summary of the job: {summary}")
    require([name for name, _ in first.used] == ["actions/cache", "github/codeql-action/upload-sarif"], f"{first.used}")
    run("git", "-C", clone, "checkout", "--quiet", "edit")
    # What is kept is enough: nothing is fetched.
    second = Runner(dist, folder, clone, **inputs | {"url": "file:///nowhere"})
    require(second.run(base="main") == 1 and "::error file=Our App/Models/Huts/V1.yaml" in second.text, second.text)
    sarif = json.loads((folder / "temp/modelc.sarif").read_text())
    require(sarif["runs"][0]["results"], "no findings as SARIF")
    require(second.outputs["check"]["exit-code"] == "1" and "MC7026" in (folder / "summary").read_text(), second.text)
    # A push is held against what was before it.
    before = run("git", "-C", clone, "rev-parse", "main").strip()
    pushed = Runner(dist, folder, clone, **inputs | {"working-directory": ".", "models": "Our App/Models"})
    require(pushed.run(before=before) == 1 and "MC7026" in pushed.text, pushed.text)
    unused = Runner(dist, folder, clone, **inputs | {"check": "false"})
    require(unused.run(base="main") == 0 and len(unused.used) == 1, unused.text)
    # An argument that is none, and an archive that is another.
    usage = Runner(dist, folder, clone, **inputs | {"arguments": "--no-such-option; touch here"})
    require(usage.run(base="main") == 2 and not (clone / "here").exists(), usage.text)
    require("exit code 2" in (folder / "summary").read_text() and len(usage.used) == 1, usage.text)
    shutil.rmtree(folder / "tools")
    forged = Runner(dist, folder, clone, **inputs | {"sha256": "0" * 64})
    require(forged.run(base="main") == 1 and sum_of(dist) in forged.text, forged.text)
    require(not list((folder / "tools").rglob("*.tar.gz")) and not (folder / "path").read_text(), "it was kept")
    return "green, red, by the kept archive, after a push, usage, a forged archive"


def template(dist):
    """The job of the GitLab template, with curl and apt-get as they are."""
    import yaml
    folder = dist.place("gitlab")
    clone = project(folder / "clone")
    job = yaml.safe_load((TOP / ".gitlab/modelc.yml").read_text())[".modelc"]
    environment = clean(folder) | job["variables"] | {
        "MODELC_RELEASES": (folder / "releases").as_uri(), "MODELC_VERSION": dist.version, "MODELC_SHA256": sum_of(dist),
        "MODELC_ARGUMENTS": "--models 'Our App/Models' --fail-on error", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_COMMIT_BEFORE_SHA": "0" * 40}
    (folder / "releases").mkdir()
    (folder / f"releases/v{dist.version}").symlink_to(dist.folder)
    programs = folder / "programs"
    programs.mkdir()
    (programs / "apt-get").write_text("#!/bin/sh\necho apt-get\n")
    (programs / "apt-get").chmod(0o755)
    environment["PATH"] = f"{programs}:{environment['PATH']}"
    script = "\n".join(job["script"])
    run("sh", "-e", "-c", script, cwd=clone, env=environment)
    run("git", "-C", clone, "checkout", "--quiet", "edit")
    text = run("sh", "-e", "-c", script, code=1, cwd=clone, env=environment)
    found = json.loads((clone / "modelc.json").read_text())
    require("MC7026" in text and found[0]["location"]["path"] == "Our App/Models/Huts/V1.yaml", text)
    text = run("sh", "-e", "-c", script, code=1, cwd=clone, env=environment | {"MODELC_SHA256": "0" * 64})
    require("names another archive" in text, text)
    return "green, red, a forged archive"


def hooks(dist):
    """`pre-commit run` in a repository that takes the hooks from this one."""
    folder = dist.place("hooks")
    run(tool("pre-commit"), "validate-manifest", TOP / ".pre-commit-hooks.yaml")
    # The hooks alone: pre-commit clones the whole repository, and takes no change that is not committed.
    source = folder / "modelc"
    (source / ".ci").mkdir(parents=True)
    shutil.copy(TOP / ".pre-commit-hooks.yaml", source)
    shutil.copytree(TOP / ".ci/hooks", source / ".ci/hooks")
    environment = clean(folder) | {"PRE_COMMIT_HOME": str(folder / "kept"), "PATH": f"{dist.program.parent}:{tool('')}:/usr/bin:/bin"}
    git = lambda place, *words: run("git", "-C", place, *words, env=environment)
    run("git", "init", "--quiet", source, env=environment)
    git(source, "add", "--all")
    git(source, "commit", "--quiet", "-m", "hooks")
    app = folder / "app"
    run(dist.program, "init", app, "--model", "Huts", "--quiet")
    run("git", "init", "--quiet", "--initial-branch", "main", app, env=environment)
    names = [name for name in ["check", "compile", "format"] if has(dist, name)]
    config = f"repos:\n  - repo: {source}\n    rev: {git(source, 'rev-parse', 'HEAD').strip()}\n    hooks:\n"
    (app / ".pre-commit-config.yaml").write_text(config + "".join(f"      - id: modelc-{name}\n" for name in names))
    git(app, "add", "--all")
    first = run("pre-commit", "run", cwd=app, env=environment)
    require(first.count("Passed") == len(names), first)
    git(app, "commit", "--quiet", "-m", "a model")
    (app / "README").write_text("of no model\n")
    git(app, "add", "--all")
    other = run("pre-commit", "run", cwd=app, env=environment)
    require(other.count("Skipped") == len(names), other)
    for name in ["Models/Huts/Released", "Tests/Migrations/Huts"]:
        (app / name).mkdir(parents=True)
        (app / name / "V1.yaml").write_text("Note: {}\n")
    git(app, "add", "--all")
    kept = run("pre-commit", "run", "modelc-format", cwd=app, env=environment)
    require("Skipped" in kept, kept)
    git(app, "reset", "--quiet", "--hard")
    version = next((app / "Models/Huts").glob("V1.yaml"))
    version.write_text(re.sub(r": string\b\??", ": date?", version.read_text(), count=1))
    git(app, "add", "--all")
    edited = run("pre-commit", "run", "modelc-check", code=1, cwd=app, env=environment)
    require("MC7026" in edited, edited)
    version.write_text("entities: [\n")
    git(app, "add", "--all")
    broken = run("pre-commit", "run", "modelc-compile", code=1, cwd=app, env=environment)
    require("MC" in broken, broken)
    return ", ".join(names)


def has(dist, command):
    return f"modelc-{command}.1" in {path.name for path in (dist.tree / "share/man/man1").iterdir()}


def files(dist):
    """Workflows, action, template, image and scripts, by their linters; what is not installed is named."""
    check = tool("check-jsonschema")
    run(check, "--builtin-schema", "vendor.github-workflows", *sorted((TOP / ".github/workflows").glob("*.yml")))
    run(check, "--builtin-schema", "vendor.github-actions", ACTION / "action.yml")
    run(check, "--builtin-schema", "vendor.gitlab-ci", TOP / ".gitlab/modelc.yml")
    run(tool("hadolint"), TOP / ".ci/Dockerfile")
    scripts = [ACTION / name for name in ["place", "install", "check"]] + [TOP / ".ci/hooks/modelc", TOP / ".ci/run"]
    absent = []
    if shutil.which("shellcheck"):
        run("shellcheck", *scripts)
    else:
        absent.append("shellcheck")
    if shutil.which("actionlint"):
        run("actionlint", cwd=TOP)
    else:
        absent.append("actionlint")
    for place in [*(TOP / ".github/workflows").glob("*.yml"), ACTION / "action.yml"]:
        for used in re.findall(r"uses: (\S+)", place.read_text()):
            require(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), f"{place.name}: {used} is not pinned by commit")
    used = ["schemas", "pins", "hadolint"] + [name for name in ["shellcheck", "actionlint"] if name not in absent]
    return ", ".join(used) + (f"; not installed: {', '.join(absent)}" if absent else "")
