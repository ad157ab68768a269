import { toEncodedForms } from './encoded-forms.ts'

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
const leaving = power(base, width - 1)

/**
 * Finds any number of values in one pass: a rolling hash over a window of six characters, and a
 * table of the hashes with which a form of a secret begins. The cost of a text does not grow with
 * the number of values.
 */
export function createKnownValues(): KnownValues {
  const added = new Map<string, number>()
  const formUses = new Map<string, number>()
  const formsByHash = new Map<number, string[]>()
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

  function addForm(form: string): void {
    if (increase(formUses, form, 1) > 1) return
    longest = Math.max(longest, form.length)
    const hash = hashAt(form, 0)
    filter[hash >>> 16]! += 1
    formsByHash.set(hash, [...(formsByHash.get(hash) ?? []), form])
  }

  function removeForm(form: string): void {
    if (increase(formUses, form, -1) > 0) return
    const hash = hashAt(form, 0)
    filter[hash >>> 16]! -= 1
    const left = (formsByHash.get(hash) ?? []).filter((one) => one !== form)
    if (left.length > 0) formsByHash.set(hash, left)
    else formsByHash.delete(hash)
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
    const stretches: Stretch[] = []
    const last = text.length - width
    let hash = hashAt(text, 0)
    for (let at = 0; at <= last; at += 1) {
      const length = filter[hash >>> 16] === 0 ? 0 : longestFormAt(text, at, hash)
      if (length > 0) join(stretches, { from: at, to: at + length })
      hash = roll(hash, text.charCodeAt(at), text.charCodeAt(at + width))
    }
    return stretches
  }

  function longestFormAt(text: string, at: number, hash: number): number {
    let length = 0
    for (const form of formsByHash.get(hash) ?? []) {
      if (form.length > length && text.startsWith(form, at)) length = form.length
    }
    return length
  }
}

interface Stretch {
  from: number
  to: number
}

function join(stretches: Stretch[], next: Stretch): void {
  const last = stretches.at(-1)
  if (last !== undefined && next.from <= last.to) last.to = Math.max(last.to, next.to)
  else stretches.push(next)
}

function toForms(secret: string): string[] {
  return [...toEncodedForms(secret)].filter((form) => form.length >= width)
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
