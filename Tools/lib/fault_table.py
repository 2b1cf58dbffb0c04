"""Makes tables in Markdown of the lines that CallFaultTests print: fault_table.py PAGE FILE...

Writes PAGE with all tables, and prints the table of the sums. See Tools/test-faults.
"""

import collections
import sys

KINDS = [
    "out of memory", "other error", "error after its effect", "failed without error", "context lost", "blocked",
]
OUTCOMES = ["right", "error", "wrong"]


class Subject:
    """The failures during one kind of work."""

    def __init__(self, path: str) -> None:
        self.counts: dict[tuple[str, str, str], int] = collections.Counter()
        self.calls: dict[str, int] = {}
        for line in open(path):
            _, self.title, function, number, kind, outcome, count = line.rstrip("\n").split("|")
            if kind not in KINDS or outcome not in OUTCOMES:
                sys.exit(f"{path}: unknown words: {line}")
            self.calls[function] = int(number)
            self.counts[function, kind, outcome] += int(count)

    def sums(self) -> list[int]:
        """Returns the number of failures with each outcome."""
        return [sum(n for (_, _, found), n in self.counts.items() if found == outcome) for outcome in OUTCOMES]

    def row(self, name: str, functions: list[str]) -> str:
        cells = []
        for kind in KINDS:
            numbers = [sum(self.counts[function, kind, outcome] for function in functions) for outcome in OUTCOMES]
            wrong = f" / **{numbers[2]} wrong**" if numbers[2] else ""
            cells.append(f"{numbers[0]} / {numbers[1]}{wrong}" if any(numbers) else "")
        return f"| {name} | {sum(self.calls[function] for function in functions)} | " + " | ".join(cells) + " |"

    def table(self) -> str:
        names = sorted(self.calls)
        lines = ["| function | calls | " + " | ".join(KINDS) + " |", "|---|" + "--:|" * (len(KINDS) + 1)]
        lines += [self.row(f"`{name}`", [name]) for name in names]
        return "\n".join(lines + [self.row(f"{len(names)} functions", names)])


subjects = [Subject(path) for path in sys.argv[2:]]
sums = ["| work | functions | calls | failures | right picture | error | wrong picture |", "|---|--:|--:|--:|--:|--:|--:|"]
for subject in subjects:
    numbers = [len(subject.calls), sum(subject.calls.values()), sum(subject.sums()), *subject.sums()]
    sums.append(f"| {subject.title} | " + " | ".join(map(str, numbers)) + " |")
print("\n".join(sums))
with open(sys.argv[1], "w") as page:
    print("# Faults of drivers\n", *sums, "\nEach cell counts the right pictures and the errors.", sep="\n", file=page)
    for subject in subjects:
        print(f"\n## {subject.title[0].upper()}{subject.title[1:]}\n\n{subject.table()}", file=page)
