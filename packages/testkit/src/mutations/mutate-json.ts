import { oddKey, oddValue } from './odd-values.ts'
import type { Random } from './random.ts'

/** A value in a text that is JSON, and the key before it where it has one. */
interface Place {
  start: number
  end: number
  /** Where the key begins: its quote. */
  keyStart?: number
}

type Mutation = (text: string, place: Place, random: Random) => string

const mutations: readonly [Mutation, ...Mutation[]] = [
  function replace(text, { start, end }, random) {
    return splice(text, start, end, oddValue(random))
  },
  function takeOut(text, { start, end, keyStart = start }) {
    const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0
    return splice(text, keyStart, end + comma, comma > 0 || keyStart === start ? '' : '"_":0')
  },
  function rename(text, { start, end, keyStart }, random) {
    if (keyStart === undefined) return splice(text, start, end, oddValue(random))
    return splice(text, keyStart, start, `"${oddKey(random)}":`)
  },
  /** Of two that are the same most readers take the last, and some the first. */
  function sayTwice(text, { start, end, keyStart = start }, random) {
    const again =
      text.slice(keyStart, start) +
      (random.next() < 0.5 ? text.slice(start, end) : oddValue(random))
    return splice(text, end, end, `,${again}`)
  },
  function addMember(text, { start, end }, random) {
    if (text[start] !== '{')
      return splice(text, start, end, `{"${oddKey(random)}":${text.slice(start, end)}}`)
    const comma = /^\{\s*\}/.test(text.slice(start, end)) ? '' : ','
    return splice(text, start + 1, start + 1, `"${oddKey(random)}":${oddValue(random)}${comma}`)
  },
  function wrap(text, { start, end }) {
    return splice(text, start, end, `[${text.slice(start, end)}]`)
  },
  function moveIn(text, { start, end }, random) {
    const other = random.of(placesIn(text))
    return other ? splice(text, start, end, text.slice(other.start, other.end)) : text
  },
  /** The same to a reader of JSON. */
  function spellOut(text, { start, end, keyStart = start }) {
    const escaped = text
      .slice(keyStart, end)
      .replace(
        /"([a-z_])/i,
        (_, first: string) => `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    return splice(text, keyStart, end, escaped)
  },
]

/** A text of JSON, changed in one place: mostly still JSON, and of another shape. */
export function mutateJson(text: string, random: Random): string {
  const place = random.of(placesIn(text))
  return place ? random.of(mutations)(text, place, random) : oddValue(random)
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** Every value of `text`; those that end, where it is not JSON. */
function placesIn(text: string): Place[] {
  const places: Place[] = []
  const open: Place[] = []
  let keyStart: number | undefined
  let before: RegExpExecArray | undefined
  for (const found of text.matchAll(token)) {
    const [word] = found
    const [start, end] = [found.index, found.index + word.length]
    if (word === ':') keyStart = before?.index
    else if (word === '}' || word === ']') close(open.pop(), end)
    else if (word !== ',') {
      const place = { start, end, ...(keyStart !== undefined && { keyStart }) }
      keyStart = undefined
      if (word === '{' || word === '[') open.push(place)
      else if (!isKey(text, end)) places.push(place)
    }
    before = found
  }
  return places

  function close(place: Place | undefined, end: number): void {
    if (place) places.push({ ...place, end })
  }
}

function isKey(text: string, end: number): boolean {
  let at = end
  while (text.charCodeAt(at) <= 0x20) at += 1
  return text[at] === ':'
}

function splice(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end)
}
