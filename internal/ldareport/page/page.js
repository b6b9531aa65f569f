"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const topics = data.map, byNumber = new Map(topics.map(t => [t.number, t]));
  const tokens = topics.length ? data.tokens : 0;
  const count = n => Math.round(n).toLocaleString("en-US");
  const percent = x => (100 * x).toFixed(x < 0.0995 ? 2 : 1) + " %";
  const fixed = (x, n) => x === null ? "–" : x.toFixed(n).replace("-", "−");
  const share = t => tokens ? t.tokens / tokens : 0;
  const svg = (name, attributes, parent) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (parent) parent.append(e);
    return e;
  };
  const html = (name, className, text, parent) => {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    if (parent) parent.append(e);
    return e;
  };

  // What the address says: #topic=3&lambda=0.6.
  const state = () => {
    const q = new URLSearchParams(location.hash.slice(1));
    const lambda = parseFloat(q.get("lambda"));
    return {topic: byNumber.get(Number(q.get("topic"))) || null, lambda: lambda >= 0 && lambda <= 1 ? lambda : 0.6};
  };
  const address = (t, lambda) => {
    const parts = [];
    if (t) parts.push("topic=" + t.number);
    if (lambda !== 0.6) parts.push("lambda=" + lambda);
    return "#" + parts.join("&");
  };

  // φ of a word with so many tokens in the topic, as lda.Fitted.Shares has it.
  const phi = (t, n) => (n + data.beta) / (t.tokens + data.vocabulary * data.beta);
  const relevance = (t, i, lambda) => {
    const logPhi = Math.log(phi(t, t.counts[i]));
    return logPhi - (1 - lambda) * Math.log(data.totals[t.has[i]] / data.tokens);
  };
  const ranked = (t, lambda) => t.has.map((w, i) => ({word: w, own: t.counts[i], score: relevance(t, i, lambda)}))
    .sort((a, b) => b.score - a.score || b.own - a.own).slice(0, data.shown);
  const first = (t, n) => ranked(t, 1).slice(0, n).map(x => data.words[x.word]).join(" ");

  const facts = () => {
    const parts = [`${count(data.documents)} documents`, `${count(data.tokens)} tokens of ${count(data.vocabulary)} words`,
      `${count(data.topics)} topics after ${count(data.sweeps)} sweeps of ${data.sampler}`];
    if (data.coherence) parts.push(`mean coherence c_npmi ${fixed(data.coherence.c_npmi, 3)}, c_v ${fixed(data.coherence.c_v, 3)}, u_mass ${fixed(data.coherence.u_mass, 1)}`);
    $("facts").textContent = parts.join(" · ");
    $("windows").textContent = data.coherence && data.coherence.windows === "documents" ?
      "c_npmi and c_v tell how often the topic’s first ten words are in the same document: in a bag of words they have no order." :
      "c_npmi and c_v tell how often the topic’s first ten words are together, in windows of 10 and 110 words.";
    if (topics.length < data.topics) $("mapnote").textContent = `The ${count(topics.length)} largest of ${count(data.topics)} topics.`;
  };

  const trace = () => {
    const points = data.trace;
    if (points.length < 2) return;
    $("trace").hidden = false;
    const s = $("trace").querySelector("svg"), width = 220, height = 62, right = 46;
    s.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const last = points[points.length - 1], ys = points.map(p => p[1]);
    const low = Math.min(...ys), high = Math.max(...ys), from = points[0][0];
    const x = p => (width - right) * (p[0] - from) / (last[0] - from || 1);
    const y = p => 6 + (height - 12) * (1 - (p[1] - low) / (high - low || 1));
    svg("path", {d: "M" + points.map(p => x(p).toFixed(1) + " " + y(p).toFixed(1)).join("L")}, s);
    svg("circle", {cx: x(last), cy: y(last), r: 2.6}, s);
    svg("text", {x: width - right + 6, y: y(last) + 4}, s).textContent = fixed(last[1], 3);
  };

  const map = () => {
    const s = document.querySelector("#map svg"), width = 600, height = 740, margin = 70;
    s.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const xs = topics.map(t => t.x), ys = topics.map(t => t.y);
    const middle = v => (Math.min(...v) + Math.max(...v)) / 2;
    const spread = v => Math.max(...v) - Math.min(...v);
    const scale = 1 / Math.max(spread(xs) / (width - 2 * margin), spread(ys) / (height - 2 * margin), 1e-9); // one for both axes
    const mx = middle(xs), my = middle(ys);
    const left = x => width / 2 + (x - mx) * scale, top = y => height / 2 - (y - my) * scale;
    svg("line", {x1: 0, x2: width, y1: top(0), y2: top(0)}, s);
    svg("line", {y1: 0, y2: height, x1: left(0), x2: left(0)}, s);
    const area = Math.min(0.12, 0.02 + 0.012 * topics.length) * width * height; // of all circles
    for (const t of [...topics].sort((a, b) => b.tokens - a.tokens)) { // the small ones above
      const r = Math.max(Math.sqrt(area * share(t) / Math.PI), 1.5), cx = left(t.x), cy = top(t.y);
      const a = svg("a", {"aria-label": `Topic ${t.number}, ${percent(share(t))}: ${first(t, 6)}`}, s);
      svg("title", {}, a).textContent = `${t.number} · ${percent(share(t))} · ${first(t, 6)}`;
      svg("circle", {cx, cy, r}, a);
      if (r > 7) svg("text", {x: cx, y: cy}, a).textContent = t.number;
      if (topics.length <= 12) svg("text", {x: cx, y: cy + r + 12, class: "faint"}, a).textContent = first(t, 2);
      t.mark = a;
    }
  };

  const highlight = word => {
    const places = new Map(word === null ? [] : data.where[word]);
    for (const t of topics) {
      const part = places.get(t.number);
      t.mark.classList.toggle("has", part !== undefined);
      t.mark.classList.toggle("faded", word !== null && part === undefined);
      if (part !== undefined) t.mark.style.setProperty("--part", (0.15 + 0.85 * part / 1000).toFixed(2));
    }
  };

  // A word keeps its row while it is shown: rows move to their new places.
  const rows = new Map();
  const row = word => {
    const li = html("li");
    li.tabIndex = 0;
    li.word = html("span", "word", data.words[word], li);
    li.word.title = data.words[word];
    const bar = html("span", "bar", undefined, li);
    li.all = html("i", "all", undefined, bar);
    li.own = html("i", "own", undefined, bar);
    li.n = html("span", "n", "", li);
    li.onmouseenter = li.onfocus = () => highlight(word);
    li.onmouseleave = li.onblur = () => highlight(null);
    return li;
  };
  const bars = list => {
    // A word that is everywhere would leave the others no room: its bar is cut, and fades.
    const height = 21, own = Math.max(...list.map(x => x.own), 0);
    const longest = Math.max(Math.min(Math.max(...list.map(x => data.totals[x.word])), 5 * own || Infinity), 1);
    $("bars").style.height = height * list.length + "px";
    const keep = new Set(list.map(x => x.word));
    for (const [word, li] of rows) if (!keep.has(word)) { li.remove(); rows.delete(word); }
    list.forEach((x, i) => {
      let li = rows.get(x.word);
      if (!li) rows.set(x.word, li = row(x.word));
      const total = data.totals[x.word];
      li.style.transform = `translateY(${i * height}px)`;
      li.all.style.width = Math.min(100 * total / longest, 100) + "%";
      li.all.classList.toggle("cut", total > longest);
      li.own.style.width = 100 * x.own / longest + "%";
      li.n.textContent = x.own ? count(x.own) : count(total);
      li.title = x.own ? `${count(x.own)} of ${count(total)} tokens` : `${count(total)} tokens`;
      if ($("bars").children[i] !== li) $("bars").insertBefore(li, $("bars").children[i] || null);
    });
  };

  const columns = [t => t.number, share, t => t.c_npmi, t => t.c_v, t => t.exclusivity, t => t.effective_words, t => t.rank1_documents];
  const names = ["number", "tokens", "c_npmi", "c_v", "exclusivity", "effective_words", "rank1_documents"];
  let order = {by: "number", down: false};
  const table = () => {
    const value = columns[names.indexOf(order.by)], body = document.querySelector("tbody"), text = $("find").value.trim().toLowerCase();
    const largest = Math.max(...topics.map(share), 1e-9);
    const list = topics.filter(t => !text || t.has.some(w => data.words[w].toLowerCase().includes(text)))
      .sort((a, b) => ((value(a) ?? -Infinity) - (value(b) ?? -Infinity)) * (order.down ? -1 : 1) || a.number - b.number);
    body.replaceChildren();
    for (const t of list) {
      if (!t.row) {
        t.row = html("tr");
        t.link = html("a", "", t.number, html("td", "", undefined, t.row));
        const cell = html("td", "", undefined, t.row);
        html("i", "share", "", cell).style.width = 60 * share(t) / largest + "px";
        cell.append(percent(share(t)));
        for (const x of [fixed(t.c_npmi, 3), fixed(t.c_v, 3), fixed(t.exclusivity, 3), fixed(t.effective_words, 0), count(t.rank1_documents)]) html("td", "", x, t.row);
        html("td", "text", first(t, 14), t.row);
        t.row.onclick = () => { location.hash = address(t, state().lambda); };
      }
      body.append(t.row);
    }
    for (const th of document.querySelectorAll("th[data-by]")) {
      if (th.dataset.by === order.by) th.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else th.removeAttribute("aria-sort");
    }
    links();
  };

  const next = (t, by) => topics.length ? topics[t ? (topics.indexOf(t) + by + topics.length) % topics.length : by > 0 ? 0 : topics.length - 1] : null;
  const links = () => {
    const {topic, lambda} = state();
    $("before").setAttribute("href", address(next(topic, -1), lambda));
    $("after").setAttribute("href", address(next(topic, 1), lambda));
    $("none").setAttribute("href", address(null, lambda));
    for (const t of topics) {
      t.mark.setAttribute("href", address(t, lambda));
      if (t.link) t.link.setAttribute("href", address(t, lambda));
    }
  };

  let shown;
  const show = () => {
    const {topic: t, lambda} = state();
    if (shown !== t) {
      for (const li of rows.values()) li.remove();
      rows.clear();
      shown = t;
    }
    $("lambda").value = lambda;
    $("lambdanow").textContent = lambda.toFixed(2);
    $("slider").classList.toggle("off", !t);
    $("none").hidden = !t;
    document.querySelectorAll(".legend .own, #ownlabel").forEach(e => { e.hidden = !t; e.style.display = t ? "" : "none"; });
    $("chosen").textContent = t ? `Topic ${t.number}` : "All topics";
    $("numbers").textContent = !t ? `the ${data.salient.length} words that tell the topics apart best; choose a topic to see its own` :
      `${percent(share(t))} of the tokens · c_npmi ${fixed(t.c_npmi, 2)} · c_v ${fixed(t.c_v, 2)} · u_mass ${fixed(t.u_mass, 1)} · exclusivity ${fixed(t.exclusivity, 2)} · α ${Number(t.alpha.toPrecision(3))}`;
    highlight(null);
    bars(t ? ranked(t, lambda) : data.salient.map(word => ({word, own: 0})));
    for (const x of topics) {
      x.mark.classList.toggle("on", x === t);
      if (x.row) x.row.classList.toggle("on", x === t);
    }
    links();
  };

  facts();
  trace();
  if (topics.length) map();
  table();
  show();
  addEventListener("hashchange", show);
  $("lambda").addEventListener("input", () => {
    history.replaceState(null, "", address(state().topic, Number($("lambda").value)) || "#");
    show();
  });
  $("find").addEventListener("input", table);
  for (const th of document.querySelectorAll("th[data-by]")) {
    th.querySelector("button").onclick = () => {
      order = {by: th.dataset.by, down: order.by === th.dataset.by ? !order.down : th.dataset.by !== "number"};
      table();
    };
  }
  addEventListener("keydown", e => {
    if (e.target.matches("input") || e.altKey || e.ctrlKey || e.metaKey) return;
    const {topic, lambda} = state();
    if (e.key === "ArrowRight" || e.key === "ArrowLeft") location.hash = address(next(topic, e.key === "ArrowRight" ? 1 : -1), lambda);
    else if (e.key === "Escape") location.hash = address(null, lambda);
    else return;
    e.preventDefault();
  });
})();
