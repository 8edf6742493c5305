"""What a release is made of: packages of Swift, Swift's own libraries, libraries of the system."""
import dataclasses
import json
import pathlib
import re
import subprocess


@dataclasses.dataclass
class Part:
    name: str
    version: str
    # An SPDX expression, or NOASSERTION.
    license: str
    location: str
    purl: str = ""
    supplier: str = "NOASSERTION"
    copyright: str = "NOASSERTION"
    is_static: bool = True
    license_file: pathlib.Path = None


SWIFT = "Apache-2.0 WITH Swift-exception"

# What `--static-swift-stdlib` puts into a program that uses Foundation.
RUNTIME = [
    ("swift", SWIFT), ("swift-corelibs-foundation", SWIFT), ("swift-foundation", SWIFT),
    ("swift-foundation-icu", "Unicode-3.0"), ("swift-corelibs-libdispatch", SWIFT)]


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def license_of(folder):
    """The licence that a package's file states, and that file."""
    for file in sorted(pathlib.Path(folder).glob("LICENSE*")):
        text = file.read_text()
        if "Apache License" in text and "Version 2.0" in text:
            return SWIFT if "Runtime Library Exception" in text else "Apache-2.0", file
        if "Permission is hereby granted, free of charge" in text and "THE SOFTWARE IS PROVIDED" in text:
            return "MIT", file
    return "NOASSERTION", None


def copyright_of(folder, file):
    """The line of the licence, or what the package's sources say at their top."""
    line = r"Copyright (?:\([cC]\) )?(?:\d{4}[^\n]*)"
    sources = sorted((pathlib.Path(folder) / "Sources").rglob("*.swift"))[:20]
    for path in ([file] if file else []) + sources:
        found = re.search(line, path.read_text())
        if found:
            return found[0].strip()
    return "NOASSERTION"


def swift_packages(top, scratch):
    """The packages that the program is built from, by `swift package show-dependencies`."""
    tree = json.loads(output(
        "swift", "package", "--scratch-path", str(scratch), "show-dependencies", "--traits", "SwiftData",
        "--format", "json", cwd=top, stderr=subprocess.DEVNULL))
    found = {}

    def visit(node):
        for package in node["dependencies"]:
            if package["identity"] not in found:
                found[package["identity"]] = part(package)
                visit(package)

    def part(package):
        path = pathlib.Path(package["path"])
        revision = output("git", "-C", str(path), "rev-parse", "HEAD").strip()
        license, file = license_of(path)
        host = re.match(r"https://([^/]+)/(.+?)(?:\.git)?$", package["url"])
        purl = f"pkg:swift/{host[1]}/{host[2]}@{package['version']}" if host else ""
        return Part(
            package["identity"], package["version"], license, f"git+{package['url']}@{revision}", purl,
            copyright=copyright_of(path, file), license_file=file)

    visit(tree)
    return [found[name] for name in sorted(found)]


def runtime_parts(is_static):
    """Swift's own libraries, where they are in the program."""
    if not is_static:
        return []
    version = re.search(r"Swift version (\S+)", output("swift", "--version", stderr=subprocess.DEVNULL))[1]
    text = next(pathlib.Path(output("bash", "-c", "command -v swift").strip()).resolve().parents[1].glob("share/swift/LICENSE.txt"), None)
    return [
        Part(
            name, version, license, f"git+https://github.com/swiftlang/{name}@swift-{version}-RELEASE",
            f"pkg:swift/github.com/swiftlang/{name}@{version}", "Organization: Swift project",
            "Copyright Unicode, Inc." if license == "Unicode-3.0"
            else "Copyright (c) Apple Inc. and the Swift project authors",
            license_file=text if license == SWIFT else None)
        for name, license in RUNTIME]


# Licences of the system's libraries that modelc asks for by name, and of those that any C++ program needs.
SYSTEM_LICENSES = {
    "libsqlite3": "blessing", "libyaml": "MIT", "libz": "Zlib", "libc": "LGPL-2.1-or-later",
    "libm": "LGPL-2.1-or-later", "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc_s": "GPL-3.0-or-later WITH GCC-exception-3.1"}


def needed_libraries(binary):
    """The names of the shared libraries that the program itself asks for."""
    text = output("readelf", "-d", str(binary))
    return re.findall(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]", text)


def system_parts(binary):
    """The system's libraries; with their packages, where dpkg knows them."""
    paths = dict(re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", str(binary)), re.M))
    found = {}
    for name in needed_libraries(binary):
        if name.startswith("ld-linux"):
            continue
        license = SYSTEM_LICENSES.get(re.split(r"[-.]", name)[0], "NOASSERTION")
        owner = debian_package(paths.get(name))
        if owner:
            package, version, architecture = owner
            found[package] = Part(
                package, version, license, "NOASSERTION",
                f"pkg:deb/debian/{package}@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}",
                "Organization: Debian", is_static=False)
        else:
            found[name] = Part(name, "", license, "NOASSERTION", is_static=False)
    return [found[name] for name in sorted(found)]


def debian_package(path):
    """The installed package that a library's file belongs to: its name, version and architecture."""
    if path is None:
        return None
    for form in dict.fromkeys([path, str(pathlib.Path(path).resolve()), "/usr" + path]):
        try:
            owner = output("dpkg-query", "-S", form, stderr=subprocess.DEVNULL).split(": ")[0].split(",")[0]
            values = output("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture}", owner)
        except (OSError, subprocess.CalledProcessError):
            continue
        return values.split(" ")
    return None
