"""The operators on strings: each function takes a call and its inputs, and gives the output or a list of them."""

import re

import numpy as np

from moving import asked


def objects(texts, shape):
    array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(shape)


def words(text, most):
    """The words of a text by regular expressions; what follows the last split keeps the whitespace at its end."""
    found, rest = [], text.lstrip(" \t\n")
    while rest and (most is None or len(found) < most):
        word, rest = re.fullmatch(r"([^ \t\n]+)[ \t\n]*(.*)", rest, re.DOTALL).groups()
        found.append(word)
    return found + [rest] * bool(rest)


def parts(text, delimiter, most):
    """What is between occurrences of a delimiter that are found by a regular expression."""
    if most == 0:
        return [text]
    return re.split(re.escape(delimiter), text, maxsplit=most or 0)


def string_split(call, x):
    delimiter, most = asked(call, "delimiter", ""), asked(call, "maxsplit")
    split = [parts(text, delimiter, most) if delimiter else words(text, most) for text in x.ravel()]
    width = max(map(len, split))
    padded = [text for pieces in split for text in pieces + [""] * (width - len(pieces))]
    return [objects(padded, (*x.shape, width)), np.array(list(map(len, split)), np.int64).reshape(x.shape)]


def full_match(call, x):
    pattern = re.compile(asked(call, "pattern"), re.ASCII)
    return np.array([pattern.fullmatch(text) is not None for text in x.ravel()], np.bool_).reshape(x.shape)


NUMPY = {
    "RegexFullMatch": full_match,
    "StringConcat": lambda call, x, y: np.add(x, y),
    "StringSplit": string_split,
}
