import { toSpellings } from '@dataagent/guard'
import type { Canary } from './canary.ts'

/** One spelling of a secret. */
export interface Needle {
  label: string
  form: string
  bytes: Buffer
}

/** All spellings in which a secret may hide. A plain string is a secret of its own. */
export function toNeedles(canary: Canary | string): Needle[] {
  const [label, secret] =
    typeof canary === 'string' ? [canary, canary] : [canary.label, canary.marker]
  const needles = toSpellings(secret).map(({ form, text }) => ({
    label,
    form,
    bytes: Buffer.from(text),
  }))
  const wide = Buffer.from(secret, 'utf16le')
  return withoutDoubles([...needles, { label, form: 'utf16', bytes: wide }])
}

/** Spellings that are the same bytes count once, under the first one's name. */
function withoutDoubles(needles: Needle[]): Needle[] {
  const seen = new Set<string>()
  return needles.filter(({ bytes }) => {
    const key = bytes.toString('latin1')
    return !seen.has(key) && seen.add(key)
  })
}
