"use strict";
// Shows the report. Whatever comes out of transcripts is put into the page as text nodes, never as markup.

const ROW = 34; // heights of a row and of the head of the list, as in the style sheet
const HEAD = 24;
const SPARE = 10; // rows beyond the visible ones
const MOST_PRINTED = 1000;
const SIGNS = { pass: "✔", fail: "✘", error: "!" };
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\u{e0000}-\u{e007f}]/u;

const $ = (id) => document.getElementById(id);

function element(tag, name, text) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  return made;
}

async function load() {
  const packed = Uint8Array.from(atob($("data").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

// ---- the list: only the rows in view exist ----

class List {
  constructor(data, open) {
    this.data = data;
    this.shown = data.transcripts.map((_, index) => index);
    this.at = 0;
    this.root = $("list");
    this.printed = 0;
    const head = this.root.appendChild(heads(data.graders));
    this.rows = this.root.appendChild(element("div", "rows"));
    this.rows.setAttribute("role", "presentation");
    for (const part of [head, this.rows]) part.style.minWidth = `calc(${data.graders.length * 24}px + 14rem)`;
    this.root.addEventListener("scroll", () => this.draw());
    this.root.addEventListener("keydown", (event) => this.key(event, open));
    this.rows.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (row) { this.choose(Number(row.dataset.at)); open(this.shown[this.at]); }
    });
    addEventListener("resize", () => this.draw());
    addEventListener("beforeprint", () => this.print(MOST_PRINTED));
    addEventListener("afterprint", () => this.print(0));
  }

  show(indexes) {
    this.shown = indexes;
    this.at = 0;
    this.root.scrollTop = 0;
    this.draw();
  }

  choose(at) {
    this.at = Math.max(0, Math.min(at, this.shown.length - 1));
    const top = this.at * ROW;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    const room = this.root.clientHeight - HEAD;
    if (top + ROW > this.root.scrollTop + room) this.root.scrollTop = top + ROW - room;
    this.draw();
  }

  key(event, open) {
    const page = Math.max(1, Math.floor(this.root.clientHeight / ROW) - 1);
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) this.choose(this.at + moves[event.key]);
    else if (event.key === "Enter" && this.shown.length) open(this.shown[this.at]);
    else return;
    event.preventDefault();
  }

  print(most) {
    this.printed = most;
    const left = this.shown.length - most;
    $("printed").textContent = left > 0 ? `the first ${thousands(most)} of ${thousands(this.shown.length)}; filter to print others` : "";
    this.draw();
  }

  draw() {
    const { printed } = this;
    const first = printed ? 0 : Math.max(0, Math.floor(this.root.scrollTop / ROW) - SPARE);
    const count = printed || Math.ceil(this.root.clientHeight / ROW) + 2 * SPARE;
    this.rows.style.height = `${this.shown.length * ROW}px`;
    this.root.classList.toggle("empty", this.shown.length === 0);
    const rows = this.shown.slice(first, first + count).map((index, offset) => this.row(index, first + offset));
    this.rows.replaceChildren(...rows);
    if (rows.length) this.root.setAttribute("aria-activedescendant", `row-${this.at}`);
    else this.root.removeAttribute("aria-activedescendant");
  }

  row(index, at) {
    const transcript = this.data.transcripts[index];
    const row = element("div", "row");
    row.id = `row-${at}`;
    row.dataset.at = at;
    row.style.top = `${at * ROW}px`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", at === this.at);
    row.setAttribute("aria-setsize", this.shown.length);
    row.setAttribute("aria-posinset", at + 1);
    row.setAttribute("aria-label", label(transcript, this.data.graders));
    row.append(cells(transcript, this.data.graders), element("span", `score ${transcript.status}`, score(transcript)));
    row.append(element("span", "id", visible(name(transcript))), element("span", "from", visible(transcript.source ?? "")));
    return row;
  }
}

function heads(graders) {
  const head = element("div", "head");
  head.setAttribute("aria-hidden", "true"); // the label of each row names its graders
  const box = head.appendChild(element("span", "cells"));
  graders.forEach((grader, index) => { box.appendChild(element("span", "cell", index + 1)).title = visible(grader.name); });
  return head;
}

function cells(transcript, graders) {
  const box = element("span", "cells");
  const byGrader = new Map(transcript.verdicts.map((verdict) => [verdict.grader, verdict]));
  graders.forEach((grader, index) => {
    const status = transcript.error !== null ? "error" : byGrader.get(index)?.status;
    const cell = element("span", `cell ${status ?? "none"}`, SIGNS[status] ?? "");
    cell.title = `${visible(grader.name)}: ${status ?? "does not apply"}`;
    box.append(cell);
  });
  return box;
}

function label(transcript, graders) {
  const bad = transcript.verdicts.filter((v) => v.status !== "pass").map((v) => `${graders[v.grader].name} ${v.status}`);
  const what = transcript.error !== null ? "could not be read" : bad.length ? bad.join(", ") : "all passed";
  return visible(`${name(transcript)}, ${transcript.status}: ${what}`);
}

const name = (transcript) => (transcript.id ?? "(no id)") + (transcript.epoch > 1 ? ` (epoch ${transcript.epoch})` : "");
const thousands = (count) => count.toLocaleString("en");
const score = (transcript) => (transcript.error !== null ? "—" : transcript.score.toFixed(2));

// ---- text that may hold anything ----

function escapes(text) {
  return text.split(new RegExp(`(${HIDDEN.source})`, "u"));
}

