#!/usr/bin/env python3
"""Pull requests that try to leave the checkout, against a built modelc.

    hostile-pulls.py MODELC

Each is a repository of its own between two canaries (folders with a database and a text file), with a temporary folder
of its own. Whatever modelc says of it, nothing beside the project may change, nothing may be left in the temporary
folder, no program may run, and it must end. One line for each; exit 1 where one got out.
"""
import concurrent.futures
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

MODELC = str(pathlib.Path(sys.argv[1]).resolve())
LIST = "current: V1\nversions: [V1]\n"
HUT = "entities: {Hut: {attributes: {name: string?}}}\n"
TOUR = "entities: {Tour: {attributes: {days: integer16 = 0}}}\n"
XML = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
    <entity name="Hut" syncable="YES"><attribute name="name" optional="YES" attributeType="String"/></entity>
</model>
"""
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
}


class Pull:
    """A repository whose project lies three folders deep, so that `..` has room within it."""

    def __init__(self, work):
        self.work = work
        self.repository = work / "repository"
        self.project = self.repository / "a/b/c"
        self.temporary = work / "tmp"
        for folder in [self.project / "Models/App", self.temporary]:
            folder.mkdir(parents=True)
        for name in ["canary", "z-canary"]:
            (work / name).mkdir()
            (work / name / "note.txt").write_text("mine\n")
            (work / name / "versions.yaml").write_text(LIST)
            (work / name / "V1.yaml").write_text("entities: {Secret: {attributes: {word: string?}}}\n")
            with sqlite3.connect(work / name / "victim.sqlite") as database:
                database.execute("CREATE TABLE diary (text)")
                database.execute("INSERT INTO diary VALUES ('dear')")
            database.close()
        self.program = self.write("a/evil.sh", "#!/bin/sh\necho ran >> %s/canary/note.txt\n" % work)
        self.program.chmod(0o755)
        self.write("a/b/c/Models/App/versions.yaml", LIST)
        self.write("a/b/c/Models/App/V1.yaml", HUT)
        self.git("init", "--quiet", "--initial-branch", "main")
        self.commit("first")
        self.arguments = []
        self.is_committed = False

    def write(self, path, text):
        file = self.repository / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def link(self, path, target):
        file = self.repository / path
        if file.is_dir() and not file.is_symlink():
            shutil.rmtree(file)
        file.unlink(missing_ok=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(target, file)

    def git(self, *arguments, data=None):
        run = subprocess.run(
            ["git", *arguments], cwd=self.repository, env=ENVIRONMENT, input=data, check=True, capture_output=True)
        return run.stdout.decode(errors="replace").strip()

    def commit(self, subject="second"):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", subject)

    def include(self, path):
        self.write("a/b/c/Models/App/versions.yaml", LIST + "include: [%s]\n" % path)

    def loot(self, path):
        """What would overwrite a canary."""
        self.write(path + "/note.txt", "stolen\n")
        self.write(path + "/victim.sqlite", "stolen\n")
        self.write(path + "/versions.yaml", LIST)
        self.write(path + "/V1.yaml", TOUR)

    def tree(self, entries):
        """A tree with names that git itself would not write."""
        data = b"".join(
            mode.encode() + b" " + name.encode() + b"\0" + bytes.fromhex(number) for mode, name, number in entries)
        return self.git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", data=data)

    def commit_tree(self, tree):
        self.git("update-ref", "HEAD", self.git("commit-tree", tree, "-p", "HEAD", data=b"second"))
        self.is_committed = True

    def replaced(self, path, mode, number):
        """HEAD's tree with one entry in the place of another."""
        folder, name = path.rsplit("/", 1) if "/" in path else ("", path)
        entries = [
            entry for entry in self.git("ls-tree", "HEAD:" + folder).splitlines() if entry.split("\t")[1] != name]
        parts = [(entry.split()[0].lstrip("0"), entry.split("\t")[1], entry.split()[2]) for entry in entries]
        tree = self.tree(sorted(parts + [(mode, name, number)], key=lambda part: part[1]))
        return self.replaced(folder, "40000", tree) if folder else tree

    def blob(self, text):
        return self.git("hash-object", "-w", "--stdin", data=text.encode())


