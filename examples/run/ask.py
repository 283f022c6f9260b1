"""A stand-in for a RAG system: reads a question, prints an Output as JSON. Standard library only."""

import json
import sys

SHELF = {
    "care/watering": "Water a fern twice a week, more often in summer.",
    "orchids/light": "Orchids want bright but indirect light.",
    "orchids/repotting": "Lan cần giá thể vỏ cây thoáng khí, thay hai năm một lần.",
    "care/feeding": "비료는 한 달에 한 번 줍니다.",
}


def ask(question: str) -> dict:
    """Rank the shelf by shared words and answer with the best text."""
    words = set(question.lower().replace("?", "").split())
    ranked = sorted(SHELF, key=lambda name: (-len(words & set(SHELF[name].lower().split())), name))
    return {"retrieved": ranked[:3], "cited": ranked[:1], "answer": SHELF[ranked[0]]}


if __name__ == "__main__":
    print(json.dumps(ask(sys.stdin.read()), ensure_ascii=False))
