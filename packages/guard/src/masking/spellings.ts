/** One way in which a text can stand inside another. */
export interface Spelling {
  form: 'raw' | 'hex' | 'url-encoded' | 'json-escaped' | 'html-escaped' | 'base64' | 'base64url'
  text: string
}

/**
 * The ways in which a secret can stand inside a text: as it is, and as common encodings write it.
 * Some may be the same text.
 */
export function toSpellings(secret: string): Spelling[] {
  const text = secret.toWellFormed()
  const texts: Record<Spelling['form'], string[]> = {
    raw: [secret],
    hex: toHex(text),
    'url-encoded': encodeUrl(text),
    'json-escaped': escapeJson(text),
    'html-escaped': ['&#39;', '&#x27;'].map((apostrophe) => escapeHtml(text, apostrophe)),
    base64: toBase64(text, 'base64'),
    base64url: toBase64(text, 'base64url'),
  }
  return Object.entries(texts).flatMap(([form, all]) =>
    all.map((one) => ({ form: form as Spelling['form'], text: one })),
  )
}

function toHex(text: string): string[] {
  const hex = Buffer.from(text).toString('hex')
  return [hex, hex.toUpperCase()]
}

/** As a component, a URL or a form writes it, and once more as a component within another. */
function encodeUrl(text: string): string[] {
  const form = new URLSearchParams({ x: text }).toString().slice(2)
  const upper = [encodeURIComponent(text), encodeURI(text), form]
  const once = [...upper, ...upper.map(lowerCaseEscapes)]
  return [...once, ...once.map(encodeURIComponent)]
}

function lowerCaseEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase())
}

/** In JSON, in JSON within JSON, and in JSON within that; each may keep to ASCII or escape `/`. */
function escapeJson(text: string): string[] {
  const json = escapeOnce(text)
  const once = [json, json.replaceAll('/', '\\/')].flatMap((one) => [one, escapeNonAscii(one)])
  const twice = once.map(escapeOnce)
  return [...once, ...twice, ...twice.map(escapeOnce)]
}

function escapeOnce(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function escapeHtml(text: string, apostrophe: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", apostrophe)
}

/**
 * Base64 of a longer text that holds the secret depends on where in a group of three bytes it
 * begins. For each of the three places: the characters that the secret alone decides.
 */
function toBase64(text: string, encoding: 'base64' | 'base64url'): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    const from = Math.ceil((offset * 8) / 6)
    const to = Math.floor((whole.length * 8) / 6)
    return whole.toString(encoding).slice(from, to)
  })
}
