// Prints the patterns in the JavaScript files of a folder, as JSON lines {"pattern", "flags"}.
//
//   npm install --ignore-scripts acorn lodash marked …      (in a scratch folder)
//   node harvest.mjs FOLDER > patterns.jsonl
//
// Taken are regular expression literals, and RegExp("…") with literal arguments. The patterns stay their
// authors' own; nothing of this is to be committed.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const root = resolve(process.argv[2]);
const acorn = createRequire(join(root, 'x.js'))('acorn');
const LARGEST = 3_000_000;

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.[cm]?js$/.test(entry.name) && statSync(path).size < LARGEST) yield path;
  }
}

function parse(source) {
  for (const sourceType of ['module', 'script']) {
    try {
      return acorn.parse(source, { ecmaVersion: 'latest', sourceType, allowHashBang: true });
    } catch {
      // the other kind of source, or none that this parser reads
    }
  }
  return null;
}

const isText = (node) => node?.type === 'Literal' && typeof node.value === 'string';

function* patterns(node) {
  if (!node || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const child of node) yield* patterns(child);
    return;
  }
  if (node.type === 'Literal' && node.regex) yield node.regex;
  const [body, flags] = node.arguments ?? [];
  if (node.callee?.name === 'RegExp' && isText(body) && (!flags || isText(flags))) {
    yield { pattern: body.value, flags: flags?.value ?? '' };
  }
  for (const key in node) yield* patterns(node[key]);
}

const seen = new Set();
for (const path of files(root)) {
  for (const { pattern, flags } of patterns(parse(readFileSync(path, 'utf8')))) {
    const line = JSON.stringify({ pattern, flags });
    if (!seen.has(line)) process.stdout.write(`${line}\n`);
    seen.add(line);
  }
}
