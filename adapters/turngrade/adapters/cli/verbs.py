"""The verbs and their first lines of help: `turngrade --help` imports none of them."""

VERBS = {
    "init": "Write a starter spec, its schema and a sample to grade.",
    "lint": "Check specs for faults, and for patterns that mislead.",
    "test": "Run the examples that the graders of specs carry.",
    "grade": "Grade transcripts with a spec.",
    "explain": "Show a transcript with every hit, and why each verdict is what it is.",
    "diff": "Compare two results: the verdicts that flipped.",
    "export": "Make code evaluators that run inside LangSmith.",
    "schema": "Print the JSON Schema of the spec file.",
}
