"""The Debian package, from the folder that the archive is made of."""
import email.utils
import os
import pathlib
import re
import shutil
import subprocess

import archives
from parts import output

# Where the archive's files lie in the package.
PLACES = {
    "bin": "usr/bin",
    "share/man": "usr/share/man",
    "share/bash-completion": "usr/share/bash-completion",
    "share/zsh/site-functions": "usr/share/zsh/vendor-completions",
    "share/fish": "usr/share/fish",
    "share/modelc": "usr/share/modelc",
    "share/doc/modelc/modelc.spdx.json": "usr/share/doc/modelc/modelc.spdx.json",
}

DESCRIPTION = """\
Description: schema migration and model versioning for Core Data stores
 modelc does on Linux what Core Data does about data that outlives its schema:
 versioned models, version hashes in every store, inferred and custom
 migrations. It reads models from YAML, Xcode's packages, compiled bundles and
 Swift source, recognizes genuine SQLite stores, plans a migration and counts
 what it would lose, and carries it out so that the old store stays.
 .
 `modelc check` is the gate before a release of an app, for continuous
 integration."""


def maintainer(top):
    """As Debian's own tools take it from the environment, else who made the last commit."""
    name, address = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    if name and address:
        return f"{name} <{address}>"
    return output("git", "-C", str(top), "log", "-1", "--format=%an <%ae>").strip()


def copyright_file(authors, parts):
    """DEP-5. Licences that Debian has are named by their place."""
    mit = re.sub(r"(?m)^(?=.)", " ", authors.split("\n\n", 2)[2].strip()).replace("\n\n", "\n .\n")
    stanzas = [
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: modelc",
        "Files: *\nCopyright: " + authors.split("\n\n")[1].replace("Copyright (c) ", "") + "\nLicense: MIT"]
    for part in parts:
        if part.is_static:
            # The first `*` is modelc's own; these say what the program holds beside it.
            holder = re.sub(r"^Copyright (\([cC]\) )?", "", part.copyright)
            stanzas.append(
                f"Files: {part.name}/*\nCopyright: {holder}\nLicense: {part.license}\n"
                f"Comment: linked into the program, version {part.version}")
    stanzas += [
        f"License: MIT\n{mit}",
        "License: Apache-2.0 WITH Swift-exception\n The text of the Apache License, version 2.0, is in\n"
        " /usr/share/common-licenses/Apache-2.0. As an exception, if portions of the\n software are compiled into"
        " an executable as part of compiling one's own\n code, redistribution of the executable without the"
        " notices is allowed.",
        "License: Unicode-3.0\n Permission is hereby granted, free of charge, to deal in the Unicode data files\n"
        " and software without restriction, provided that the copyright and permission\n notice appear with all"
        " copies or in the documentation.\n The whole text is at https://www.unicode.org/license.txt"]
    return "\n\n".join(stanzas) + "\n"


def dependencies(folder, binary):
    """What the program needs, as dpkg-shlibdeps finds it in the symbols that it uses."""
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text("Source: modelc\n\nPackage: modelc\nArchitecture: any\n")
    found = output("dpkg-shlibdeps", "-O", str(binary), cwd=folder, stderr=subprocess.DEVNULL)
    shutil.rmtree(folder / "debian")
    return found.split("shlibs:Depends=", 1)[1].strip()


def write(tree, work, target, version, top, epoch, repository, authors, parts):
    """Makes the package of the files in `tree`, and gives its path."""
    root = work / "deb"
    for source, place in PLACES.items():
        path = tree / source
        if not path.exists():
            continue
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, root / place)
    doc = root / "usr/share/doc/modelc"
    revision = re.sub(r"-(?=[a-z])", "~", version) + "-1"
    date = email.utils.formatdate(epoch)
    owner = maintainer(top)
    doc.mkdir(parents=True, exist_ok=True)
    (doc / "copyright").write_text(copyright_file(authors, parts))
    (doc / "changelog.gz").write_bytes(archives.gzipped((top / "CHANGELOG.md").read_bytes(), epoch))
    entry = f"modelc ({revision}) unstable; urgency=medium\n\n  * Release {version}; see changelog.gz.\n\n -- {owner}  {date}\n"
    (doc / "changelog.Debian.gz").write_bytes(archives.gzipped(entry.encode(), epoch))
    for page in sorted((root / "usr/share/man/man1").iterdir()):
        (page.parent / (page.name + ".gz")).write_bytes(archives.gzipped(page.read_bytes(), epoch))
        page.unlink()
    architecture = output("dpkg", "--print-architecture").strip()
    size = sum((path.stat().st_size + 1023) // 1024 for path in archives.files_below(root) if path.is_file())
    control = [
        "Package: modelc", f"Version: {revision}", f"Architecture: {architecture}", f"Maintainer: {owner}",
        f"Installed-Size: {size}", f"Depends: {dependencies(work, root / 'usr/bin/modelc')}", "Recommends: git",
        "Section: database", "Priority: optional"]
    control += [f"Homepage: {repository}"] if repository else []
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/control").write_text("\n".join(control) + "\n" + DESCRIPTION + "\n")
    sums = [
        f"{output('md5sum', str(path)).split()[0]}  {path.relative_to(root)}\n"
        for path in archives.files_below(root) if path.is_file() and "DEBIAN" not in path.parts]
    (root / "DEBIAN/md5sums").write_text("".join(sums))
    for path in [root] + archives.files_below(root):
        path.chmod(archives.mode(path))
        os.utime(path, (epoch, epoch))
    file = target / f"modelc_{revision}_{architecture}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(root), str(file)], check=True,
        stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)})
    return file
