/**
 * The source with a mark wherever one of the mutants would be at work: what runs calls
 * `dataagentReached(number of the mutant)`. Nothing else about it changes.
 * @param {string} source
 * @param {readonly { id: number, mutant: import('./mutants.mjs').Mutant }[]} numbered
 */
export function toMarked(source, numbered) {
  const pieces = numbered.flatMap(({ id, mutant: { marked } }) => {
    const call = `globalThis.dataagentReached?.(${id})`
    const [open, close] = marked.isStatement ? [`{${call};`, '\n}'] : [`(${call},`, ')']
    const size = marked.end - marked.start
    // At one place the larger range opens first, and closes last. Ranges that are the same: a
    // statement is around its expression.
    const inside = marked.isStatement ? 0 : 1
    return [
      { at: marked.start, order: [1, -size, inside, id], text: open },
      { at: marked.end, order: [0, size, -inside, -id], text: close },
    ]
  })
  pieces.sort((a, b) => a.at - b.at || compare(a.order, b.order))
  let done = 0
  const parts = pieces.flatMap(({ at, text }) => {
    const before = source.slice(done, at)
    done = at
    return [before, text]
  })
  return parts.join('') + source.slice(done)
}

/** @type {(a: number[], b: number[]) => number} */
function compare(a, b) {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
