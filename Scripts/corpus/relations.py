"""Determines which objects are related: pairs for each relationship and its inverse, so that all counts of the model
are met, objects with all properties have it, and to-manys have two or three members if the model allows it."""

import math

import xmlmodel


class Relation:
    """A relationship together with its inverse, if it has one."""

    def __init__(self, model, owner, element):
        self.first = element
        self.owners = [owner]
        destination = model.destination(element)
        self.second = model.inverse(owner, element)
        sources, targets = owner.name, destination.name
        if self.second is not None:
            # Either end may name an entity below the level that declares the other end.
            level = model.owner(destination, self.second)
            self.owners.append(level)
            sources = self.second.get("destinationEntity")
        narrow = {e.name for e in model.concrete_below(sources)}
        self.sources = [e for e in model.concrete_below(owner.name) if e.name in narrow]
        self.targets = model.concrete_below(targets)
        self.ends = [Limits(self.first), Limits(self.second)]
        # A to-one that must be unique cannot share an object: the other end has at most one member.
        for side, element in enumerate([self.first, self.second]):
            if element is not None and not self.ends[side].is_to_many and is_unique(model, self.owners[side], element):
                self.ends[1 - side].most = 1
                self.ends[1 - side].wanted = min(self.ends[1 - side].wanted, 1)

    def end(self, side):
        return self.ends[side]

    @property
    def is_own_inverse(self):
        return self.second is self.first


def is_unique(model, owner, element):
    """Returns whether a uniqueness constraint begins with a relationship and has no attribute that could differ."""
    levels = [level for entity in model.concrete_below(owner.name) for level in model.lineage(entity)]
    return any(names and names[0] == element.get("name") and all(model.relationship(level, name) is not None for name in names)
               for level in levels for names in level.constraints)


class Limits:
    """The number of objects that one end of a relation accepts."""

    def __init__(self, element):
        self.is_to_many = element is None or xmlmodel.is_to_many(element)
        self.is_required = element is not None and not xmlmodel.yes(element, "optional")
        self.is_ordered = element is not None and xmlmodel.is_ordered(element)
        most = (xmlmodel.count(element, "maxCount") if element is not None else None) or 0
        self.most = 1 if not self.is_to_many else most or math.inf
        least = (xmlmodel.count(element, "minCount") if element is not None else None) or 0
        if not self.is_to_many:
            # Xcode writes a minimum count of 1 for each to-one; only `optional` specifies whether it may be empty.
            least = 0
        # An optional to-many may be empty, or must have its minimum count.
        self.least = max(least, 1) if self.is_required else least if least > 1 else 0
        # The count for objects that have all properties.
        self.wanted = 0 if element is None else max(self.least, min(self.most, 3 if self.is_ordered else 2))

    def allow(self, count):
        """Returns whether an object can be saved with so many objects at this end."""
        return (count == 0 and not self.is_required) or self.least <= count <= self.most


def relations(model):
    """All relations, without duplicates."""
    found, seen = [], set()
    for entity in model.entities:
        for element in entity.relationships:
            if id(element) in seen:
                continue
            relation = Relation(model, entity, element)
            seen.add(id(element))
            if relation.second is not None:
                seen.add(id(relation.second))
            found.append(relation)
    return found


FULL = 4  # Objects of each entity that have all properties.
LARGEST = 40


def numbers_of_objects(model, found):
    """The number of objects of each entity that is needed for the counts of its relationships."""
    numbers = {e.name: FULL + 1 for e in model.concrete}
    for _ in range(6):
        before = dict(numbers)
        for relation in found:
            if not relation.sources or not relation.targets:
                continue
            for side, (here, there) in enumerate([(relation.sources, relation.targets),
                                                  (relation.targets, relation.sources)]):
                if side == 1 and (relation.second is None or relation.is_own_inverse):
                    continue
                limits = relation.end(side)
                other = relation.end(1 - side)
                able = able_count(numbers, here, limits)
                if other.is_to_many and limits.is_to_many:
                    needed = max(4, limits.least)
                elif limits.is_to_many:
                    # If each object of a kind needs one of that kind, none can have two.
                    more = 0 if limits.least and here == there else (limits.wanted - limits.least) * len(here) + 1
                    needed = limits.least * able + more
                elif other.is_to_many:
                    if other.most == math.inf:
                        continue
                    needed = math.ceil(able / other.most)
                else:
                    needed = able
                if limits.is_to_many and limits.least:
                    available = sum(numbers[e.name] for e in there)
                else:
                    available = able_count(numbers, there, other)
                if needed > available:
                    first = there[0].name
                    numbers[first] = min(LARGEST, numbers[first] + needed - available)
        if numbers == before:
            break
    return numbers


