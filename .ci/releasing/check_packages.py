"""What is installed: sums, Debian package, bill of materials, formula, plugins, a bare system."""
import json
import os
import pathlib
import re
import shutil
import sys
import tarfile

import archives
import parts
from checking import TOP, require, run, tool


def sums(dist):
    """SHA256SUMS names every file, and holds."""
    listed = {line.split("  ")[1] for line in (dist.folder / "SHA256SUMS").read_text().splitlines()}
    there = {path.name for path in dist.folder.iterdir()} - {"SHA256SUMS"}
    require(listed == there, f"SHA256SUMS: {listed ^ there}")
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=dist.folder)
    return f"{len(listed)} files"


def program(dist):
    """Which libraries it asks for, how large it is, how long it takes to start."""
    needed = parts.needed_libraries(dist.program)
    strange = [name for name in needed if not re.match(r"lib(sqlite3|yaml-0|z|c|m|stdc\+\+|gcc_s)\.so|ld-linux", name)]
    require(not strange, f"needs {', '.join(strange)}")
    report = dist.work / "start.json"
    commands = [f"{dist.program} {words}" for words in ["--version", "help", "check --help"]]
    run("hyperfine", "--shell=none", "--warmup", "10", "--runs", "200", "--export-json", report, *commands)
    times = [
        f"{result['median'] * 1e3:.1f} ms ({result['min'] * 1e3:.1f} to {result['max'] * 1e3:.1f}, "
        f"{(result['user'] + result['system']) * 1e3:.1f} of processor)"
        for result in json.loads(report.read_text())["results"]]
    return (
        f"{dist.program.stat().st_size / 1e6:.1f} MB; --version {times[0]}, help {times[1]}, check --help {times[2]}; "
        f"{', '.join(needed)}")


def debian_package(dist):
    found = list(dist.folder.glob("modelc_*.deb"))
    require(len(found) == 1, f"{len(found)} Debian packages")
    return found[0]


def again(dist):
    """The same program makes the same bytes once more."""
    place = dist.place("again")
    origin = json.loads((dist.tree / "share/modelc/release.json").read_text())
    head = run("git", "-C", TOP, "rev-parse", "HEAD").strip()
    require(origin.get("revision") == head, f"the release is of {origin.get('revision')}, not of {head}")
    repository = ["--repository", origin["repository"]] if "repository" in origin else []
    run(TOP / ".ci/release", "--binary", dist.program, "--version", dist.version, "--output", place, *repository)
    kinds = [f"{dist.name}.*", "modelc_*.deb"]
    first, second = (
        {path.name: archives.digest(path) for kind in kinds for path in folder.glob(kind)}
        for folder in [dist.folder, place])
    require(first == second, f"other bytes: {sorted(name for name in first if first[name] != second.get(name))}")
    return ", ".join(sorted(first))


# No bug of Debian's asks for the package.
ACCEPTED = "initial-upload-closes-no-bugs"


def package(dist):
    """lintian finds no error and no warning; the files are where Debian looks for them."""
    file = debian_package(dist)
    run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags", ACCEPTED, file)
    names = {line.split()[-1] for line in run("dpkg-deb", "--contents", file).splitlines()}
    for name in [
        "./usr/bin/modelc", "./usr/share/man/man1/modelc-migrate.1.gz", "./usr/share/fish/vendor_completions.d/modelc.fish",
        "./usr/share/bash-completion/completions/modelc", "./usr/share/zsh/vendor-completions/_modelc",
        "./usr/share/doc/modelc/copyright", "./usr/share/doc/modelc/changelog.gz",
    ]:
        require(name in names, f"no {name}")
    depends = run("dpkg-deb", "--field", file, "Depends").strip()
    for name in ["libsqlite3-0", "libyaml-0-2", "zlib1g", "libc6"]:
        require(name in depends, f"depends on {depends}")
    return f"{file.stat().st_size / 1e6:.1f} MB; {depends}"


def bill(dist):
    """The bill of materials is valid SPDX, and names what the manifest names."""
    file = dist.folder / f"{dist.name}.spdx.json"
    run(tool("pyspdxtools"), "--infile", file)
    document = json.loads(file.read_text())
    names = {package["name"] for package in document["packages"]}
    manifest = set(re.findall(r'\.package\(url: "[^"]*/([^"/]+)"', (TOP / "Package.swift").read_text()))
    require({name.lower() for name in manifest} <= names, f"without {manifest - names}")
    require(not [one for one in document["packages"] if one["licenseDeclared"] == "NOASSERTION"], "a licence is not known")
    return f"{len(names)} packages"


STUB = r"""
class Formula
  class << self
    attr_reader :urls
    %i[desc homepage version license uses_from_macos depends_on].each { |name| define_method(name) { |*| nil } }
    %i[macos linux].each { |name| define_method("on_#{name}") { |&block| block.call if $system == name } }
    %i[arm intel].each { |name| define_method("on_#{name}") { |&block| block.call if $processor == name } }
    def url(text) = @url = text
    def sha256(text) = @urls = (@urls || []) << [@url, text]
    def test = nil
  end
end
$system, $processor = ARGV[1].to_sym, ARGV[2].to_sym
load ARGV[0]
Modelc.urls.each { |url, sum| puts "#{url} #{sum}" }
"""


