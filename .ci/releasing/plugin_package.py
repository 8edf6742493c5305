"""What SwiftPM takes a built modelc from: an artifact bundle, and a package of the plugins that uses it."""
import json
import shutil
import tarfile

import archives

# The platforms of the archives' names, as SwiftPM calls them.
TRIPLES = {
    "linux-x86_64": ["x86_64-unknown-linux-gnu"], "linux-aarch64": ["aarch64-unknown-linux-gnu"],
    "darwin-arm64": ["arm64-apple-macosx"], "darwin-x86_64": ["x86_64-apple-macosx"]}

MANIFEST = """\
// swift-tools-version: 6.1
import PackageDescription

// The plugins of modelc %(version)s with the program itself, built: a package that uses them builds nothing of modelc.
let package = Package(
  name: "modelc-plugins",
  products: [
    .plugin(name: "CompileModels", targets: ["CompileModels"]),
    .plugin(name: "CheckModels", targets: ["CheckModels"]),
  ],
  targets: [
    %(binary)s,
    .plugin(name: "CompileModels", capability: .buildTool(), dependencies: ["modelc"]),
    .plugin(
      name: "CheckModels",
      capability: .command(
        intent: .custom(
          verb: "modelc-check", description: "The gate before a release, on the package's models.")),
      dependencies: ["modelc"]),
  ])
"""


def write_bundle(dist, work, version, epoch):
    """`modelc.artifactbundle.zip` of every platform's archive in a folder. Gives the bundle's folder."""
    bundle = work / "modelc.artifactbundle"
    variants = []
    for archive in sorted(dist.glob(f"modelc-{version}-*.tar.gz")):
        platform = archive.name.removeprefix(f"modelc-{version}-").removesuffix(".tar.gz")
        if platform not in TRIPLES:
            continue
        place = bundle / f"modelc-{version}-{platform}/bin"
        place.mkdir(parents=True)
        with tarfile.open(archive) as tar:
            (place / "modelc").write_bytes(tar.extractfile(f"modelc-{version}-{platform}/bin/modelc").read())
        (place / "modelc").chmod(0o755)
        variants.append({"path": f"{place.parent.name}/bin/modelc", "supportedTriples": TRIPLES[platform]})
    info = {
        "schemaVersion": "1.0",
        "artifacts": {"modelc": {"version": version, "type": "executable", "variants": variants}}}
    (bundle / "info.json").write_text(json.dumps(info, indent=2) + "\n")
    archives.write_zip(bundle, dist / "modelc.artifactbundle.zip", epoch)
    return bundle


def write_package(dist, work, bundle, top, version, epoch, downloads):
    """The package of the plugins. Without an address of downloads the bundle lies in it."""
    package = work / "modelc-plugins"
    for name in ["CompileModels", "CheckModels"]:
        shutil.copytree(top / "Sources/Plugins" / name, package / "Plugins" / name)
    shutil.copy(top / "LICENSE", package)
    if downloads:
        sum = archives.digest(dist / "modelc.artifactbundle.zip")
        binary = f'.binaryTarget(\n      name: "modelc",\n      url: "{downloads}/modelc.artifactbundle.zip",\n      checksum: "{sum}")'
    else:
        binary = '.binaryTarget(name: "modelc", path: "modelc.artifactbundle")'
        shutil.copytree(bundle, package / "modelc.artifactbundle")
    (package / "Package.swift").write_text(MANIFEST % {"version": version, "binary": binary})
    archives.write_tar(package, dist / f"modelc-plugins-{version}.tar.gz", epoch)
