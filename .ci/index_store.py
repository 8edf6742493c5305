"""Reads the index that `swift build` writes beside a debug build, through the toolchain's own library.

Each file's index holds every occurrence of a symbol: where it is declared, and where it is referenced.
"""
import collections
import ctypes
import os
import pathlib
import shutil

Occurrence = collections.namedtuple("Occurrence", "usr name kind file line roles")

DEFINITION = 1 << 0 | 1 << 1
REFERENCE = 1 << 2
IMPLICIT = 1 << 8
PARAMETER, EXTENSION = 25, 9


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.data else ""


def load_library():
    swift = os.path.realpath(shutil.which("swift") or "swift")
    name = "libIndexStore.dylib" if os.uname().sysname == "Darwin" else "libIndexStore.so"
    for folder in pathlib.Path(swift).parents:
        for place in (folder / "lib" / name, folder / "usr/lib" / name):
            if place.exists():
                return ctypes.CDLL(str(place))
    raise SystemExit(f"no {name} beside {swift}")


def declare(library):
    pointers = "store_create unit_reader_create record_reader_create occurrence_get_symbol".split()
    texts = "unit_reader_get_main_file unit_dependency_get_name symbol_get_name symbol_get_usr".split()
    for name in pointers:
        getattr(library, "indexstore_" + name).restype = ctypes.c_void_p
    for name in texts:
        getattr(library, "indexstore_" + name).restype = Text
    library.indexstore_occurrence_get_roles.restype = ctypes.c_uint64
    return library


class Index:
    """Occurrences in the files below some folders of the package."""

    def __init__(self, top, folders=("Sources",), build=".build/debug"):
        self.top = pathlib.Path(top).resolve()
        self.folders = [str(self.top / folder) + "/" for folder in folders]
        self.library = declare(load_library())
        self.occurrences = []
        path = self.top / build / "index/store"
        self.store = self.library.indexstore_store_create(str(path).encode(), None)
        if not self.store:
            raise SystemExit(f"no index at {path}: run `swift build`")
        for unit in self._units():
            self._read_unit(unit)

    def _units(self):
        found = []
        kind = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
        callback = kind(lambda _, data, length: found.append(ctypes.string_at(data, length)) or True)
        self.library.indexstore_store_units_apply_f(ctypes.c_void_p(self.store), 0, None, callback)
        return found

    def _read_unit(self, name):
        library = self.library
        reader = ctypes.c_void_p(
            library.indexstore_unit_reader_create(ctypes.c_void_p(self.store), name, None))
        if not reader:
            return
        file = str(library.indexstore_unit_reader_get_main_file(reader))
        if any(file.startswith(folder) for folder in self.folders) and os.path.exists(file):
            file = os.path.relpath(file, self.top)
            for record in self._records(reader):
                self._read_record(record, file)
        library.indexstore_unit_reader_dispose(reader)

    def _records(self, reader):
        """The unit's own record: the only one that is Swift's and no module's."""
        library = self.library
        names = []
        kind = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)

        def see(_, dependency):
            dependency = ctypes.c_void_p(dependency)
            if library.indexstore_unit_dependency_get_kind(dependency) == 2:
                names.append(str(library.indexstore_unit_dependency_get_name(dependency)))
            return True

        library.indexstore_unit_reader_dependencies_apply_f(reader, None, kind(see))
        return names

    def _read_record(self, name, file):
        library = self.library
        reader = ctypes.c_void_p(
            library.indexstore_record_reader_create(ctypes.c_void_p(self.store), name.encode(), None))
        if not reader:
            return
        kind = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
        line, column = ctypes.c_uint(), ctypes.c_uint()
        symbols = {}

        def symbol(pointer):
            if pointer not in symbols:
                at = ctypes.c_void_p(pointer)
                symbols[pointer] = (
                    str(library.indexstore_symbol_get_usr(at)), str(library.indexstore_symbol_get_name(at)),
                    library.indexstore_symbol_get_kind(at))
            return symbols[pointer]

        def see(_, occurrence):
            occurrence = ctypes.c_void_p(occurrence)
            usr, name, symbol_kind = symbol(library.indexstore_occurrence_get_symbol(occurrence))
            roles = library.indexstore_occurrence_get_roles(occurrence)
            library.indexstore_occurrence_get_line_col(occurrence, ctypes.byref(line), ctypes.byref(column))
            self.occurrences.append(Occurrence(usr, name, symbol_kind, file, line.value, roles))
            return True

        library.indexstore_record_reader_occurrences_apply_f(reader, None, kind(see))
        library.indexstore_record_reader_dispose(reader)
