# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""The closed word-level vocabulary of the tiny block-diffusion model (256 entries)."""

SPECIAL = ["<pad>", "<mask>", "<eos>"]
DIGITS = list("0123456789")
LETTERS = list("abcdefghijklmnopqrstuvwxyz")
MARKS = [".", ">", "+", "=", "?"]
KEYWORDS = ["get", "where", "is", "tell", "add", "sort", "sum", "follow", "tour", "end"]
NAMES = ("iris mia jack kate noah emma luca zoe omar anna ivan lily hugo sara paul nina").split()
PLACES = (
    "river forest tower market garden school harbor castle bridge island meadow valley temple"
    " library bakery station"
).split()
OBJECTS = "kite bell drum lamp flute rope map coin book ball".split()
MOOD_OF = {
    "big": "happy", "old": "sad", "red": "proud", "new": "happy",
    "tiny": "calm", "broken": "sad", "golden": "proud", "soft": "calm",
}
ADJECTIVES = list(MOOD_OF)
MOODS = sorted(set(MOOD_OF.values()))
MOVES = ["ran", "walked", "went"]
STORY = ["to", "the", "has", "left", "and", "was", "there", "with", "were"]
NOUNS = (
    "acorn anchor apple arrow badge bagel basil basket beach bean bear beetle berry bird board"
    " boat bone boot bottle bowl box brick broom brush bucket button cabin cable cactus cake camel"
    " candle canoe card carpet carrot chain chair cheese cherry clay clock cloud clover coat comb"
    " copper coral corn cotton crab crane crow crown cup daisy deer desk door dove duck eagle egg"
    " falcon feather fern fig finch flag fox frog glove goat goose grape hammer hare hat hawk hazel"
    " hen honey horn ink ivy jar jewel kettle key knot ladder leaf lemon lime lion lizard maple"
    " marble melon mint mole moss moth mouse nest oak olive onion otter owl paint palm peach pearl"
    " pepper piano pine plum pond pony potato quill rabbit raven ring robin rose saddle"
).split()[:128]

TOKENS = (
    SPECIAL + DIGITS + LETTERS + MARKS + KEYWORDS + NAMES + PLACES + OBJECTS + ADJECTIVES
    + MOODS + MOVES + STORY + NOUNS
)
SIZE = 256
if len(set(TOKENS)) != len(TOKENS) or len(TOKENS) > SIZE or len(NOUNS) != 128:
    raise ValueError(f"vocabulary is inconsistent: {len(TOKENS)} tokens, {len(NOUNS)} nouns")
TOKENS += [f"<unused{i}>" for i in range(SIZE - len(TOKENS))]
ID = {token: index for index, token in enumerate(TOKENS)}
PAD, MASK, EOS = ID["<pad>"], ID["<mask>"], ID["<eos>"]


def encode(text):
    """Token ids of a space-separated text; raises KeyError for an unknown word."""
    return [ID[word] for word in text.split()]


def decode(ids):
    """The text of a list of token ids."""
    return " ".join(TOKENS[i] for i in ids)
