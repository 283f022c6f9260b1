// ---- the filter: `recall@5 < 1 and (topic = "fees" or flag = "target_failed")`, no code is ever run from it
const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(<=|>=|!=|==|=|<|>|~|\(|\)|,)|([^\s"'()<>=!~,]+)|(\S))/y;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  for (let hit; TOKEN.lastIndex < text.length && (hit = TOKEN.exec(text));) {
    if (hit[4]) throw Error(`'${hit[4]}' is not understood here${/["']/.test(hit[4]) ? ": a quotation does not end" : ""}`);
    found.push(hit[1] ? { text: hit[1].slice(1, -1).replace(/\\(.)/g, "$1"), quoted: true } : { text: hit[2] || hit[3], sign: !!hit[2] });
    if (!text.slice(TOKEN.lastIndex).trim()) break;
  }
  return found;
}
function compile(text) {
  const list = tokens(text);
  let at = 0;
  const is = (...texts) => at < list.length && !list[at].quoted && texts.includes(list[at].text.toLowerCase());
  const take = (...texts) => is(...texts) && list[at++].text.toLowerCase();
  const operand = (after) => {
    if (at >= list.length || list[at].sign) throw Error(`something is missing after '${after}'`);
    return list[at++];
  };
  const either = () => { let left = both(); while (take("or")) { const a = left, b = both(); left = (i) => a(i) || b(i); } return left; };
  const both = () => { let left = not(); while (take("and")) { const a = left, b = not(); left = (i) => a(i) && b(i); } return left; };
  const not = () => { if (take("not")) { const inner = not(); return (i) => !inner(i); } return one(); };
  const one = () => {
    if (take("(")) { const inner = either(); if (!take(")")) throw Error("a ')' is missing"); return inner; }
    const name = operand(at ? list[at - 1].text : "the beginning");
    if (take("is")) { const no = take("not"); const test = state(name.text, operand("is").text); return no ? (i) => !test(i) : test; }
    if (take("in")) {
      if (!take("(")) throw Error("'in' wants a list: topic in (\"a\", \"b\")");
      const tests = [];
      do tests.push(compare(name.text, "=", operand("in"))); while (take(","));
      if (!take(")")) throw Error("a ')' is missing after the list");
      return (i) => tests.some((test) => test(i));
    }
    const sign = take("<=", ">=", "!=", "==", "=", "<", ">", "~", "contains");
    if (sign) return compare(name.text, { "==": "=", contains: "~" }[sign] || sign, operand(sign));
    const sought = fold(name.text);
    return (i) => haystack(i).includes(sought);
  };
  if (!list.length) return null;
  const test = either();
  if (at < list.length) throw Error(`'${list[at].text}' is not understood here: put 'and' or 'or' between conditions`);
  return test;
}
const metric = (name) => meta.metrics.findIndex((m) => m[0] === name || m[2] === name);
function field(name) {
  const t = meta.tags.indexOf(name);
  if (t >= 0) return (i) => said[tag[t][i]];
  if (name === "id") return (i) => ids[i];
  if (name === "question") return (i) => questions[i];
  throw Error(`there is no '${name}'; there are ${[...names, ...meta.tags, "id", "question", "flag", "any"].join(", ")}`);
}
function state(name, wanted) {
  const test = { null: (m, i) => isNull(m, i) && !isError(m, i), error: isError, scored: (m, i) => !isNull(m, i) }[wanted];
  if (name === "flag" && wanted === "set") return (i) => flags(i).length > 0;
  if (!test) throw Error(`'is ${wanted}' is not known: is null, is error, is scored, flag is set`);
  if (name === "any") return wanted === "error" ? anyError : (i) => names.some((_, m) => test(m, i));
  const m = metric(name);
  if (m < 0) throw Error(`there is no metric '${name}'; there are ${names.join(", ")}`);
  return (i) => test(m, i);
}
const SIGNS = {
  "=": (a, b) => Math.abs(a - b) <= SLACK, "!=": (a, b) => Math.abs(a - b) > SLACK, "<": (a, b) => a < b - SLACK,
  ">": (a, b) => a > b + SLACK, "<=": (a, b) => a <= b + SLACK, ">=": (a, b) => a >= b - SLACK,
};
const WORDS = { "=": (a, b) => a === b, "!=": (a, b) => a !== b, "<": (a, b) => a < b, ">": (a, b) => a > b, "<=": (a, b) => a <= b, ">=": (a, b) => a >= b };
function compare(name, sign, right) {
  const text = right.text, m = metric(name), num = !right.quoted && NUMBER.test(text) ? Number(text) : NONE;
  if (name === "flag" || name === "diagnostics") {
    if (sign === "~") return (i) => flags(i).some((one) => fold(one).includes(fold(text)));
    if (sign !== "=" && sign !== "!=") throw Error(`a flag can be =, != or contains, not '${sign}'`);
    return (i) => flags(i).includes(text) === (sign === "=");
  }
  if (m < 0) {
    const of = field(name), sought = fold(text);
    if (sign === "~") return (i) => fold(of(i)).includes(sought);
    if (!none(num) && sign !== "=" && sign !== "!=") return (i) => of(i).trim() !== "" && SIGNS[sign](Number(of(i)), num);
    return (i) => WORDS[sign](of(i), text);
  }
  if (!none(num) && SIGNS[sign]) return (i) => SIGNS[sign](value[m][i], num);
  const other = right.quoted ? -1 : metric(text);
  if (other >= 0 && SIGNS[sign]) return (i) => SIGNS[sign](value[m][i], value[other][i]);
  if (text === "null" && !right.quoted && "!=".includes(sign)) return (i) => isNull(m, i) === (sign === "=");
  if (sign !== "=" && sign !== "!=") throw Error(`'${name} ${sign}' wants a number, not '${text}'`);
  return (i) => isNull(m, i) && (reason(m, i) === text) === (sign === "=");
}
