// ---- one case
const titled = (title, ...inner) => { const node = el("section", "", el("h3", "", title), ...inner); return node; };
const chip = (text, kind) => el("span", `mark ${kind}`, text);
const folds = (title, text) => {
  const shown = prose("pre", text);
  shown.tabIndex = 0;
  return el("details", "", el("summary", "", title), shown);
};
function grid(titles, rows) {
  const table = el("table"), head = table.createTHead().insertRow(), body = table.createTBody();
  for (const title of titles) { const th = el("th", "", title); th.scope = "col"; head.append(th); }
  for (const row of rows) body.append(row);
  return el("div", "scroll", table);
}
const cells = (...inner) => el("tr", "", ...inner.map((one) => el("td", "", one)));
function drawer(moved) {
  const panel = $("drawer"), was = !panel.hidden, i = shown.case ? ids.findIndex((_, n) => key(n) === shown.case) : -1;
  panel.hidden = i < 0;
  document.body.classList.toggle("with-drawer", i >= 0);
  if (i < 0) {
    if (shown.case && complete) shown.case = "";
    if (was) document.querySelector("#table tbody button[tabindex='0']")?.focus();
    return;
  }
  if (!moved && panel.dataset.shown === String(i) && was) return;
  panel.dataset.shown = i;
  $("drawer-title").replaceChildren(el("bdi", "", ids[i]));
  const command = `${meta.explain} ${/^[\w@%+=:,.\/-]+$/.test(ids[i]) ? ids[i] : `'${ids[i].replaceAll("'", "'\"'\"'")}'`}`;
  const body = $("drawer-body"), told = story(i), bar = el("p", "bar", button("Copy explain command", (e) => copy(command, e.target)), button("Copy link", (e) => copy(location.href, e.target)));
  body.replaceChildren(bar, ...(told ? texts(told) : [el("p", "dim", "The page holds no texts of this case: they were not given, or there was no room for them. The command above prints every term.")]), scores(i), ...(told ? deeper(told) : []));
  body.scrollTop = 0;
  $("drawer-title").focus();
}
function scores(i) {
  const rows = names.map((name, m) => { const row = cells(name, isNull(m, i) ? `${reason(m, i)}${meta.reasons[reason(m, i)] ? `: ${meta.reasons[reason(m, i)]}` : ""}` : String(value[m][i])); row.classList.toggle("bad", isError(m, i)); return row; });
  const tags = meta.tags.map((name, t) => cells(name, el("bdi", "", said[tag[t][i]])));
  return titled("Scores", grid(["Metric", "Value, or why there is none"], [...rows, ...tags]), el("ul", "", ...flags(i).map((one) => el("li", "", el("span", "flag", one), ` ${meta.flags[one] || ""}`))));
}
function texts({ case: asked = {}, output = {}, pieces, level = 1 }) {
  const parts = [];
  const add = (title, texts, kind) => { if (texts?.length) parts.push(titled(title, ...texts.map((one) => prose("p", one, `text ${kind || ""}`)))); };
  add("Conversation before", (asked.history || []).flatMap((turn) => [`▸ ${turn.user}`, turn.assistant && `◂ ${turn.assistant}`].filter(Boolean)));
  add("Question", asked.question ? [asked.question] : []);
  add("Expected", asked.references);
  add("Points to make", (asked.points || []).map((point) => (point.importance && point.importance !== "vital" ? `${point.text} (${point.importance})` : point.text)));
  add("Words to find", asked.expected);
  add("Wrong answers", asked.bad_answers);
  add("The system failed", output.error ? [output.error] : [], "bad");
  if (output.answer !== undefined && output.answer !== null) parts.push(titled("Answer", output.answer ? answer(output, pieces) : el("p", "dim", "(empty)")));
  for (const [arm, text] of Object.entries(output.rewrites || {})) add(`Rewritten question: ${arm}`, [text]);
  const ranking = passages(asked, output, level);
  if (ranking) parts.push(ranking);
  if (output.contexts?.length) parts.push(titled("Contexts given to the model", ...output.contexts.map((one) => folds(one.title || one.id, one.text ?? ""))));
  return parts;
}
function answer(output, pieces) {
  const node = el("p", "text"), marks = (output.citations || []).filter((one) => one.marker);
  node.dir = "auto";
  if (output.answer.length > 2000) node.tabIndex = 0;
  const split = marks.length ? new RegExp(`(${[...new Set(marks.map((one) => one.marker.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))].sort((a, b) => b.length - a.length).join("|")})`) : null;
  for (const [text, sentence, support] of pieces || [[output.answer, null, null]]) {
    const kind = support === null || support === undefined ? "" : support >= 1 ? "full" : support > 0 ? "part" : "none";
    const span = el("span", kind && `support ${kind}`);
    if (kind) span.title = { full: "supported by what it cites", part: "partly supported", none: "not supported by what it cites" }[kind];
    for (const part of split ? text.split(split) : [text]) {
      const mark = marks.find((one) => one.marker === part && (sentence === null || one.sentence === undefined || one.sentence === sentence)) || marks.find((one) => one.marker === part);
      if (!mark) say(span, part, SOFT);
      else if (mark.passage) span.append(button(part, () => { const row = document.querySelector(`[data-passage="${CSS.escape(mark.passage)}"]`); row?.scrollIntoView({ block: "center" }); row?.focus(); }, "link"));
      else span.append(chip(`${part} dangling`, "bad"));
    }
    if (kind && kind !== "full") span.append(el("sup", "", kind === "part" ? "½" : "✗"));
    node.append(span);
  }
  return node;
}
function passages(asked, output, level) {
  const grades = asked.qrels || {}, cited = new Set(output.cited || []), met = new Set(), rows = [];
  const row = (rank, id, passage, more) => {
    const marks = el("td"), grade = grades[id], text = passage.text && folds(passage.title || "text", passage.text);
    marks.append(grade === undefined ? chip("not judged", "dim") : grade >= level ? chip(`✓ relevant (${grade})`, "good") : chip(`not relevant (${grade})`, "dim"));
    if (cited.has(id)) marks.append(" ", chip("❝ cited", "cited"));
    for (const one of more) marks.append(" ", chip(one, "bad"));
    const line = el("tr", "", el("td", "num", rank), marks, el("td", "", el("bdi", "", id), ...(text ? [text] : [])), el("td", "num", passage.score === undefined ? "" : number(passage.score)));
    line.dataset.passage = id;
    line.tabIndex = -1;
    return line;
  };
  for (const one of output.retrieved || []) {
    const passage = typeof one === "string" ? { id: one } : one;
    rows.push(row(met.has(passage.id) ? "" : String(met.size + 1), passage.id, passage, met.has(passage.id) ? ["repeated"] : []));
    met.add(passage.id);
  }
  const missed = Object.keys(grades).filter((id) => grades[id] >= level && !met.has(id));
  for (const id of missed) rows.push(row("–", id, {}, ["missed"]));
  for (const id of cited) if (!met.has(id) && !missed.includes(id)) rows.push(row("–", id, {}, ["not retrieved"]));
  if (!rows.length) return output.retrieved ? titled("Retrieved", el("p", "dim", "(nothing)")) : null;
  return titled(`Retrieved (${met.size}${output.ranked === false ? ", in no order" : ""}), ${missed.length} missed`, grid(["Rank", "Marks", "Passage", "Score"], rows));
}
function deeper(told) {
  const parts = [], judgments = told.judgments || [];
  if (judgments.length) parts.push(titled("Judgments", grid(["What", "Verdict", "Why", "Judge"], judgments.map((one) => cells(`${one.kind} ${one.subject || ""}`, one.error ? `failed: ${one.error}` : String(one.value ?? one.label ?? "") || "–", prose("span", one.rationale || ""), one.judge || "")))));
  if (told.trace) parts.push(folds("Every term and formula", told.trace));
  parts.push(folds("Raw JSON", JSON.stringify({ case: told.case, output: told.output }, null, 1)));
  return [titled("More", ...parts)];
}
