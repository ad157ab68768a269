import { toShownLine } from './shown-line.ts'
import type { Lang, Text } from './text.ts'

/** One reason why the server cannot start. */
export interface Problem {
  /** The setting, flag or file it is about. */
  name: string
  message: Text
  /** Where the value came from. */
  origin?: Text
}

/** All reasons in one message. */
export function formatProblems(problems: readonly Problem[], lang: Lang): string {
  const heading = {
    en: 'DataAgent cannot start with these settings:',
    zh: 'DataAgent 无法启动，配置有误：',
  }
  const footer = {
    en: 'Run with --help to see every setting.',
    zh: '使用 --help 查看全部配置项。',
  }
  const lines = problems.map(({ name, message, origin }) => {
    const from = origin ? (lang === 'zh' ? `（来自${origin.zh}）` : ` (from ${origin.en})`) : ''
    return `  ${name}: ${message[lang]}${from}`
  })
  return [heading[lang], ...lines, footer[lang]].join('\n')
}

/** A name that does not exist, with the nearest one that does. */
export function unknownName(what: Text, name: string, known: readonly string[]): Problem {
  const near = nearest(name, known)
  return {
    name: toShownLine(name),
    message: {
      en: `no such ${what.en}${near ? `. Did you mean ${near}?` : ''}`,
      zh: `没有这个${what.zh}${near ? `，是否想用 ${near}？` : ''}`,
    },
  }
}

/**
 * The known name with the fewest edits to `name`, if a typing error could explain the difference.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const editsMax = Math.max(2, name.length / 3)
  const ranked = known
    // As many edits as the lengths differ by are needed at least: a long text is not gone through.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= editsMax)
    .map((candidate) => ({ candidate, edits: countEdits(name, candidate) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best && best.edits <= editsMax ? best.candidate : undefined
}

function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
