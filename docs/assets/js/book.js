// What else the pages do: the switch that keeps the section, the copy buttons, and what Material leaves out.
(() => {
  const it = document.documentElement.lang == "it", all = (s) => document.querySelectorAll(s)

  // The other language opens at the section that is being read: the one asked for, or the last that has begun.
  const top = (heading) => heading.getBoundingClientRect().top
  for (const link of all(".md-select__link[hreflang]"))
    link.addEventListener("click", () => {
      const headings = [...all("article :is(h2, h3, h4, dt)[id]")]
      const asked = headings.find((h) => "#" + h.id == location.hash && top(h) > 0 && top(h) < innerHeight)
      link.hash = (asked ?? headings.filter((h) => top(h) < 130).pop())?.id ?? ""
    })

  // Copy buttons of citations.
  for (const button of all("button[data-copy]")) {
    button.hidden = false
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.parentElement.querySelector("[data-copied]").textContent)
      button.textContent = it ? "Copiato" : "Copied"
    })
  }

  // Tab stops once in a heat map; the arrows go from cell to cell.
  const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}
  addEventListener("keydown", (event) => {
    const cell = event.target.closest(".cell"), step = steps[event.key]
    if (!cell || !step) return
    event.preventDefault()
    const [table, row, column] = cell.dataset.cell.split(" ").map(Number)
    const next = cell.ownerSVGElement.querySelector(`[data-cell="${table} ${row + step[0]} ${column + step[1]}"]`)
    if (!next) return
    cell.setAttribute("tabindex", -1)
    next.setAttribute("tabindex", 0)
    next.focus()
  })

  // Material tells the browser the colour of the scheme that is chosen; those of the page are for before it does.
  for (const meta of all("meta[name=theme-color][media]")) meta.remove()

  // What scrolls can be reached by keyboard; and Material makes a nameless landmark of each code block's buttons.
  const mend = () => {
    for (const nav of all("nav.md-code__nav:not([role])")) nav.role = "none"
    for (const wide of all(":is(.md-typeset__scrollwrap, .bound-table, .katex-display):not([tabindex])"))
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
  }
  new MutationObserver(mend).observe(document.querySelector("article"), {childList: true, subtree: true})
  addEventListener("load", mend)
  addEventListener("resize", mend)
})()
