const place = 'dataagent.hiddenHints'
const keptMax = 200

/** Whether a person has put this hint away, in this browser. */
export function isHintHidden(hint: string): boolean {
  return read().includes(hint)
}

/** The last ones are kept; in a browser that keeps nothing it is back when it is shown anew. */
export function hideHint(hint: string): void {
  try {
    localStorage.setItem(place, JSON.stringify([...read(), hint].slice(-keptMax)))
  } catch {}
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
  } catch {
    return []
  }
}
