"""Boards as PNG, for mail programs that show no SVG: few colours, lettered with the font inside Pillow (ASCII and a few marks), and kept."""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import cache
from hashlib import sha256
from io import BytesIO
from tempfile import NamedTemporaryFile, _TemporaryFileWrapper
from threading import Lock

import resvg_py
from PIL import Image, ImageFont

WIDEST = 1200  # pixels; the rasteriser ends the whole process when a picture does not fit in memory
TALLEST = 3  # times the width
COLOURS = 64
LARGEST = 60_000  # bytes; a picture that is larger takes fewer colours and the finest writer, which is slow
FEWER = 24
KEPT = 256  # pictures; 5 to 60 KB each

_kept: OrderedDict[tuple[bytes, int], bytes] = OrderedDict()
_lock = Lock()


def png(svg: str, width: int) -> bytes:
    """The picture at a width in pixels, at most 1200. ValueError for other widths and for what is no SVG of ours."""
    if not 1 <= width <= WIDEST:
        raise ValueError(f"a picture can be 1 to {WIDEST} pixels wide, not {width}")
    key = (sha256(svg.encode()).digest(), width)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    made = _drawn(svg, width)
    with _lock:
        _kept[key] = made
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return made


def _drawn(svg: str, width: int) -> bytes:
    box = re.search(r'<svg [^>]*viewBox="0 0 ([0-9.]+) ([0-9.]+)"', svg)
    if not box or float(box[2]) > TALLEST * float(box[1]):
        raise ValueError(f"a picture needs a viewBox from 0 0, at most {TALLEST} times as high as it is wide")
    full = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=[_font().name])
    # The octree and the plain writer cost a quarter of Pillow's finest, for a tenth more bytes.
    picture = Image.open(BytesIO(full)).convert("RGB")
    made = _written(picture, COLOURS, finest=False)
    return made if len(made) <= LARGEST else _written(picture, FEWER, finest=True)


def _written(picture: Image.Image, colours: int, *, finest: bool) -> bytes:
    few = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    paper = BytesIO()
    few.save(paper, "PNG", optimize=finest)
    return paper.getvalue()


@cache
def _font() -> _TemporaryFileWrapper[bytes]:
    """The font's bytes as a file of this process alone, gone when it ends."""
    built_in = ImageFont.load_default(size=16)
    assert isinstance(built_in, ImageFont.FreeTypeFont)
    assert isinstance(built_in.path, BytesIO)
    file = NamedTemporaryFile(prefix="forgepost-", suffix=".ttf")  # noqa: SIM115 - kept open, in the cache
    file.write(built_in.path.getvalue())
    file.flush()
    return file
