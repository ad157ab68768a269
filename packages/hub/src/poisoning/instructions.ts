import { chinesePhrases } from './chinese-phrases.ts'
import type { Finding } from './contract.ts'
import { decodeRuns } from './encoded-text.ts'
import { englishDataPhrases } from './english-data-phrases.ts'
import { englishPhrases } from './english-phrases.ts'
import { englishTurns } from './english-turns.ts'
import { toVisible } from './hidden-characters.ts'
import { createPhraseIndex, type Phrase } from './phrase.ts'
import { closedPhrases, findSpelledOut, toOtherReadings, toReadable } from './text-views.ts'

type PlainFinding = Omit<Finding, 'path'>

const hasHan = /\p{sc=Han}/u
const findEnglish = createPhraseIndex([...englishPhrases, ...englishDataPhrases, ...englishTurns])
const oneWord = /^[\w$#/.-]{0,15}$/
const decodingsMax = 2

/** Whether a text, as it is or decoded, speaks to the model rather than of the tool. */
export function scanText(text: string): PlainFinding[] {
  if (oneWord.test(text)) return []
  const found = weigh(text)
  const findings = found.weight > 0 ? [toFinding('instruction_like_text', found)] : []
  const spelledOut = findSpelledOut(text)
  if (spelledOut) return [...findings, toFinding('encoded_text', toSpelled(spelledOut))]
  const encoded = scanEncoded(text, decodingsMax)
  return encoded ? [...findings, encoded] : findings
}

function toSpelled(example: string): Weighed {
  return { weight: 2, what: ['spelled out letter by letter'], example }
}

interface Weighed {
  weight: number
  what: string[]
  example: string
}

function weigh(text: string): Weighed {
  const readable = toReadable(text)
  let best = weighReading(readable)
  if (best.weight >= 2) return best
  for (const reading of toOtherReadings(readable)) {
    const weighed = weighReading(reading)
    if (weighed.weight > best.weight) best = weighed
    const closed = reading.includes(' ') ? null : closedPhrases.exec(reading)
    if (closed) return toSpelled(closed[0])
  }
  return best
}

function weighReading(reading: string): Weighed {
  const weighed: Weighed = { weight: 0, what: [], example: '' }
  addPhrases(weighed, reading, findEnglish(reading))
  if (hasHan.test(reading)) addPhrases(weighed, reading, chinesePhrases)
  return weighed
}

/** Each thing that phrases can say counts once, with the heaviest of them. */
function addPhrases(weighed: Weighed, reading: string, phrases: readonly Phrase[]): void {
  const counted = new Map<string, number>()
  for (const { what, weight, pattern } of phrases) {
    const before = counted.get(what) ?? 0
    if (weight <= before) continue
    const match = pattern.exec(reading)
    if (!match) continue
    counted.set(what, weight)
    weighed.weight += weight - before
    if (before === 0) weighed.what.push(what)
    if (weighed.example === '' || weight === 2) weighed.example = match[0]
  }
}

function scanEncoded(text: string, depthLeft: number): PlainFinding | undefined {
  let low: PlainFinding | undefined
  for (const { encoding, text: decoded } of decodeRuns(text)) {
    const found = weigh(decoded)
    if (found.weight >= 2)
      return toFinding('encoded_text', { ...found, what: [encoding, ...found.what] })
    const inner = depthLeft > 1 ? scanEncoded(decoded, depthLeft - 1) : undefined
    if (inner?.severity === 'high') return inner
    if (encoding === 'rot13' || encoding === 'reversed') continue
    low ??= toFinding('encoded_text', { weight: 1, what: [encoding], example: decoded })
  }
  return low
}

function toFinding(kind: Finding['kind'], { weight, what, example }: Weighed): PlainFinding {
  const shown = toVisible(example).replaceAll('\n', ' ').slice(0, 120)
  const message = `${[...new Set(what)].join(', ')}: “${shown}”`
  return { kind, message, severity: weight >= 2 ? 'high' : 'low' }
}
