// ---- the view: which cases, in what order, on which page; its state is the address
let shown = { q: "", f: "", sort: "", page: 0, case: "" }, view = [], focus = 0, complete = !blocks.length;
const runs = meta.tags.indexOf("run"), key = (i) => (runs < 0 ? ids[i] : `${said[tag[runs][i]]} / ${ids[i]}`); // runs share ids
const hasQuestions = () => questions.some(Boolean);
const addressed = () => Math.max(1, parseInt(new URLSearchParams(location.hash.slice(1)).get("page"), 10) || 1);
function fromAddress() {
  const p = new URLSearchParams(location.hash.slice(1));
  shown = { q: p.get("q") || "", f: p.get("f") || "", sort: p.get("sort") || "", page: addressed() - 1, case: p.get("case") || "" };
  $("search").value = shown.q;
  $("filter").value = shown.f;
}
function toAddress() {
  const p = new URLSearchParams();
  for (const key of ["f", "q", "sort", "case"]) if (shown[key]) p.set(key, shown[key]);
  if (shown.page) p.set("page", shown.page + 1);
  const hash = p.toString();
  if (hash !== location.hash.slice(1)) history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}
function order() { // "recall@5", "-recall@5": upwards, downwards; what is null comes last both ways
  const down = shown.sort.startsWith("-"), name = down ? shown.sort.slice(1) : shown.sort, m = metric(name), t = meta.tags.indexOf(name);
  const sign = down ? -1 : 1;
  if (m >= 0) {
    const of = value[m];
    return (a, b) => (none(of[a]) - none(of[b])) || sign * (of[a] - of[b]) || a - b;
  }
  const of = t >= 0 ? (i) => said[tag[t][i]] : name === "id" ? (i) => ids[i] : name === "question" ? (i) => questions[i] : name === "flags" ? (i) => -flags(i).length : null;
  return of && ((a, b) => { const x = of(a), y = of(b); return x < y ? -sign : x > y ? sign : a - b; });
}
function select() {
  let test = null, fault = "";
  try { test = compile(shown.f); } catch (wrong) { fault = wrong.message; }
  $("fault").textContent = fault;
  $("filter").setAttribute("aria-invalid", String(!!fault));
  const sought = fold(shown.q).trim();
  view = [];
  if (!fault) for (let i = 0; i < ids.length; i++) if ((!test || test(i)) && (!sought || haystack(i).includes(sought))) view.push(i);
  const by = shown.sort && order();
  if (by) view.sort(by);
  shown.page = Math.min(shown.page, Math.max(0, Math.ceil(view.length / PAGE) - 1));
  focus = 0;
}
function heads() {
  const row = $("table").tHead.rows[0], columns = ["id", ...(hasQuestions() ? ["question"] : []), ...names, ...meta.tags, "flags"];
  row.replaceChildren(...columns.map((name, c) => {
    const head = el("th", names.includes(name) && c ? "num" : ""), up = shown.sort === name, down = shown.sort === `-${name}`;
    head.scope = "col";
    head.setAttribute("aria-sort", up ? "ascending" : down ? "descending" : "none");
    head.append(button(name, () => go({ sort: up ? `-${name}` : down ? "" : name, page: 0 }, `sort:${name}`), "link"));
    head.firstChild.dataset.key = `sort:${name}`;
    head.append(el("span", "arrow", up ? " ▲" : down ? " ▼" : ""));
    head.lastChild.setAttribute("aria-hidden", "true");
    return head;
  }));
}
function cell(m, i) {
  const v = value[m][i];
  if (none(v)) {
    const node = el("td", `num ${isError(m, i) ? "bad" : "dim"}`, reason(m, i));
    node.title = meta.reasons[reason(m, i)] || "";
    return node;
  }
  const node = el("td", "num value", number(v));
  if (v >= 0 && v <= 1) node.style.setProperty("--share-width", `${v * 100}%`);
  return node;
}
function line(i, place) {
  const open = button(ids[i], () => go({ case: key(i) }), "link id");
  open.tabIndex = place === focus ? 0 : -1;
  const row = el("tr", "", el("th", "", el("bdi", "", open)));
  row.cells[0].scope = "row";
  if (hasQuestions()) row.append(prose("td", questions[i], "question"));
  names.forEach((_, m) => row.append(cell(m, i)));
  meta.tags.forEach((_, t) => row.append(el("td", "", el("bdi", "", said[tag[t][i]]))));
  const chips = el("td");
  for (const one of flags(i)) { const chip = el("span", "flag", one); chip.title = meta.flags[one] || ""; chips.append(chip, " "); }
  row.append(chips);
  row.classList.toggle("open", key(i) === shown.case);
  row.addEventListener("click", (event) => { if (!event.target.closest("button") && !String(getSelection())) { focus = place; go({ case: key(i) }); } });
  return row;
}
function draw() {
  heads();
  const from = shown.page * PAGE, part = view.slice(from, from + PAGE);
  $("table").tBodies[0].replaceChildren(...part.map(line));
  const pages = Math.max(1, Math.ceil(view.length / PAGE)), of = complete ? "" : ` (reading: ${ids.length.toLocaleString("en")} of ${held.toLocaleString("en")})`;
  $("count").textContent = `${view.length.toLocaleString("en")} of ${held.toLocaleString("en")} cases${of}`;
  $("page").textContent = `Page ${shown.page + 1} of ${pages.toLocaleString("en")}`;
  $("prev").disabled = !shown.page;
  $("next").disabled = shown.page + 1 >= pages;
  for (const mode of document.querySelectorAll(".modes button")) mode.setAttribute("aria-pressed", String(mode.dataset.filter === shown.f));
  $("export").disabled = $("export-cases").disabled = !view.length;
}
function go(change, back) {
  const again = "f" in change || "q" in change || "sort" in change;
  Object.assign(shown, change);
  if ("f" in change) $("filter").value = shown.f;
  if ("q" in change) $("search").value = shown.q;
  if (again) select();
  draw();
  drawer("case" in change);
  toAddress();
  if (back) document.querySelector(`[data-key="${CSS.escape(back)}"]`)?.focus();
}
function step(by) { // to the next case, over the ends of pages; with an open drawer it is opened
  const open = !$("drawer").hidden, at = open ? view.findIndex((i) => key(i) === shown.case) : shown.page * PAGE + focus;
  const next = Math.min(Math.max(at + by, 0), view.length - 1);
  if (next < 0) return;
  focus = next % PAGE;
  go({ page: Math.floor(next / PAGE), ...(open ? { case: key(view[next]) } : {}) });
  const row = $("table").tBodies[0].rows[focus];
  row?.scrollIntoView({ block: "nearest" });
  if (!open) row?.querySelector("button").focus();
}
