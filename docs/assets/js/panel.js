// One panel for numbers, terms, citations, cells.
(() => {
  const it = document.documentElement.lang == "it", $ = (s) => document.querySelector(s)
  const on = (e, types, run) => types.split(" ").forEach((type) => e.addEventListener(type, run))
  const make = (tag, text, more) => Object.assign(document.createElement(tag), {textContent: text}, more)
  const link = (href, text) => make("a", text, {href, className: "more"})
  const panel = make("span", "", {id: "peek", className: "peek", popover: "auto"})
  const open = () => panel.matches(":popover-open")
  const hide = () => open() && panel.hidePopover()
  let wait, shown, touched
  const later = (run, ms) => { clearTimeout(wait); wait = setTimeout(run, ms) }
  const filled = {
    "data.value": ({value, dataset: {listing, expression}}) => {
      const told = $(`#listing-${listing} .listing-run`)?.firstChild.data ?? ""
      const jump = make("a", listing, {href: "#listing-" + listing})
      return [make("code", `${expression} = ${value}`), it ? "Dal listato " : "From listing ", jump, ". ", told]
    },
    "a.term": (e) => [$(`a.term[href="${e.getAttribute("href")}"][data-title]`).dataset.title, link(e.href, it ? "Glossario" : "Glossary")],
    "a.citation": (e) => [...$(e.hash + " .reference").cloneNode(true).childNodes, link(e.hash, it ? "Fonti" : "Sources")],
    ".cell": (e) => [e.ariaLabel],
  }
  const show = (e) => {
    clearTimeout(wait)
    if (shown == e && open()) return
    hide()
    panel.replaceChildren(...filled[Object.keys(filled).find((s) => e.matches(s))](e))
    const svg = e.closest("svg"), {left, bottom} = e.getBoundingClientRect()
    ;(svg ?? e).after(panel) // Tab goes into it
    shown?.removeAttribute("aria-describedby")
    shown = e
    // a drawing holds no anchor
    panel.style = svg && matchMedia("(min-width: 45em)").matches
      ? `position: absolute; position-area: none; inset: ${bottom + scrollY}px auto auto ${left}px` : ""
    if (!svg) e.setAttribute("aria-describedby", "peek")
    panel.showPopover(svg ? {} : {source: e})
  }
  const away = () => later(() => panel.matches(":hover, :focus-within") || shown?.matches(":hover, :focus") || hide(), 250)
  for (const e of document.querySelectorAll(Object.keys(filled))) {
    const title = e.querySelector(":scope > title")
    if (title) e.ariaLabel = title.textContent, title.remove()
    if (e.title) e.dataset.title = e.title, e.removeAttribute("title")
    if (e.matches("data")) e.tabIndex = 0, e.role = "button"
    on(e, "pointerenter", (ev) => ev.pointerType == "mouse" && later(() => show(e), 120))
    on(e, "focus", () => e.matches(":focus-visible") && show(e))
    on(e, "pointerleave blur", away)
    on(e, "click keydown", (ev) => {
      const link = e.matches("a")
      if (ev.key ? link || !"Enter ".includes(ev.key) : link && (ev.pointerType != "touch" || touched == e)) return
      ev.preventDefault()
      touched = e
      show(e)
    })
  }
  on(panel, "pointerleave focusout", away)
})()