function escaped(character) {
  const code = character.codePointAt(0);
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

const visible = (text) => escapes(text).map((part, at) => (at % 2 ? escaped(part) : part)).join("");

function append(parent, text) {
  escapes(text).forEach((part, at) => {
    if (at % 2) parent.append(element("span", "escape", escaped(part)));
    else if (part) parent.append(part);
  });
}

// ---- one transcript ----

class Detail {
  constructor(data) {
    this.data = data;
    this.dialog = $("detail");
    this.marks = [];
    this.now = -1;
    $("close").addEventListener("click", () => this.dialog.close());
    $("hit-on").addEventListener("click", () => this.step(1));
    $("hit-back").addEventListener("click", () => this.step(-1));
    this.dialog.addEventListener("keydown", (event) => {
      const steps = { n: () => this.step(1), p: () => this.step(-1), j: () => $("next").click(), k: () => $("previous").click() };
      if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key in steps) { steps[event.key](); event.preventDefault(); }
    });
  }

  open(index) {
    const transcript = this.data.transcripts[index];
    $("detail-title").textContent = visible(`${name(transcript)}  ${transcript.source ?? ""}`);
    $("verdicts").replaceChildren(...this.verdicts(transcript));
    $("texts").replaceChildren(...this.texts(transcript));
    $("texts").scrollTop = 0;
    this.marks = [...$("texts").querySelectorAll("mark")];
    this.now = -1;
    if (!this.dialog.open) this.dialog.showModal();
    $("texts").focus();
    this.step(1);
  }

  verdicts(transcript) {
    const lines = transcript.verdicts.map((verdict) => {
      const line = element("p");
      line.append(element("strong", verdict.status, `${SIGNS[verdict.status]} ${verdict.status} `));
      line.append(element("strong", "", visible(this.data.graders[verdict.grader].name)), " ", visible(verdict.evidence));
      for (const more of [verdict.why, verdict.message]) if (more) line.append(element("span", "quiet more", `\n${visible(more)}`));
      return line;
    });
    if (transcript.error !== null) lines.push(element("p", "error", visible(transcript.error)));
    return lines;
  }

  texts(transcript) {
    const parts = [];
    for (const part of transcript.texts) {
      const article = element("article");
      article.append(element("h3", "", visible(part.title)));
      article.append(this.marked(part.text, this.hits(transcript, part)));
      parts.push(article);
    }
    if (!parts.length && transcript.error === null) parts.push(element("p", "quiet", "No text that a grader tests."));
    return parts;
  }

  hits(transcript, part) {
    const found = [];
    for (const verdict of transcript.verdicts)
      for (const hit of verdict.hits)
        if (hit.text === part.key) found.push({ start: hit.start, end: hit.end, names: [this.data.graders[verdict.grader].name] });
    found.sort((a, b) => a.start - b.start || a.end - b.end);
    const merged = [];
    for (const hit of found) {
      const last = merged.at(-1);
      if (last && hit.start < last.end) { last.end = Math.max(last.end, hit.end); last.names.push(...hit.names); }
      else merged.push(hit);
    }
    return merged;
  }

  marked(text, hits) {
    const box = element("pre");
    let at = 0;
    for (const hit of hits) {
      append(box, text.slice(at, hit.start));
      const mark = element("mark");
      mark.title = visible(hit.names.join(", "));
      append(mark, text.slice(hit.start, hit.end));
      box.append(mark);
      at = hit.end;
    }
    append(box, text.slice(at));
    if (!text) box.append(element("span", "quiet", "(no text)"));
    return box;
  }

  step(by) {
    const count = this.marks.length;
    $("hit-on").disabled = $("hit-back").disabled = count === 0;
    if (count) {
      this.marks[this.now]?.classList.remove("now");
      this.now = (this.now + by + count) % count;
      this.marks[this.now].classList.add("now");
      this.marks[this.now].scrollIntoView({ block: "center" });
    }
    $("hit-count").textContent = count ? `hit ${this.now + 1} of ${count}` : "no hits";
  }
}

// ---- filters ----

function matching(data, filters) {
  const wanted = filters.text.toLowerCase();
  return data.transcripts.flatMap((transcript, index) => {
    if (filters.source && transcript.source !== filters.source) return [];
    if (wanted && !haystack(transcript).includes(wanted)) return [];
    const verdict = filters.grader === "" ? transcript : transcript.verdicts.find((v) => v.grader === Number(filters.grader));
    if (!verdict) return [];
    return !filters.status || verdict.status === filters.status ? [index] : [];
  });
}

function haystack(transcript) {
  transcript.haystack ??= [transcript.id, transcript.source, transcript.error, ...transcript.verdicts.map((v) => v.evidence), ...transcript.texts.map((part) => part.text)].join("\n").toLowerCase();
  return transcript.haystack;
}

function option(value, text) {
  const made = element("option", "", visible(text));
  made.value = value;
  return made;
}

async function main() {
  const data = await load();
  const detail = new Detail(data);
  const list = new List(data, (index) => detail.open(index));
  data.graders.forEach((grader, index) => $("grader").append(option(index, grader.name)));
  [...new Set(data.transcripts.map((t) => t.source ?? ""))].forEach((source) => $("source").append(option(source, source)));
  const move = (by) => { list.choose(list.at + by); detail.open(list.shown[list.at]); };
  $("previous").addEventListener("click", () => move(-1));
  $("next").addEventListener("click", () => move(1));
  $("detail").addEventListener("close", () => $("list").focus());
  const filter = () => {
    const shown = matching(data, { grader: $("grader").value, status: $("status").value, source: $("source").value, text: $("text").value });
    list.show(shown);
    $("count").textContent = `${thousands(shown.length)} of ${thousands(data.transcripts.length)}`;
  };
  $("filters").addEventListener("input", filter);
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  filter();
  document.documentElement.dataset.ready = "yes";
}

main();