def dots(pull):
    pull.loot("a/z-canary")
    pull.include("../../../../z-canary")


def many_dots(pull):
    pull.loot("z-canary")
    pull.include("../" * 5 + "z-canary")
    pull.commit("hidden")
    pull.include("../" * 12 + str(pull.work)[1:] + "/z-canary")


def beyond(pull):
    pull.include("../../../../../../z-canary")


def absolute(pull):
    pull.include(str(pull.work / "z-canary"))


def accents(pull):
    # To a comparison of characters, a slash with an accent is no slash.
    pull.loot("a/b/c/Models/App/..\u0338")
    pull.include('"..\u0338/../../../\u0301../../../z-canary"')


def linked_include(pull):
    pull.link("a/b/c/Models/Shared", str(pull.work / "z-canary"))
    pull.include("../Shared")


def linked_model(pull):
    pull.link("a/b/c/Models/App", str(pull.work / "z-canary"))


def linked_version(pull):
    pull.link("a/b/c/Models/App/V1.yaml", str(pull.work / "z-canary/V1.yaml"))


def linked_parent(pull):
    shutil.copytree(pull.project / "Models", pull.repository / "elsewhere")
    pull.link("a/b/c/Models", "../../../elsewhere")


def link_and_file(pull):
    # A link, and below its name a file, in one tree.
    link = pull.blob(str(pull.work / "z-canary"))
    folder = pull.tree([("100644", "note.txt", pull.blob("stolen\n"))])
    blobs = [(name, pull.blob(text)) for name, text in [("V1.yaml", HUT), ("versions.yaml", LIST)]]
    tree = pull.tree(
        [("100644", name, number) for name, number in blobs] + [("120000", "x", link), ("40000", "x", folder)])
    pull.commit_tree(pull.replaced("a/b/c/Models/App", "40000", tree))


def submodule(pull):
    commit = pull.git("rev-parse", "HEAD")
    pull.commit_tree(pull.replaced("a/b/c/Models/Shared", "160000", commit))
    pull.git("read-tree", "HEAD")
    (pull.project / "Models/Shared").mkdir()
    pull.include("../Shared")
    pull.git("commit", "--quiet", "--all", "--message", "third")


def line_ends(pull):
    pull.loot("a/b/c/Models/x\n..")
    pull.include('"../x\\n../../../../../z-canary\\n::error::x"')


def nul(pull):
    pull.include('"../../../../../../z-canary\\0/../../../App"')


def version_names(pull):
    pull.loot("a/z-canary")
    pull.write(
        "a/b/c/Models/App/versions.yaml",
        "current: V1\nversions: [V1, ../../../../../z-canary/note, {name: ../z, from: V1}]\n")


def package(pull):
    pull.write("a/b/c/App.xcdatamodeld/App.xcdatamodel/contents", XML)
    pull.write(
        "a/b/c/App.xcdatamodeld/.xccurrentversion",
        '<?xml version="1.0"?><plist version="1.0"><dict><key>_XCCurrentVersionName</key>'
        "<string>../../../../../z-canary/note.xcdatamodel</string></dict></plist>\n")
    pull.link("a/b/c/App.xcdatamodeld/B.xcdatamodel/contents", str(pull.work / "z-canary/note.txt"))
    pull.link("a/b/c/App.xcdatamodeld/C.xcdatamodel", str(pull.work / "z-canary"))
    pull.arguments = [
        ["version", "list", "HEAD:./App.xcdatamodeld"], ["adopt", "HEAD:./App.xcdatamodeld"],
        ["diff", "HEAD:./App.xcdatamodeld", "Models/App"]]


def bare_repository(pull):
    # Looks like a repository to a git that runs in it, with settings that name programs.
    models = "a/b/c/Models/"
    pull.write(models + "HEAD", "ref: refs/heads/main\n")
    pull.write(models + "refs/heads/none", "")
    pull.write(models + "objects/none", "")
    pull.write(
        models + "config",
        "[core]\nrepositoryformatversion = 1\nbare = true\nfsmonitor = {0}\npager = {0}\nsshCommand = {0}\n"
        "[extensions]\npartialClone = evil\n[remote \"evil\"]\npromisor = true\nurl = ext::{0}\n"
        "[protocol \"ext\"]\nallow = always\n[diff]\nexternal = {0}\n".format(pull.program))


