"""The verbs and their first lines of help: `turngrade --help` imports none of them."""

VERBS = {
    "grade": "Grade transcripts with a spec.",
    "lint": "Check specs for faults, and for patterns that mislead.",
    "schema": "Print the JSON Schema of the spec file.",
}