def able_count(numbers, entities, limits):
    """The number of objects that may be at an end: an object with as little as possible is included only if it must
    be."""
    return sum(numbers[e.name] - (0 if limits.is_required else 1) for e in entities)


def pairs(relation, objects):
    """The pairs of a relation: `objects` are the planned objects."""
    first, second = relation.end(0), relation.end(1)

    def able(entities, limits):
        names = {e.name for e in entities}
        return [o for o in objects if o.entity.name in names and (limits.is_required or not o.is_sparse)]

    sources, targets = able(relation.sources, first), able(relation.targets, second)
    if first.is_to_many and not second.is_to_many and first.least * len(sources) > len(targets):
        targets = [o for o in objects if o.entity in relation.targets]
    if second.is_to_many and not first.is_to_many and second.least * len(targets) > len(sources):
        sources = [o for o in objects if o.entity in relation.sources]
    if not sources or not targets:
        return []
    if {e.name for e in relation.sources} & {e.name for e in relation.targets}:
        # No object is related to itself, unless it may also have other objects.
        targets = targets[1:] + targets[:1]
    if relation.is_own_inverse:
        return own_inverse_pairs(sources, first)
    if first.is_to_many and second.is_to_many:
        return many_to_many(sources, targets, first, second)
    if not first.is_to_many and not second.is_to_many:
        return list(zip(sources, targets))
    if first.is_to_many:
        return [(source, target) for target, source in one_to_many(targets, sources, first)]
    return one_to_many(sources, targets, second)


def own_inverse_pairs(members, limits):
    if not limits.is_to_many:
        half = list(zip(members[0::2], members[1::2]))
        return half + [(b, a) for a, b in half]
    count = len(members)
    found = {(members[i], members[(i + step) % count]) for i in range(count) for step in (1, count - 1)}
    found.add((members[0], members[0]))
    return sorted(found, key=lambda pair: (pair[0].number, pair[1].number))


def many_to_many(sources, targets, first, second):
    found, here, there = [], {}, {}

    def add(source, target):
        if (source, target) in found or here.get(source, 0) >= first.most or there.get(target, 0) >= second.most:
            return
        found.append((source, target))
        here[source] = here.get(source, 0) + 1
        there[target] = there.get(target, 0) + 1

    if sources[0] in targets:
        add(sources[0], sources[0])
    for place, source in enumerate(sources):
        for step in range(max(3, first.least)):
            add(source, targets[(place + step) % len(targets)])
    for place, target in enumerate(targets):
        for step in range(max(2, second.least)):
            if there.get(target, 0) < max(2, second.least):
                add(sources[(place + step) % len(sources)], target)
    return found


def one_to_many(members, owners, limits):
    """Assigns members to owners: first the minimum counts, then the counts of objects with all properties, then the
    rest."""
    seen, slots = set(), []
    slots += [owner for owner in owners for _ in range(limits.least)]
    for owner in sorted(owners, key=lambda o: o.number):
        if owner.entity.name not in seen:
            seen.add(owner.entity.name)
            slots += [owner] * (limits.wanted - limits.least)
    counts = {owner: slots.count(owner) for owner in owners}
    rest = [o for o in owners[1:] + owners[:1] if not o.is_sparse or limits.is_required]
    while len(slots) < len(members):
        free = [o for o in rest if counts[o] < limits.most]
        if not free:
            break
        for owner in free:
            slots.append(owner)
            counts[owner] += 1
    return list(zip(members, slots))
