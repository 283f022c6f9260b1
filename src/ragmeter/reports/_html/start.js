// ---- taking things away: links, commands, cases
async function copy(text, from) {
  try { await navigator.clipboard.writeText(text); } catch {
    const area = el("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    from.focus();
  }
  const before = from.dataset.label ??= from.textContent;
  from.textContent = "Copied";
  setTimeout(() => { from.textContent = before; }, 1500);
}
function save(name, lines) {
  const link = el("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
function scoreLine(i) {
  const metrics = {}, nulls = {}, tags = {};
  names.forEach((name, m) => { metrics[name] = isNull(m, i) ? null : value[m][i]; if (isNull(m, i) && reason(m, i) !== "N/A") nulls[name] = reason(m, i); });
  meta.tags.forEach((name, t) => { if (tag[t][i]) tags[name] = said[tag[t][i]]; });
  return `${JSON.stringify({ id: ids[i], metrics, diagnostics: flags(i), nulls, tags })}\n`;
}

// ---- start
function start() {
  for (const node of document.querySelectorAll("button[data-filter]")) node.addEventListener("click", () => { go({ f: node.dataset.filter, page: 0 }); $("casework").scrollIntoView(); });
  const theme = $("theme"), root = document.documentElement, themes = ["auto", "light", "dark"];
  const paint = (name) => { root.dataset.theme = name; theme.textContent = `Theme: ${name}`; };
  theme.hidden = false;
  theme.addEventListener("click", () => paint(themes[(themes.indexOf(root.dataset.theme) + 1) % 3]));
  paint("auto");
  if (!$("casework")) return;
  $("casework").hidden = false;
  const modes = [["All", ""], ["Failures", meta.failures], ["Errors", "any is error"], ["Nulls", "any is null"], ["Flagged", "flag is set"]];
  for (const [label, f] of modes) if (f || label === "All") { const node = button(label, () => go({ f, page: 0 })); node.dataset.filter = f; node.title = f || "all cases"; document.querySelector(".modes").append(node); }
  $("filterhelp").textContent = `Filter: ${names[0]} < 1 and flag = "target_failed". Names: ${[...names, ...meta.tags, "id", "question", "flag", "any"].join(", ")}. Operators: = != < <= > >= contains in (…), is null, is error, is scored, and, or, not, ( ). A word alone is searched for. Keys: / search, J and K or arrows move, Enter opens, Escape closes.`;
  for (const text of meta.notices) $("notices").append(el("p", "notice", text));
  let wait = 0;
  for (const [id, name] of [["search", "q"], ["filter", "f"]]) $(id).addEventListener("input", (e) => { clearTimeout(wait); wait = setTimeout(() => go({ [name]: e.target.value, page: 0 }), ids.length > 20000 ? 200 : 60); });
  $("clear").addEventListener("click", () => go({ f: "", q: "", sort: "", page: 0 }));
  $("prev").addEventListener("click", () => { focus = 0; go({ page: shown.page - 1 }); });
  $("next").addEventListener("click", () => { focus = 0; go({ page: shown.page + 1 }); });
  $("export").addEventListener("click", () => save("scores-filtered.jsonl", view.map(scoreLine)));
  $("export-cases").hidden = !meta.told;
  $("export-cases").addEventListener("click", () => save("cases-filtered.jsonl", view.map(story).filter((one) => one?.case).map((one) => `${JSON.stringify(one.case)}\n`)));
  $("copy-link").addEventListener("click", (e) => copy(location.href, e.target));
  $("copy-command").addEventListener("click", (e) => copy(meta.command, e.target));
  $("close").addEventListener("click", () => go({ case: "" }));
  $("before").addEventListener("click", () => step(-1));
  $("after").addEventListener("click", () => step(1));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, textarea"), held = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === "Escape") { if (!$("drawer").hidden) go({ case: "" }); else if (typing) event.target.blur(); return; }
    if (typing || held) return;
    const by = { j: 1, J: 1, k: -1, K: -1 }[event.key] ?? (event.target.closest("#table tbody") && { ArrowDown: 1, ArrowUp: -1 }[event.key]);
    if (by) { event.preventDefault(); step(by); } else if (event.key === "/") { event.preventDefault(); $("search").focus(); }
  });
  window.addEventListener("hashchange", () => { fromAddress(); select(); draw(); drawer(true); });
  if (blocks.length) read(blocks.shift());
  fromAddress();
  select();
  draw();
  const more = () => {
    const until = performance.now() + 30;
    while (blocks.length && performance.now() < until) read(blocks.shift());
    if (blocks.length) { draw(); setTimeout(more); return; }
    complete = true;
    const at = focus;
    shown.page = addressed() - 1;
    select(); focus = at; draw(); drawer(true);
  };
  setTimeout(more);
}
start();
