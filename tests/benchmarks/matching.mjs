// Every pattern in every text: {patterns: [[name, source, flags]], texts, seconds} in; CPU seconds and matching
// texts of each pattern out. A pattern that takes longer than so many seconds is given up.
import { readFileSync } from "node:fs";

const { patterns, texts, seconds } = JSON.parse(readFileSync(0, "utf8"));
const ROUNDS = 2;

function cpu(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

function search(expression) {
  const since = process.cpuUsage();
  let count = 0;
  for (const text of texts) {
    count += expression.exec(text) !== null;
    if (cpu(since) > seconds) return { count: null, taken: cpu(since) };
  }
  return { count, taken: cpu(since) };
}

const result = { seconds: {}, counts: {}, given_up: [] };
for (const [name, source, flags] of patterns) {
  const expression = new RegExp(source, flags);
  for (let round = 0; round < ROUNDS; round++) {
    const { count, taken } = search(expression);
    result.seconds[name] = Math.min(taken, result.seconds[name] ?? Infinity);
    if (count === null) {
      result.given_up.push(name);
      break;
    }
    result.counts[name] = count;
  }
}
console.log(JSON.stringify(result));