def programs(pull):
    pull.write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
    for key in ["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "diff.evil.textconv",
                "filter.evil.smudge", "filter.evil.process"]:
        pull.git("config", key, str(pull.program))
    hooks = pull.repository / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ["post-checkout", "post-index-change", "reference-transaction"]:
        shutil.copy(pull.program, hooks / name)
    pull.git("config", "core.hooksPath", "/dev/null")
    pull.git("config", "filter.evil.smudge", "cat")
    pull.git("config", "--unset", "filter.evil.process")
    pull.git("config", "--unset", "core.fsmonitor")
    pull.commit("attributes")
    for key in ["core.hooksPath"]:
        pull.git("config", "--unset", key)
    pull.git("config", "core.fsmonitor", str(pull.program))
    pull.git("config", "filter.evil.smudge", str(pull.program))
    pull.is_committed = True


def lock(pull):
    line = "%s %s 2026-01-01 --output=../../../../z-canary/note.txt ../../../../../z-canary/victim"
    pull.write("a/b/c/Models/App/released.lock", line % ("A" * 43 + "=", "0" * 64) + "\ntotal x\n")


def damaged_tree(pull):
    note = ("100644", "note.txt", pull.blob("stolen\n"))
    canary = pull.tree([("40000", "z-canary", pull.tree([note]))])
    for _ in range(6):
        canary = pull.tree([("40000", "..", canary)])
    names = [("100644", "../../../z-canary/note.txt", note[2]), ("100644", "V1.yaml", pull.blob(HUT))]
    names += [("40000", "dots", canary), ("100644", "versions.yaml", pull.blob(LIST))]
    pull.commit_tree(pull.replaced("a/b/c/Models/App", "40000", pull.tree(names)))


def bomb(pull):
    tree = pull.tree([("100644", "V%d.yaml" % number, pull.blob(HUT)) for number in range(10)])
    for _ in range(9):
        tree = pull.tree([("40000", "d%d" % number, tree) for number in range(10)])
    pull.commit_tree(pull.replaced("a/b/c/Models/App", "40000", tree))


def many_files(pull):
    for number in range(12_000):
        (pull.project / ("Models/App/f%d" % number)).write_text("")


def large_file(pull):
    with open(pull.project / "Models/App/large", "wb") as file:
        file.truncate(300 << 20)


def options(pull):
    pull.git("config", "receive.denyCurrentBranch", "ignore")
    pull.loot("z-canary")
    pull.commit("../../../../z-canary")
    output = "--output=" + str(pull.work / "z-canary/note.txt")
    pull.arguments = [
        ["check", "--against", output], ["check", "--against=-h"], ["diff", "--", output + ":App", "Models/App"],
        ["diff", "HEAD^{/../../../../z-canary}:a/b/c/Models/App", "Models/App"],
        ["diff", ":/../../../../z-canary:z-canary", "Models/App"],
        ["diff", "HEAD:../../../../z-canary", "Models/App"], ["diff", "HEAD:./../../../../../z-canary", "Models/App"],
        ["check", "--against", "HEAD^{/../../../../z-canary}"], ["check", "--against", "HEAD\n../../../z-canary"]]


def circle(pull):
    pull.include("../Shared")
    pull.write("a/b/c/Models/Shared/versions.yaml", LIST + "include: [../App, ../../../../a/b/c/Models/App]\n")
    pull.write("a/b/c/Models/Shared/V1.yaml", TOUR)


PULLS = [
    dots, many_dots, beyond, absolute, accents, linked_include, linked_model, linked_version, linked_parent,
    link_and_file, submodule, line_ends, nul, version_names, package, bare_repository, programs, lock, damaged_tree,
    bomb, many_files, large_file, options, circle,
]


