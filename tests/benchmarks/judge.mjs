// Asks V8: one JSON object {pattern, flags, text, seconds} a line in, one {status, seconds} a line out.
import { createInterface } from "node:readline";
import vm from "node:vm";

const script = new vm.Script("expression.test(text)");

function judge({ pattern, flags, text, seconds }) {
  let expression;
  try {
    expression = new RegExp(pattern, flags);
  } catch {
    return "invalid";
  }
  try {
    return script.runInNewContext({ expression, text }, { timeout: seconds * 1000 }) ? "match" : "no match";
  } catch (error) {
    return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? "timeout" : "memory";
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const began = performance.now();
  const status = judge(JSON.parse(line));
  console.log(JSON.stringify({ status, seconds: (performance.now() - began) / 1000 }));
}
