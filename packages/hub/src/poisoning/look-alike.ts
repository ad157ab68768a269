import type { Finding } from './contract.ts'
import { hasHidden, toVisible } from './hidden-characters.ts'
import { toFolded, toSkeleton } from './skeleton.ts'

/** Names that can be taken for a neighbour's, or that mix scripts within a word. */
export function scanName(name: string, neighbours: Iterable<string>): Finding[] {
  const findings: Finding[] = []
  if (hasHidden(name)) {
    findings.push(odd(`the name has hidden characters: ${toVisible(name).slice(0, 200)}`))
  }
  const mixed = name.match(mixedWord)?.[0]
  if (mixed) findings.push(odd(`the name mixes scripts in one word: ${spell(mixed)}`))
  const alike = findLookAlike(name, neighbours)
  return alike ? [...findings, alike] : findings
}

/** Words of Latin letters with some of another script that has the same shapes. */
const alike = String.raw`[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}]`
const mixedWord = new RegExp(
  String.raw`\p{L}*(?:\p{sc=Latin}${alike}|${alike}\p{sc=Latin})\p{L}*`,
  'u',
)

function odd(message: string): Finding {
  return { kind: 'odd_name', path: 'name', message, severity: 'high' }
}

function findLookAlike(name: string, neighbours: Iterable<string>): Finding | undefined {
  const skeleton = toSkeleton(name)
  const folded = toFolded(name)
  let spelling: string | undefined
  for (const neighbour of neighbours) {
    if (neighbour === name || toSkeleton(neighbour) !== skeleton) continue
    if (isForeignSpelling(name, neighbour, folded)) return toFinding(name, neighbour, 'high')
    spelling ??= neighbour
  }
  return spelling === undefined ? undefined : toFinding(name, spelling, 'low')
}

/** `get-user` beside `get_user` is a habit; a full-width or Cyrillic letter, or 0 for o, is not. */
function isForeignSpelling(name: string, neighbour: string, folded: string): boolean {
  const hasOddForm = name.normalize('NFKC') !== name || neighbour.normalize('NFKC') !== neighbour
  return hasOddForm || toFolded(neighbour) !== folded
}

function toFinding(name: string, neighbour: string, severity: Finding['severity']): Finding {
  const message = `the name ${spell(name)} looks like ${spell(neighbour)}`
  return { kind: 'look_alike_name', path: 'name', message, severity }
}

/** Letters that are not ASCII with their code points beside them. */
function spell(name: string): string {
  const codes = [...name].filter((character) => character > '\x7f').slice(0, 8)
  const shown = toVisible(name).slice(0, 80)
  if (codes.length === 0) return shown
  const list = codes.map((character) => `U+${character.codePointAt(0)!.toString(16).toUpperCase()}`)
  return `${shown} (${list.join(' ')})`
}
