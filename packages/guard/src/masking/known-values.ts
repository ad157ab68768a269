import { toSpellings } from './spellings.ts'

/** Secrets that are to be found inside texts. */
export interface KnownValues {
  add(secret: string): void
  /** Takes back one `add` of the same secret. */
  remove(secret: string): void
  /** The length of the longest form that is or was looked for. */
  longest(): number
  /** The text with each of the secrets, in any of their forms, replaced by `mask`. */
  replaceIn(text: string, mask: string): string
}

/**
 * Shorter values would be found by accident in ordinary text. It is also the width of the window.
 */
const width = 6
const base = 0x01000193
/** How many forms may be found by the same window before another one is looked for. */
const few = 4
const leaving = power(base, width - 1)

/**
 * Finds any number of values in one pass: a rolling hash over a window of six characters, and a
 * table with the hash of one window of each form of a secret. It is one by which few other forms
 * are found, as far as there is such a one: secrets often begin (`Bearer `) or end alike. So the
 * cost of a text does not grow with the number of values.
 */
export function createKnownValues(): KnownValues {
  const added = new Map<string, number>()
  const forms = new Map<string, Form>()
  const formsByHash = new Map<number, Set<Form>>()
  // Most windows are answered by this table alone: how many forms have the same upper 16 bits.
  const filter = new Uint32Array(65_536)
  let longest = 0

  return {
    add(secret) {
      if (secret.length < width) return
      const count = increase(added, secret, 1)
      if (count === 1) for (const form of toForms(secret)) addForm(form)
    },
    remove(secret) {
      if (!added.has(secret)) return
      const count = increase(added, secret, -1)
      if (count === 0) for (const form of toForms(secret)) removeForm(form)
    },
    longest: () => longest,
    replaceIn,
  }

  function addForm(text: string): void {
    const known = forms.get(text)
    if (known !== undefined) {
      known.uses += 1
      return
    }
    const form = { text, uses: 1, ...findRareWindow(text) }
    forms.set(text, form)
    longest = Math.max(longest, text.length)
    filter[form.hash >>> 16]! += 1
    const same = formsByHash.get(form.hash)
    if (same === undefined) formsByHash.set(form.hash, new Set([form]))
    else same.add(form)
  }

  function removeForm(text: string): void {
    const form = forms.get(text)
    if (form === undefined) return
    form.uses -= 1
    if (form.uses > 0) return
    forms.delete(text)
    filter[form.hash >>> 16]! -= 1
    const same = formsByHash.get(form.hash)
    same?.delete(form)
    if (same?.size === 0) formsByHash.delete(form.hash)
  }

  /** The first window of the text that finds few other forms, else the one that finds fewest. */
  function findRareWindow(text: string): Window {
    const last = text.length - width
    let hash = hashAt(text, 0)
    let rarest = { at: 0, hash }
    for (let at = 0; at < last && countAt(rarest.hash) >= few; ) {
      hash = roll(hash, text.charCodeAt(at), text.charCodeAt(at + width))
      at += 1
      if (countAt(hash) < countAt(rarest.hash)) rarest = { at, hash }
    }
    return rarest
  }

  function countAt(hash: number): number {
    return formsByHash.get(hash)?.size ?? 0
  }

  function replaceIn(text: string, mask: string): string {
    if (added.size === 0 || text.length < width) return text
    let masked = ''
    let copied = 0
    for (const { from, to } of findStretches(text)) {
      masked += text.slice(copied, from) + mask
      copied = to
    }
    return masked + text.slice(copied)
  }

  /** Where secrets stand; those that touch or overlap make one stretch. */
  function findStretches(text: string): Stretch[] {
    const found: Stretch[] = []
    const last = text.length - width
    let hash = hashAt(text, 0)
    for (let at = 0; at <= last; at += 1) {
      if (filter[hash >>> 16] !== 0) found.push(...formsAround(text, { at, hash }))
      hash = roll(hash, text.charCodeAt(at), text.charCodeAt(at + width))
    }
    return join(found)
  }

  function formsAround(text: string, window: Window): Stretch[] {
    const stretches: Stretch[] = []
    for (const form of formsByHash.get(window.hash) ?? []) {
      const from = window.at - form.at
      if (from >= 0 && text.startsWith(form.text, from))
        stretches.push({ from, to: from + form.text.length })
    }
    return stretches
  }
}

/** Six characters of a text. */
interface Window {
  at: number
  hash: number
}

/** A spelling of one or more secrets, and the window by which it is found. */
interface Form extends Window {
  text: string
  uses: number
}

interface Stretch {
  from: number
  to: number
}

function join(found: Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const next of found.sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && next.from <= last.to) last.to = Math.max(last.to, next.to)
    else joined.push(next)
  }
  return joined
}

function toForms(secret: string): Set<string> {
  const texts = toSpellings(secret).map(({ text }) => text)
  return new Set(texts.filter((text) => text.length >= width))
}

function increase(counts: Map<string, number>, key: string, by: number): number {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
  return count
}

function hashAt(text: string, at: number): number {
  let hash = 0
  for (let i = at; i < at + width; i += 1) hash = (Math.imul(hash, base) + text.charCodeAt(i)) | 0
  return hash
}

function roll(hash: number, leaves: number, enters: number): number {
  return (Math.imul(hash - Math.imul(leaves, leaving), base) + enters) | 0
}

function power(value: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i += 1) result = Math.imul(result, value)
  return result
}
