// Asks this Node what JavaScript says. One JSON object a line in, one out.
//
//   in:  {"p": pattern, "f": flags, "t": [texts], "limit": milliseconds for each text, "most": matches}
//   out: {"error": message}  or  {"found": [for each text: [matches] or null]}
//
// A match is the list of the spans of its groups, group 0 first: [start, end] in UTF-16 units, or null. The
// matches of a text are the first `most` of matchAll. Null in place of them means that V8 gave no answer in
// time, or ran out of stack.
'use strict';
const vm = require('node:vm');
const readline = require('node:readline');

let job;
globalThis.search = () => {
  const { regexp, text, most } = job;
  const found = [];
  for (const match of text.matchAll(regexp)) {
    found.push(Array.from(match.indices, (span) => span ?? null));
    if (found.length >= most) break;
  }
  return found;
};
const script = new vm.Script('search()');

function find(regexp, text, limit, most) {
  job = { regexp, text, most };
  try {
    return script.runInThisContext({ timeout: limit });
  } catch (error) {
    if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || error instanceof RangeError) return null;
    throw error;
  }
}

function answer({ p, f = '', t = [], limit = 1000, most = 1 }) {
  let regexp;
  try {
    new RegExp(p, f);
    regexp = new RegExp(p, [...new Set(`${f}dg`)].join(''));
  } catch (error) {
    return { error: error.message };
  }
  return { found: t.map((text) => find(regexp, text, limit, most)) };
}

readline
  .createInterface({ input: process.stdin, crlfDelay: Infinity, terminal: false })
  .on('line', (line) => process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`));
