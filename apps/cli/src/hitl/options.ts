import { decodeKittyPrintable, matchesKey } from '@earendil-works/pi-tui'
import { cut, type Theme } from '../ui/index.ts'
import type { Text } from '../words/index.ts'

export interface Option<T> {
  value: T
  letter: string
  label: Text
}

/** Numbered answers, of which one is marked. */
export interface Options<T> {
  readonly selected: Option<T>
  /** Whether the mark was moved by a person. */
  readonly hasMoved: boolean
  select(value: T): void
  /** Moves the mark by arrows alone; whether it was such a key. */
  move(data: string): boolean
  /** The answer that a key gives: its letter, its number, or Enter for the marked one. */
  answerOf(data: string): Option<T> | undefined
  render(theme: Theme, lang: keyof Text, width: number): string[]
}

export function createOptions<T>(options: readonly Option<T>[], first: T): Options<T> {
  let at = indexOf(first)
  let hasMoved = false

  return {
    get selected() {
      return options[at]!
    },
    get hasMoved() {
      return hasMoved
    },
    select(value) {
      at = indexOf(value)
    },
    move(data) {
      const step = stepOf(data)
      if (step === 0) return false
      at = (at + step + options.length) % options.length
      hasMoved = true
      return true
    },
    answerOf(data) {
      if (matchesKey(data, 'enter')) return options[at]
      const typed = toTyped(data)
      return options.find(({ letter }, index) => typed === letter || typed === String(index + 1))
    },
    render: (theme, lang, width) =>
      options.map(({ label, letter }, index) => {
        const text = `${index + 1} ${label[lang]} (${letter})`
        const line = index === at ? `${theme.glyphs.prompt} ${text}` : `  ${text}`
        const shown = cut(line, width, theme.glyphs.ellipsis)
        return index === at ? theme.accent(shown) : shown
      }),
  }

  function indexOf(value: T): number {
    return Math.max(
      0,
      options.findIndex((option) => option.value === value),
    )
  }
}

function stepOf(data: string): number {
  if (matchesKey(data, 'up') || matchesKey(data, 'k')) return -1
  return matchesKey(data, 'down') || matchesKey(data, 'j') ? 1 : 0
}

/** The letter, small, whatever form the terminal sends it in. */
export function toTyped(data: string): string {
  return (decodeKittyPrintable(data) ?? data).toLowerCase()
}