def formula(dist):
    """Ruby reads the formula, and it names this platform's archive by its checksum."""
    file = dist.folder / "modelc.rb"
    run("ruby", "-wc", file)
    system, processor = dist.platform.split("-")
    system, processor = {"linux": "linux", "darwin": "macos"}[system], "intel" if processor == "x86_64" else "arm"
    text = run("ruby", "-e", STUB, file, system, processor).split()
    sums = (dist.folder / "SHA256SUMS").read_text()
    require(text[0].endswith("/" + dist.archive.name) and f"{text[1]}  {dist.archive.name}" in sums, f"{text}")
    if shutil.which("rubocop"):
        run("rubocop", "--only", "Lint,Security", "--cache", "false", "--format", "simple", file, cwd=dist.work)
    return "ruby -wc, this platform's archive" + (", rubocop" if shutil.which("rubocop") else "")


MODEL = "entities:\n  Hut:\n    attributes:\n      name: string?\n"
MANIFEST = """// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [.package(path: "../modelc-plugins")],
  targets: [.executableTarget(name: "App", plugins: [.plugin(name: "CompileModels", package: "modelc-plugins")])])
"""
PROGRAM = """import Foundation

let bundle = Bundle.module.url(forResource: "Huts", withExtension: "momd")
print(try FileManager.default.contentsOfDirectory(atPath: bundle?.path ?? "").sorted().joined(separator: " "))
"""


def plugins(dist):
    """A package builds its models by the plugins, and nothing of modelc."""
    place = dist.place("plugins")
    with tarfile.open(dist.folder / f"modelc-plugins-{dist.version}.tar.gz") as tar:
        tar.extractall(place)
    manifest = place / "modelc-plugins/Package.swift"
    if "url:" in manifest.read_text():
        # What a release names by its address is taken from here: the same bytes, whose checksum the manifest names.
        sum = run("swift", "package", "compute-checksum", dist.folder / "modelc.artifactbundle.zip", cwd=place / "modelc-plugins").split()[-1]
        require(sum in manifest.read_text(), "the manifest names another checksum")
        shutil.unpack_archive(dist.folder / "modelc.artifactbundle.zip", place / "modelc-plugins")
        (place / "modelc-plugins/modelc.artifactbundle").chmod(0o755)
        for file in (place / "modelc-plugins/modelc.artifactbundle").glob("*/bin/modelc"):
            file.chmod(0o755)
        text = re.sub(r"\.binaryTarget\(.*?\)", '.binaryTarget(name: "modelc", path: "modelc.artifactbundle")', manifest.read_text(), flags=re.S)
        manifest.write_text(text)
    app = place / "App"
    for name, text in {
        "Package.swift": MANIFEST, "Sources/App/main.swift": PROGRAM, "Models/Huts/V1.yaml": MODEL,
        "Models/Huts/versions.yaml": "current: V1\nversions: [V1]\n",
    }.items():
        (app / name).parent.mkdir(parents=True, exist_ok=True)
        (app / name).write_text(text)
    built = run("swift", "build", cwd=app)
    for name in ["ArgumentParser", "GRDB", "ManagedModel"]:
        require(name not in built and not list((app / ".build").rglob(f"{name}.build")), f"{name} was built")
    shown = run("swift", "run", "-q", "--skip-build", "App", cwd=app)
    require(shown.endswith("V1.mom VersionInfo.plist\n"), shown)
    checked = run("swift", "package", "modelc-check", "--format", "github", cwd=app)
    require("MC7011" in checked, checked)
    seconds = re.search(r"Build complete! \(([\d.]+)s\)", built)
    return f"built in {seconds[1]} s" if seconds else "built"


def root(dist):
    """The package installs on a bare Debian with what it depends on, and the demo runs there."""
    place = dist.work / "root"
    cache = TOP / ".build-tools/debootstrap"
    cache.mkdir(parents=True, exist_ok=True)
    release = re.search(r"VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text())[1]
    sources = "".join(path.read_text() for path in pathlib.Path("/etc/apt").glob("sources.list*") if path.is_file())
    sources += "".join(path.read_text() for path in pathlib.Path("/etc/apt/sources.list.d").glob("debian*"))
    mirror = re.search(r"https?://\S*/debian(?=/?\s)", sources)[0]
    run("debootstrap", "--variant=minbase", f"--cache-dir={cache}", release, place, mirror)
    before = installed(place)
    file = debian_package(dist)
    shutil.copy(file, place / "modelc.deb")
    run(
        "/usr/sbin/chroot", place, "apt-get", "install", "--yes", "--no-install-recommends", "./modelc.deb",
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}, cwd="/")
    added = installed(place) - before
    depends = set(re.findall(r"(?:^|, )([\w.+-]+)", run("dpkg-deb", "--field", file, "Depends").strip()))
    require(added - {"modelc"} <= depends, f"{added - depends} came too")
    # Swift's runtime reads its arguments from /proc, as every system has it.
    chroot = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={place}/proc", "/usr/sbin/chroot", place]
    for command in [["modelc", "--version"], ["modelc", "demo", "/tmp/demo"], ["modelc", "check", "-C", "/tmp/demo"]]:
        shown = run(*chroot, *command, env={"PATH": "/usr/bin:/bin", "HOME": "/tmp"}, cwd="/")
    require((place / "tmp/demo").is_dir(), shown)
    run("/usr/sbin/chroot", place, "apt-get", "purge", "--yes", "modelc", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}, cwd="/")
    require(not (place / "usr/bin/modelc").exists() and not (place / "usr/share/modelc").exists(), "something stayed")
    return f"{release}: with {', '.join(sorted(added - {'modelc'}))}; the demo runs; purged"


def installed(place):
    return set(run("dpkg-query", f"--admindir={place}/var/lib/dpkg", "-W", "-f", "${Package}\n").split())
