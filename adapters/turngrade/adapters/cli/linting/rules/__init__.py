"""All rules on patterns, in the order of the page that describes them."""

from turngrade.adapters.cli.linting.rules.alternation import BRANCH_ANCHOR
from turngrade.adapters.cli.linting.rules.anchors import BOUNDARY, LINE_ANCHOR
from turngrade.adapters.cli.linting.rules.backtracking import NESTED_QUANTIFIER
from turngrade.adapters.cli.linting.rules.characters import APOSTROPHE, CONTROL_CHARACTER
from turngrade.adapters.cli.linting.rules.escapes import DOUBLED_BACKSLASH, LETTER_ESCAPE
from turngrade.adapters.cli.linting.rules.foreign import FOREIGN_SYNTAX
from turngrade.adapters.cli.linting.rules.portability import LONG_PATTERN, NEW_SYNTAX
from turngrade.adapters.cli.linting.rules.reach import DOT_GAP, MATCHES_EVERYTHING, PLAIN_LITERAL

RULES = (
    LETTER_ESCAPE,
    FOREIGN_SYNTAX,
    DOUBLED_BACKSLASH,
    CONTROL_CHARACTER,
    APOSTROPHE,
    DOT_GAP,
    LINE_ANCHOR,
    BOUNDARY,
    BRANCH_ANCHOR,
    MATCHES_EVERYTHING,
    NESTED_QUANTIFIER,
    PLAIN_LITERAL,
    LONG_PATTERN,
    NEW_SYNTAX,
)

__all__ = ["RULES"]
