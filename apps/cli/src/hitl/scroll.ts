import { matchesKey } from '@earendil-works/pi-tui'
import { toSigns } from '../input/index.ts'
import { cut, wrap } from '../ui/index.ts'
import type { View } from './approval-view.ts'
import { words } from './words.ts'

/** Lines of which as many are shown as there is room for. */
export interface Scroll {
  /** Whether the key was one that scrolls. */
  move(data: string): boolean
  /** At most `rows`, the last of which tells where one is; fewer where all of it fits. */
  render(view: View, rows: number): string[]
}

export function createScroll(lines: readonly string[]): Scroll {
  let top = 0
  let page = 1
  let wrapped: { width: number; lines: string[] } | undefined

  return {
    move(data) {
      const step = stepOf(data, page)
      if (step === undefined) return false
      top = Math.max(0, top + step)
      return true
    },
    render(view, rows) {
      const all = wrapAll(view)
      if (all.length <= rows) return all
      page = Math.max(1, rows - 1)
      top = Math.min(top, all.length - page)
      const { theme, lang, width } = view
      const place = words.rows(top + 1, top + page, all.length)[lang]
      return [...all.slice(top, top + page), theme.dim(cut(place, width, ''))]
    },
  }

  /** With a line at the left, so that no argument can look like one of our own lines. */
  function wrapAll({ theme, width }: View): string[] {
    if (wrapped?.width !== width) {
      const mark = theme.dim(toSigns('│ ', theme))
      const inner = Math.max(2, width - 2)
      const rows = lines.flatMap((line) => wrap(line, inner))
      wrapped = { width, lines: rows.map((row) => cut(mark + row, width, '')) }
    }
    return wrapped.lines
  }
}

function stepOf(data: string, page: number): number | undefined {
  if (matchesKey(data, 'pageDown')) return page
  if (matchesKey(data, 'pageUp')) return -page
  if (matchesKey(data, 'shift+down')) return 1
  if (matchesKey(data, 'shift+up')) return -1
  if (matchesKey(data, 'home')) return Number.MIN_SAFE_INTEGER
  return matchesKey(data, 'end') ? Number.MAX_SAFE_INTEGER : undefined
}
