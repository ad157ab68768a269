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
  const needles = spellings(secret).map(([form, text]) => ({
    label,
    form,
    bytes: Buffer.from(text),
  }))
  const wide = Buffer.from(secret, 'utf16le')
  return withoutDoubles([...needles, { label, form: 'utf16', bytes: wide }])
}

function spellings(secret: string): [form: string, text: string][] {
  const hex = Buffer.from(secret).toString('hex')
  const percent = encodeURIComponent(secret)
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [
    ['raw', secret],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ['url-encoded', percent],
    ['url-encoded', lowerCodes(percent)],
    ['url-encoded', form],
    ['url-encoded', lowerCodes(form)],
    ['url-encoded', encodeURI(secret)],
    ['json-escaped', json],
    ['json-escaped', ascii],
    ['json-escaped', json.replaceAll('/', '\\/')],
    ['json-escaped', JSON.stringify(json).slice(1, -1)],
    ['html-escaped', escapeHtml(secret, '&#39;')],
    ['html-escaped', escapeHtml(secret, '&#x27;')],
    ...base64Spellings(secret),
  ]
}

function lowerCodes(percent: string): string {
  return percent.replace(/%../g, (code) => code.toLowerCase())
}

/**
 * Base64 writes three bytes as four characters, so the same text looks different at each of three
 * places; the characters it shares with its neighbours are left out.
 */
function base64Spellings(secret: string): [string, string][] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)])
    const shared = Math.ceil((shift * 8) / 6)
    const own = bytes.toString('base64').slice(shared, Math.floor((bytes.length * 8) / 6))
    const urlSafe = own.replaceAll('+', '-').replaceAll('/', '_')
    return [
      ['base64', own],
      ['base64url', urlSafe],
    ] satisfies [string, string][]
  })
}

function escapeHtml(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe)
}

/** Spellings that are the same bytes count once, under the first one's name. */
function withoutDoubles(needles: Needle[]): Needle[] {
  const seen = new Set<string>()
  return needles.filter(({ bytes }) => {
    const key = bytes.toString('latin1')
    return !seen.has(key) && seen.add(key)
  })
}
