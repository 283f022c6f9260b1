"""A made help desk: cases, outputs and judgments of the size asked for, and the page about them."""

import json
import random
from pathlib import Path

from ragmeter.cli.details import detailed
from ragmeter.errors import Problems
from ragmeter.gate import gate, gates
from ragmeter.registry import find
from ragmeter.score import score
from ragmeter.suite import Suite

TOPICS = ["fees", "opening hours", "access", "lost & found", "Đặt vé"]
SKILL = {"fees": 0.9, "opening hours": 0.85, "access": 0.5, "lost & found": 0.8, "Đặt vé": 0.75}
ASKED = {
    "en": ("Where do I ask about {0} on day {1}?", "Ask at desk {1} [1]. It is open until noon [2]. Bring a card."),
    "vi": ("Đến quầy nào để hỏi về {0} ngày {1}?", "Hãy đến quầy số {1} [1]. Quầy mở cửa đến trưa [2]. Nhớ mang thẻ."),
    "ar": ("أين أسأل عن {0} في اليوم {1}؟", "اسأل في المكتب رقم {1} [1]. المكتب مفتوح حتى الظهر [2]. أحضر بطاقتك."),
}
HOSTILE = (
    "</script><script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    "&lt;b&gt; &amp; ]]> <!-- -->",
    "\u202eevil\u2066 right-to-left override",
    "'); window.pwned=1; //",
    '" onmouseover="window.pwned=1',
)
METRICS = ("recall@1,3,5,10", "ndcg@10", "reciprocal_rank", "citation_validity", "citation_precision")


def write(folder: Path, count: int, seed: int = 7, hostile: bool = False) -> None:
    """cases.jsonl, outputs.jsonl and judgments.jsonl of that many cases; the first six hostile when asked."""
    draw = random.Random(seed)
    with (
        open(folder / "cases.jsonl", "w", encoding="utf-8") as cases,
        open(folder / "outputs.jsonl", "w", encoding="utf-8") as outputs,
        open(folder / "judgments.jsonl", "w", encoding="utf-8") as judgments,
    ):
        for number in range(count):
            case, output, judged = one(number, draw, HOSTILE[number] if hostile and number < len(HOSTILE) else "")
            cases.write(json.dumps(case, ensure_ascii=False) + "\n")
            outputs.write(json.dumps(output, ensure_ascii=False) + "\n")
            judgments.writelines(json.dumps(line) + "\n" for line in judged)


def one(number: int, draw: random.Random, evil: str = "") -> tuple[dict, dict, list[dict]]:
    topic, language = draw.choice(TOPICS), draw.choice([*ASKED])
    question, answer = (text.format(topic, number) for text in ASKED[language])
    id = evil or f"case-{number:05d}"
    relevant = [f"{topic}#{number}-{i}" for i in range(draw.randint(1, 3))]
    found = [one for one in relevant if draw.random() < SKILL[topic]]
    ranked = found + [f"other#{draw.randint(0, 999)}" for _ in range(10 - len(found))]
    draw.shuffle(ranked)
    ranked.sort(key=lambda one: one in found and draw.random() < 0.7, reverse=True)
    case = {
        "id": id,
        "question": evil or question,
        "qrels": dict.fromkeys(relevant, 1) if draw.random() > 0.04 else {},
        "references": [answer],
        "tags": {"topic": topic, "language": language},
    }
    if draw.random() < 0.02:
        return case, {"case": id, "error": "HTTP 503 from the help desk"}, []
    texts = [
        {"id": p, "score": round(0.95 - i * 0.06, 2), "text": f"{p}: {answer} {evil}"} for i, p in enumerate(ranked)
    ]
    cited = ranked[:2]
    output = {
        "case": id,
        "retrieved": texts,
        "cited": cited,
        "answer": answer + evil,
        "citations": [{"marker": f"[{i + 1}]", "passage": p, "sentence": i} for i, p in enumerate(cited)],
    }
    judged = []
    for sentence in range(3):
        verdict = draw.choice([1, 1, 1, 0.5, 0])
        why = f"desk {number} is {'' if verdict else 'not '}named in the source {evil}"
        judged.append(
            {
                "case": id,
                "kind": "citation_support",
                "subject": f"sentence:{sentence}",
                "value": verdict,
                "rationale": why,
                "judge": "human",
            }
        )
    return case, output, judged


def page(folder: Path, minimum: dict[str, float] | None = None) -> Path:
    """The report about the files in the folder, as a run folder's would be; answers with its path."""
    from msgspec import structs

    suite = Suite(
        cases=(str(folder / "cases.jsonl"), str(folder / "outputs.jsonl")),
        judgments=(str(folder / "judgments.jsonl"),),
        metrics=METRICS,
        by=("topic", "language"),
    )
    result, rows = score(suite, Problems())
    limits = {"recall@5": 0.8, "ndcg@10": 0.5, "recall@5[topic=access]": 0.6} if minimum is None else minimum
    result = structs.replace(result, verdict=gate(result, gates(limits, {})), title="Help desk, nightly run")
    out = folder / "report.html"
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(find("report", "html").render(result, detailed(rows, suite, result)))
    return out
