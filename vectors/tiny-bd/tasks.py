# Copyright Rivulet contributors.
# Licensed under the Apache License, Version 2.0, see LICENSE for details.
# SPDX-License-Identifier: Apache-2.0
"""Generated task data: contexts of facts and the queries that can be asked about them.

A segment is (task, prompt words, answer words, dependencies). Dependencies give, for every
answer word, the backward offsets of the words *of the answer or prompt* that fix it: a word is
predictable once those are visible. The empty tuple means "fixed by prompt and context alone".
"""
import zlib

import vocabulary as v

TASKS = ["get", "where", "tell", "add", "sort", "sum", "follow", "tour"]
CONTEXT_TASKS = ["get", "where", "tell", "follow", "tour"]
SUM_TERMS = 8
CONTEXT_MAX = 512


def held_out(text):
    """True for the tenth of the operand space that is never trained (add, sort, sum)."""
    return zlib.crc32(text.encode()) % 10 == 0


class Context:
    """A random collection of facts and sentences of exactly `length` words."""

    def __init__(self, rng, length, max_chain=12, kinds=None, long_chains=False):
        self.long_chains = long_chains
        self.facts = {}
        self.links = []  # lists of nouns, followed in order
        self.tours = []  # lists of (noun, digit)
        self.places = {}  # name -> latest place
        self.things = {}  # name -> (adjective, object)
        self.words = []
        if length > 0:
            self._fill(rng, length, max_chain, kinds)

    def _fill(self, rng, length, max_chain, kinds):
        nouns = rng.sample(v.NOUNS, len(v.NOUNS))
        kinds = list(kinds or ("get", "where", "tell", "follow", "tour"))
        weight = {kind: rng.random() + 0.15 for kind in kinds}
        groups = {"noun": [], "moves": [], "things": []}
        left = length
        while left >= 3:
            kind = rng.choices(kinds, [weight[k] for k in kinds])[0]
            if kind == "get" and left >= 4 and nouns:
                noun = nouns.pop()
                self.facts[noun] = (rng.choice(v.LETTERS), rng.choice(v.DIGITS))
                groups["noun"].append([noun, *self.facts[noun], "."])
                left -= 4
            elif kind in ("follow", "tour"):
                size = 3 if kind == "follow" else 4
                least = 8 if self.long_chains and rng.random() >= 0.3 else 2
                count = min(rng.randint(least, max_chain), left // size, len(nouns))
                if count < 2:
                    if left < 8 or not nouns:
                        kinds = [k for k in kinds if k not in ("follow", "tour")]
                        if not nouns:
                            kinds = [k for k in kinds if k != "get"]
                    if not kinds:
                        break
                    continue
                nodes = [nouns.pop() for _ in range(count)]
                nexts = nodes[1:] + ["end"]
                if kind == "follow":
                    self.links.append(nodes)
                    groups["noun"] += [[a, b, "."] for a, b in zip(nodes, nexts)]
                else:
                    digits = [rng.choice(v.DIGITS) for _ in nodes]
                    self.tours.append(list(zip(nodes, digits)))
                    groups["noun"] += [[a, d, b, "."] for a, d, b in zip(nodes, digits, nexts)]
                left -= size * count
            elif kind == "where" and left >= 6:
                groups["moves"].append([rng.choice(v.NAMES), rng.choice(v.MOVES), "to", "the",
                                        rng.choice(v.PLACES), "."])
                left -= 6
            elif kind == "tell" and left >= 6 and len(self.things) < len(v.NAMES):
                name = rng.choice([n for n in v.NAMES if n not in self.things])
                self.things[name] = (rng.choice(v.ADJECTIVES), rng.choice(v.OBJECTS))
                groups["things"].append([name, "has", "the", *self.things[name], "."])
                left -= 6
            else:
                kinds = [k for k in kinds if k != kind]
                if not kinds:
                    break
        self._arrange(rng, groups, left)

    def _arrange(self, rng, groups, left):
        if rng.random() < 0.5:
            items = [item for group in groups.values() for item in group]
            rng.shuffle(items)
        else:
            order = list(groups.values())
            rng.shuffle(order)
            for group in order:
                rng.shuffle(group)
            items = [item for group in order for item in group]
        for item in items:
            if item[2:4] == ["to", "the"]:
                self.places[item[0]] = item[4]
        self.words = ["."] * left + [word for item in items for word in item]


def get(rng, context):
    """Recall of the two values of a noun."""
    if not context.facts:
        return None
    noun = rng.choice(sorted(context.facts))
    return "get", ["get", noun], [*context.facts[noun]], [(), ()]


def where(rng, context):
    """The latest place of a name; earlier places of the same name may exist."""
    if not context.places:
        return None
    name = rng.choice(sorted(context.places))
    return "where", ["where", "is", name, "?"], [context.places[name]], [()]


def tell(rng, context):
    """A short story whose slots come from four sentences and must agree."""
    hosts = sorted(n for n in context.things if n in context.places)
    guests = sorted(context.places)
    if not hosts or len(guests) < 2:
        return None
    host = rng.choice(hosts)
    guest = rng.choice([g for g in guests if g != host])
    adjective, thing = context.things[host]
    answer = (
        f"{guest} left the {context.places[guest]} and ran to the {context.places[host]} . "
        f"{host} was there with the {adjective} {thing} . "
        f"{guest} and {host} were {v.MOOD_OF[adjective]} ."
    ).split()
    return "tell", ["tell", guest, "and", host], answer, [()] * len(answer)


def _suffix(rng, chain, least, long_chains):
    """The chain from its start or, often, from a later node."""
    later = rng.random() < (0.4 if long_chains else 0.5)
    return chain[rng.randint(0, len(chain) - 1 - least) if later else 0:]


def follow(rng, context, least=1):
    """Follow links from noun to noun until the end; every step needs the one before it."""
    chains = [c for c in context.links if len(c) > least]
    if not chains:
        return None
    chain = rng.choice(chains)
    context.links.remove(chain)
    chain = _suffix(rng, chain, least, context.long_chains)
    answer = chain[1:] + ["end"]
    return "follow", ["follow", chain[0]], answer, [(1,)] * len(answer)


def tour(rng, context, least=1):
    """Follow weighted links; after each noun comes the running sum (mod 10) of the weights."""
    chains = [c for c in context.tours if len(c) > least]
    if not chains:
        return None
    chain = rng.choice(chains)
    context.tours.remove(chain)
    chain = _suffix(rng, chain, least, context.long_chains)
    answer, depends, total = [], [], 0
    for index, (_, digit) in enumerate(chain):
        total = (total + int(digit)) % 10
        answer += [str(total), chain[index + 1][0] if index + 1 < len(chain) else "end"]
        depends += [(1, 2), (2,)]
    return "tour", ["tour", chain[0][0]], answer, depends


def add(rng, train=True):
    """Three digits plus three digits, four digits of answer, most significant first."""
    while True:
        a, b = rng.randrange(1000), rng.randrange(1000)
        if held_out(f"add {a} {b}") != train:
            break
    prompt = ["add", *f"{a:03d}", "+", *f"{b:03d}", "="]
    return "add", prompt, list(f"{a + b:04d}"), [()] * 4


def sort(rng, train=True):
    """Sort 4 to 8 distinct letters."""
    while True:
        letters = rng.sample(v.LETTERS, rng.randint(4, 8))
        if held_out("sort " + "".join(letters)) != train:
            break
    return "sort", ["sort", *letters, ">"], sorted(letters), [()] * len(letters)


def running_sum(rng, train=True):
    """Running sums (mod 10) of SUM_TERMS digits; every sum needs the one before it."""
    while True:
        digits = [rng.randrange(10) for _ in range(SUM_TERMS)]
        if held_out("sum " + "".join(map(str, digits))) != train:
            break
    answer, total = [], 0
    for digit in digits:
        total = (total + digit) % 10
        answer.append(str(total))
    return "sum", ["sum", *map(str, digits), ">"], answer, [()] + [(1,)] * (SUM_TERMS - 1)


CONTEXT_MAKERS = {"get": get, "where": where, "tell": tell, "follow": follow, "tour": tour}
LOCAL_MAKERS = {"add": add, "sort": sort, "sum": running_sum}


def make_segment(rng, task, context, train=True):
    """One segment of the named task, or None when the context cannot support it."""
    if task in LOCAL_MAKERS:
        return LOCAL_MAKERS[task](rng, train)
    return CONTEXT_MAKERS[task](rng, context)
