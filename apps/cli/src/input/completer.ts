import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui'
import { toPlainLine } from '../ui/index.ts'
import { type Token, toInserted, tokenAt } from './completion.ts'
import type { Complete, Completion } from './contract.ts'

/** More would be chosen by typing on. */
const shownAtMost = 50

/**
 * What the editor asks while it is typed. A question that is given up is answered at once, however
 * long `complete` goes on, so that the next one need not wait for it.
 */
export function createCompleter(complete: Complete): AutocompleteProvider {
  return {
    shouldTriggerFileCompletion: (lines, line, col) => tokenAt(lines, line, col) !== undefined,
    async getSuggestions(lines, line, col, { signal }) {
      const token = tokenAt(lines, line, col)
      if (token === undefined) return null
      const found = await untilAborted(complete(token.query, signal), signal)
      const items = found
        .filter(isTypable)
        .slice(0, shownAtMost)
        .map((item) => toItem(item, token))
      if (items.length === 0 || isTypedAlready(items, token)) return null
      return { items, prefix: token.sign + token.query.text }
    },
    applyCompletion(lines, line, col, { value }) {
      const token = tokenAt(lines, line, col)
      if (token === undefined) return { lines, cursorLine: line, cursorCol: col }
      const inserted = toInserted(token, value.slice(token.sign.length))
      const before = (lines[line] ?? '').slice(0, token.start) + inserted
      const after = (lines[line] ?? '').slice(col)
      const rest = inserted.endsWith(' ') && after.startsWith(' ') ? after.slice(1) : after
      return {
        lines: lines.with(line, before + rest),
        cursorLine: line,
        cursorCol: before.length,
      }
    },
  }
}

async function untilAborted(
  asked: Promise<readonly Completion[]>,
  signal: AbortSignal,
): Promise<readonly Completion[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Completion[]>()
  const giveUp = () => resolve([])
  signal.addEventListener('abort', giveUp)
  asked.then(resolve, giveUp)
  try {
    return await promise
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

/** A name with control or invisible characters would be another one when typed. */
function isTypable({ value }: Completion): boolean {
  return value !== '' && toPlainLine(value) === value
}

/** The sign is in the value, so that the editor finds the one that is typed in full. */
function toItem({ value, label, about }: Completion, { sign }: Token): AutocompleteItem {
  const description = about === undefined ? {} : { description: toPlainLine(about) }
  return { value: sign + value, label: toPlainLine(label), ...description }
}

/** Then Enter is to send, not to complete. */
function isTypedAlready(items: readonly AutocompleteItem[], { sign, query }: Token): boolean {
  return items.length === 1 && items[0]?.value === sign + query.text
}