def listing(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else None
    return found


def beside(work):
    """All but the repository, which modelc may write to."""
    found = {}
    for entry in sorted(work.iterdir()):
        found[entry.name] = None if entry.name == "repository" else listing(entry)
    return found


def run(pull, arguments):
    environment = {**ENVIRONMENT, "TMPDIR": str(pull.temporary), "XDG_CACHE_HOME": str(pull.project / "cache")}
    return subprocess.run(
        [MODELC, *arguments], cwd=pull.project, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
        timeout=300)


def troubles(pull):
    commands = pull.arguments or [
        ["check"], ["check", "--against", "HEAD"],
        ["check", "--against", "HEAD~1", "--format", "github", "--report", "junit=junit.xml"],
        ["diff", "HEAD:./Models/App", "HEAD~1:./Models/App"], ["compile", "HEAD:./Models/App", "-o", "Out"]]
    before = beside(pull.work)
    leads_out = b"Secret" in run(pull, ["diff", "HEAD~1:./Models/App", "Models/App"]).stdout
    for arguments in commands:
        shown = " ".join(arguments).encode("unicode_escape").decode()
        start = time.monotonic()
        try:
            result = run(pull, arguments)
        except subprocess.TimeoutExpired:
            yield shown + " does not end"
            continue
        # On a busy machine nothing here takes a minute that does not take it for ever.
        if time.monotonic() - start > 60:
            yield "%s took %.0f s" % (shown, time.monotonic() - start)
        if result.returncode not in (0, 1, 2, 3):
            yield "%s ended with %d: %s" % (shown, result.returncode, result.stderr.decode(errors="replace")[:300])
        lines = (result.stdout + result.stderr).decode(errors="replace").split("\n")
        if "github" not in arguments and any(line.lstrip().startswith("::") for line in lines):
            yield shown + " writes a workflow command"
        # A working tree may lead anywhere, as that of a monorepo does, and its differences from what was are told.
        if b"Secret" in result.stdout and not ("HEAD~1" in arguments and leads_out):
            yield shown + " reads a canary"
        after = beside(pull.work)
        if after != before:
            changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
            yield "%s changed %s" % (shown, ", ".join(changed))
            before = after
    report = pull.project / "junit.xml"
    if report.exists():
        try:
            xml.etree.ElementTree.parse(report)
        except xml.etree.ElementTree.ParseError as error:
            yield "junit.xml: %s" % error


def neighbours(pull):
    """What is legitimate goes on working: `../Shared`, and a shared model of the whole repository."""
    pull.write("a/b/c/Models/App/versions.yaml", LIST + "include: [../Shared, ../../../../Common]\n")
    for folder, entity in [("a/b/c/Models/Shared", "Tour"), ("a/Common", "Guide")]:
        pull.write(folder + "/versions.yaml", LIST)
        pull.write(folder + "/V1.yaml", "entities: {%s: {attributes: {before: string?}}}\n" % entity)
    pull.commit()
    for folder, entity in [("a/b/c/Models/Shared", "Tour"), ("a/Common", "Guide")]:
        pull.write(folder + "/V1.yaml", "entities: {%s: {attributes: {after: string?}}}\n" % entity)
    for arguments in [["diff", "HEAD:./Models/App", "Models/App"], ["diff", "HEAD:a/b/c/Models/App", "Models/App"]]:
        result = run(pull, arguments)
        shown = result.stdout.decode()
        for change in ["Tour.before removed", "Tour.after added", "Guide.before removed", "Guide.after added"]:
            if change not in shown:
                yield "%s misses '%s': %s" % (" ".join(arguments), change, shown + result.stderr.decode())
    pull.git("stash", "--quiet")
    result = run(pull, ["check", "--against", "HEAD"])
    if result.returncode != 0:
        yield "check ended with %d: %s" % (result.returncode, result.stderr.decode())


def trouble(make):
    work = pathlib.Path(tempfile.mkdtemp(prefix="pull-"))
    try:
        pull = Pull(work)
        if make is neighbours:
            return list(neighbours(pull))
        make(pull)
        # Some make their commit themselves, of what git would not take from a folder.
        if not pull.is_committed:
            pull.commit()
        return list(troubles(pull))
    finally:
        shutil.rmtree(work)


def main():
    makers = PULLS + [neighbours]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(trouble, makers))
    for make, complaints in zip(makers, found):
        print("%-16s %s" % (make.__name__, "; ".join(complaints) or "ok"))
    count = sum(map(bool, found))
    print("%d of %d got out" % (count, len(PULLS)))
    return 1 if count else 0


sys.exit(main())
