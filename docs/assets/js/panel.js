// One panel for all that explains itself: numbers, terms, citations, cells of a figure.
(() => {
  const it = document.documentElement.lang == "it", $ = (s, e = document) => e.querySelector(s)
  const all = (s) => document.querySelectorAll(s)
  const make = (tag, text, more) => Object.assign(document.createElement(tag), {textContent: text}, more)

  const more = (e, text) => make("a", text, {href: e.href, className: "more"})

  const panel = make("span", "", {id: "peek", className: "peek", popover: "auto"})
  let wait, shown, touched
  const hide = () => panel.isConnected && panel.matches(":popover-open") && panel.hidePopover()
  const later = (run, ms) => { clearTimeout(wait); wait = setTimeout(run, ms) }
  const filled = {
    "data.value": ({value, dataset: {listing, expression}}) => {
      const told = $(`#listing-${listing} .listing-run`)?.firstChild.data ?? ""
      const link = make("a", listing, {href: "#listing-" + listing})
      return [make("code", `${expression} = ${value}`), it ? "Dal listato " : "From listing ", link, ". ", told]
    },
    "a.term": (e) => [$(`a.term[href="${e.getAttribute("href")}"][data-title]`).dataset.title, more(e, it ? "Glossario" : "Glossary")],
    "a.citation": (e) => [...$(e.hash + " .reference")?.cloneNode(true).childNodes ?? [], more(e, it ? "Fonti" : "Sources")],
    ".cell": (e) => [e.ariaLabel],
  }
  const kind = (e) => Object.keys(filled).find((s) => e.matches(s))
  const show = (e) => {
    clearTimeout(wait)
    if (shown == e && panel.matches(":popover-open")) return
    hide()
    const parts = filled[kind(e)](e)
    if (!parts.length) return
    panel.replaceChildren(...parts)
    ;(e.closest("svg") ?? e).after(panel) // next to it, so that the next Tab goes into the panel
    shown?.removeAttribute("aria-describedby")
    shown = e
    const inside = e.closest("svg"), {left, bottom} = e.getBoundingClientRect()
    // What is in a drawing can be no anchor, and has said its words already.
    panel.style = inside && matchMedia("(min-width: 45em)").matches
      ? `position: absolute; position-area: none; position-try: none; inset: ${bottom + scrollY}px auto auto ${left}px` : ""
    if (!inside) e.setAttribute("aria-describedby", "peek")
    panel.showPopover(inside ? {} : {source: e})
  }
  const away = () => later(() => panel.matches(":hover, :focus-within") || shown?.matches(":hover, :focus") || hide(), 250)
  for (const e of all(Object.keys(filled))) {
    const title = $(":scope > title", e)
    if (title) e.ariaLabel = title.textContent, title.remove()
    if (e.title) e.dataset.title = e.title, e.removeAttribute("title")
    if (e.matches("data")) e.tabIndex = 0, e.role = "button"
    e.addEventListener("pointerenter", (event) => event.pointerType == "mouse" && later(() => show(e), 120))
    e.addEventListener("pointerleave", away)
    e.addEventListener("focus", () => show(e))
    e.addEventListener("blur", away)
    e.addEventListener("click", (event) => {
      if (e.matches("a") && (event.pointerType != "touch" || touched == e)) return
      event.preventDefault()
      touched = e
      show(e)
    })
    e.addEventListener("keydown", (event) => "Enter " .includes(event.key) && e.matches("data") && (event.preventDefault(), show(e)))
  }
  panel.addEventListener("pointerleave", away)
  panel.addEventListener("focusout", away)
})()
