# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""The packages of the RTL as data: constants, enums and packed structs with their bits and comments.

slang (pyslang) elaborates the packages, so widths and positions are those of the language, whatever an
expression in the source says. Comments are taken from the source lines: what follows a member on its
line, and the `//` lines directly above a type or a constant. What this cannot describe stops with a message.
"""

import dataclasses
import pathlib
import re
import sys

import pyslang
from pyslang import ast, syntax

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass
class Constant:
    name: str
    value: int
    comment: str


@dataclasses.dataclass
class Value:
    name: str  # TierQ4
    code: int
    comment: str


@dataclasses.dataclass
class Enum:
    name: str  # tier_e
    width: int
    values: list
    comment: str


@dataclasses.dataclass
class Field:
    name: str
    low: int  # position of its lowest bit in the struct
    width: int  # of one element
    signed: bool
    type: object  # Enum or Struct; None for a plain number
    count: int  # elements of an array, element 0 in the lowest bits; 0: no array
    comment: str


@dataclasses.dataclass
class Struct:
    name: str  # load_t
    width: int
    fields: list  # in the order of the source: the first is in the most significant bits
    comment: str


@dataclasses.dataclass
class Package:
    name: str
    file: str  # relative to the project
    constants: list
    types: list  # enums and structs in the order of the source


class Comments:
    """The comments of one source file."""

    def __init__(self, path):
        self.lines = path.read_text().splitlines()

    def _above(self, number):
        """The `//` lines directly above the line, joined."""
        first = number - 1
        while first > 0 and self.lines[first - 1].lstrip().startswith("//"):
            first -= 1
        return " ".join(line.strip().lstrip("/").strip() for line in self.lines[first : number - 1])

    def of_member(self, number):
        behind = re.search(r"//(.*)", self.lines[number - 1])
        return " ".join(part for part in (self._above(number), behind and behind[1].strip()) if part)

    def of_type(self, name_line):
        """Of the typedef whose name stands on the line."""
        number = name_line
        while not self.lines[number - 1].lstrip().startswith("typedef"):
            number -= 1
        return self._above(number)

    def of_constant(self, number):
        return self._above(number)


class Reader:
    """Elaborates package files and describes what they declare."""

    def __init__(self, files):
        self.sources = pyslang.SourceManager()
        self.compilation = ast.Compilation()
        self.files = files
        for name in files:
            self.compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(ROOT / name), self.sources))
        errors = [d for d in self.compilation.getAllDiagnostics() if d.isError()]
        if errors:
            sys.exit(pyslang.DiagnosticEngine.reportAll(self.sources, errors))
        self.types = {}

    def line(self, symbol):
        return self.sources.getLineNumber(symbol.location)

    def packages(self):
        return [self.package(name) for name in self.files]

    def package(self, file):
        package = Package(pathlib.Path(file).stem, file, [], [])
        comments = Comments(ROOT / file)
        for symbol in self.compilation.getPackage(package.name):
            kind = symbol.kind.name
            if kind == "Parameter":
                value = int(symbol.value.value)
                package.constants.append(Constant(symbol.name, value, comments.of_constant(self.line(symbol))))
            elif kind == "TypeAlias":
                described = self.described_type(symbol, comments)
                if described:
                    package.types.append(described)
        return package

    def described_type(self, symbol, comments):
        type_ = symbol.canonicalType
        comment = comments.of_type(self.line(symbol))
        described = None
        if type_.kind.name == "EnumType":
            values = [Value(v.name, int(v.value.value), comments.of_member(self.line(v))) for v in type_]
            described = Enum(symbol.name, type_.bitWidth, values, comment)
        elif type_.kind.name == "PackedStructType":
            fields = [self.field(symbol.name, member, comments) for member in type_]
            described = Struct(symbol.name, type_.bitWidth, fields, comment)
        if described:
            if described.name in self.types:
                sys.exit(f"interfaces: two packages declare a type {described.name}")
            self.types[described.name] = described
        return described

    def field(self, struct, member, comments):
        element, count = member.type, 0
        described = self.types.get(element.name)
        canonical = element.canonicalType
        if not described and canonical.kind.name == "PackedArrayType":
            inner = canonical.elementType
            if inner.canonicalType.kind.name != "ScalarType":  # an array of something, not a vector
                element, count = inner, canonical.range.width
                described = self.types.get(element.name)
            if canonical.range.right != 0:
                sys.exit(f"interfaces: {struct}.{member.name} must have a range [n:0]")
        kind = element.canonicalType.kind.name
        if kind in ("EnumType", "PackedStructType") and not described:
            sys.exit(f"interfaces: {struct}.{member.name} must have a named type of a package")
        if kind == "PackedArrayType" and element.canonicalType.elementType.canonicalType.kind.name != "ScalarType":
            sys.exit(f"interfaces: {struct}.{member.name} is an array of arrays, which has no C++ side yet")
        if element.bitWidth > 64 and not isinstance(described, Struct):
            sys.exit(f"interfaces: {struct}.{member.name} is wider than 64 bits, which has no C++ side yet")
        if count and isinstance(described, Struct):
            sys.exit(f"interfaces: {struct}.{member.name} is an array of structs, which has no C++ side yet")
        return Field(
            member.name, member.bitOffset, element.bitWidth, element.isSigned and not described,
            described, count, comments.of_member(self.line(member)),
        )  # fmt: skip


def package_files():
    """The packages of rtl/rtl.f, in its order."""
    lines = (ROOT / "rtl/rtl.f").read_text().splitlines()
    names = [re.sub(r"(//|#).*", "", line).strip() for line in lines]
    return [f"rtl/{name}" for name in names if name.endswith("_pkg.sv")]


def read_packages():
    return Reader(package_files()).packages()
