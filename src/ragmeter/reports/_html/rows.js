const PAGE = 50, SLACK = 1e-12, NONE = 0 / 0;
const none = (value) => value !== value; // no number: a null, which is never shown as one
const $ = (id) => document.getElementById(id);
const meta = JSON.parse(document.querySelector("script.meta").textContent);
const names = meta.metrics.map((m) => m[0]), errors = new Set(meta.errors);

// ---- text: everything that an input holds goes through here, and never through markup
const HARD = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const SOFT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/; // prose keeps line breaks, tabs and marks
function say(node, text, wild = HARD) {
  for (const part of String(text).split(new RegExp(`(${wild.source})`))) {
    if (!part) continue;
    if (part.length > 1 || !wild.test(part)) { node.append(part); continue; }
    const code = part.charCodeAt(0);
    node.append(el("span", "control", code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`));
  }
  return node;
}
function el(name, kind, ...inner) {
  const node = document.createElement(name);
  if (kind) node.className = kind;
  for (const one of inner) one instanceof Node ? node.append(one) : say(node, one);
  return node;
}
function prose(name, text, kind) {
  const node = say(el(name, kind), text, SOFT);
  node.dir = "auto";
  if (text.length > 2000) node.tabIndex = 0; // long ones scroll
  return node;
}
function button(label, act, kind) {
  const node = el("button", kind, label);
  node.type = "button";
  node.addEventListener("click", act);
  return node;
}
const fold = (text) => String(text).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
  .replace(/[đøłıßæœð]/g, (c) => ({ "đ": "d", "ø": "o", "ł": "l", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d" })[c]);
function number(value) {
  if (Math.abs(value) >= 1e9) return value.toExponential(4);
  for (let digits = 4; digits < 9; digits++) {
    const said = value.toFixed(digits);
    if (Number.isInteger(value) || !/\.0+$/.test(said)) return said;
  }
  return value.toFixed(4);
}

// ---- rows: columns that grow as blocks are read, the first at once and the others when there is time
const held = meta.held, blocks = [...document.querySelectorAll("script.rows")];
const ids = [], questions = [], folded = [], words = new Map([["", 0]]), sets = [];
const value = names.map(() => new Float64Array(held)), why = names.map(() => new Uint32Array(held));
const tag = meta.tags.map(() => new Uint32Array(held)), flag = new Uint32Array(held);
const said = [""];
const word = (text) => words.get(text) ?? (words.set(text, said.length), said.push(text) - 1);
function read(block) {
  const data = JSON.parse(block.textContent), from = ids.length, count = data.id.length;
  block.remove();
  for (const id of data.id) ids.push(id);
  for (let i = 0; i < count; i++) questions.push(data.q ? data.q[i] : "");
  const numbers = data.v.map((v) => (typeof v === "number" ? v : NONE)), reasons = data.v.map((v) => (typeof v === "number" ? 0 : word(v || "N/A")));
  data.m.forEach((column, m) => column.forEach((at, i) => { value[m][from + i] = numbers[at]; why[m][from + i] = reasons[at]; }));
  const spoken = data.s.map(word);
  data.t.forEach((column, t) => column.forEach((at, i) => { tag[t][from + i] = spoken[at]; }));
  const base = sets.length;
  sets.push(...data.f);
  data.d.forEach((at, i) => { flag[from + i] = base + at; });
}
const reason = (m, i) => said[why[m][i]], flags = (i) => sets[flag[i]];
const isError = (m, i) => errors.has(reason(m, i)), isNull = (m, i) => none(value[m][i]);
const anyError = (i) => flags(i).includes("target_failed") || names.some((_, m) => isError(m, i));
const haystack = (i) => folded[i] ??= fold([ids[i], questions[i], ...tag.map((column) => said[column[i]]), ...flags(i)].join("\n"));

// ---- details: blocks of cases, read when one of them is opened
const stories = [...document.querySelectorAll("script.details")].map((node) => ({ node, first: Number(node.dataset.first), read: null }));
function story(i) {
  const found = stories.findLast((one) => one.first <= i);
  if (found) found.read ??= JSON.parse(found.node.textContent);
  return found?.read[i] ?? null;
}
