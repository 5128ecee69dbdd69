# SPDX-License-Identifier: MIT
"""Makes the wheel and the source archive of the package (PEP 517), with nothing but Python.

It needs no download, so `pip install` works without a network. The same sources give the same
bytes. The package is pure Python: it does not contain the library, but finds an installed one.
"""
import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
LONG_AGO = (1980, 1, 1, 0, 0, 0)


def _assignments(file):
    """Lines of the form: name = "text"."""
    text = (HERE / file).read_text(encoding="utf-8")
    return dict(re.findall(r'^(\w[\w-]*) = "(.*)"$', text, re.MULTILINE))


def _version():
    """The version of the project: from PKG-INFO in a source archive, else from CMakeLists.txt."""
    archived = HERE / "PKG-INFO"
    file, before = HERE.parents[1] / "CMakeLists.txt", r"project\(plybase VERSION "
    if archived.exists():
        file, before = archived, "Version: "
    return re.search(rf"^{before}([0-9.]+)", file.read_text(encoding="utf-8"), re.MULTILINE)[1]


def _project():
    return {**_assignments("pyproject.toml"), "version": _version()}


def _name_and_version():
    project = _project()
    return f"{project['name']}-{project['version']}"


def _metadata():
    project = _project()
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {project['name']}\n"
        f"Version: {project['version']}\n"
        f"Summary: {project['description']}\n"
        "License: MIT\n"
        f"Requires-Python: {project['requires-python']}\n"
    ).encode()


def _module_files():
    files = [*HERE.glob("plybase/*.py"), HERE / "plybase" / "py.typed"]
    return {file.relative_to(HERE).as_posix(): file.read_bytes() for file in sorted(files)}


def _record(files, name):
    """The list of the files of a wheel with their hashes; its own line has no hash."""
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def _write_wheel(folder, modules):
    info = f"{_name_and_version()}.dist-info"
    files = {
        **modules,
        f"{info}/METADATA": _metadata(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: plybase\n"
        b"Root-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    wheel = f"{_name_and_version()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, _module_files())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {"plybase.pth": f"{HERE}\n".encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = _name_and_version()
    files = {**_module_files(), "PKG-INFO": _metadata()}
    tests = sorted(HERE.glob("tests/*.py"))
    for file in [HERE / "pyproject.toml", HERE / "build_backend.py", *tests]:
        files[file.relative_to(HERE).as_posix()] = file.read_bytes()
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{name}/{path}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return f"{name}.tar.gz"
