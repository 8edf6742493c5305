"""Archives that are the same bytes for the same files: sorted, owned by nobody, dated by the commit."""
import gzip
import hashlib
import pathlib
import tarfile
import time
import zipfile


# 1 for tries, which nobody downloads.
level = 9


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def gzipped(data, epoch):
    return gzip.compress(data, 9, mtime=epoch)


def files_below(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*"))


def mode(path):
    return 0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644


def write_tar(folder, archive, epoch):
    """`folder` itself is the one thing at the archive's top."""
    folder = pathlib.Path(folder)

    def entry(info):
        info.uid = info.gid = 0
        info.uname = info.gname = "root"
        info.mtime = epoch
        info.mode = mode(folder.parent / info.name)
        return info

    with open(archive, "wb") as raw, gzip.GzipFile("", "wb", level, raw, mtime=epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path in [folder] + files_below(folder):
                tar.add(path, str(path.relative_to(folder.parent)), recursive=False, filter=entry)


def write_zip(folder, archive, epoch):
    folder = pathlib.Path(folder)
    date = time.gmtime(max(epoch, 315532800))[:6]
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as packed:
        for path in files_below(folder):
            if path.is_dir():
                continue
            info = zipfile.ZipInfo(str(path.relative_to(folder.parent)), date)
            info.external_attr = (0o100000 | mode(path)) << 16
            info.create_system = 3
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, path.read_bytes())


def write_sums(folder):
    """`SHA256SUMS`, as `sha256sum --check` reads it."""
    files = [path for path in files_below(folder) if path.is_file() and path.parent == pathlib.Path(folder)]
    lines = [f"{digest(path)}  {path.name}\n" for path in files if path.name != "SHA256SUMS"]
    (pathlib.Path(folder) / "SHA256SUMS").write_text("".join(lines))
