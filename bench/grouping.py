"""Which of many do harm, when a test of several at once costs as much as one of a single one: group testing.

A group that does no harm clears all its members. Of one that does, halves are tried until one member is left, which is
then tried alone: harm that is reported was seen with that one alone. What had not been tried yet goes back to those that
wait (Hwang's generalised binary splitting). So a member costs about log2(the group) tests when it does harm, and a fraction
of a test when not.

Two that hide each other's harm are both cleared, which is the price; groups are drawn at random, so that members of one place
seldom meet, and never two of the very same place. Two that do harm only together are no find: each alone does none."""

EVEN = 0.5   # a group is best where it does harm as often as not
PRIOR = 0.05 # how often one does harm, before anything was seen
WEIGHT = 20  # tries that this counts for


class Odds:
    """How often each member did harm, to choose groups by: it decides what a search costs, not what it finds."""

    def __init__(self):
        self.tries, self.harm, self.all_tries, self.all_harm = {}, {}, WEIGHT, WEIGHT * PRIOR

    def note(self, member, harm):
        self.tries[member] = self.tries.get(member, 0) + 1
        self.harm[member] = self.harm.get(member, 0) + harm
        self.all_tries += 1
        self.all_harm += harm

    def of(self, member):
        """What is known of all counts as one try of it."""
        return (self.harm.get(member, 0) + self.all_harm / self.all_tries) / (self.tries.get(member, 0) + 1)


def take(waiting, odds, place, most):
    """(a group, who waits on): from the likeliest on, up to even odds that it does harm."""
    group, others, places, harmless = [], [], set(), 1.0
    for member in waiting:
        still = harmless * (1 - odds.of(member))
        if not group or (len(group) < most and still >= EVEN and place(member) not in places):
            group.append(member)
            places.add(place(member))
            harmless = still
        else:
            others.append(member)
    return group, others


def search(members, odds, place, test, is_harm, most, rng):
    """{member: what the test of it alone said}; None for those that a group cleared. place(member) is the same for those
    that must not be in one group; `most` is the size of the largest."""
    waiting = list(members)
    rng.shuffle(waiting)
    waiting.sort(key=odds.of, reverse=True)
    found = {}

    def harms(group):
        result = test(group)
        harm = is_harm(result)
        if len(group) == 1:
            found[group[0]] = result
        elif not harm:
            found.update(dict.fromkeys(group))
        return harm

    while waiting:
        group, waiting = take(waiting, odds, place, most)
        if not harms(group):
            continue
        while len(group) > 1:
            half, rest = group[:len(group) // 2], group[len(group) // 2:]
            if harms(half):
                group, waiting = half, rest + waiting
            else:
                group = rest
        if group[0] not in found:
            harms(group)
    return found


def culprit(members, spoils):
    """The one of them that alone spoils something, as all of them together do; None where it takes several."""
    while len(members) > 1:
        half, rest = members[:len(members) // 2], members[len(members) // 2:]
        if spoils(half):
            members = half
        elif spoils(rest):
            members = rest
        else:
            return None
    return members[0] if members and spoils(members) else None
