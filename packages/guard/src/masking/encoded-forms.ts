/**
 * The ways in which a secret can stand inside a text: as it is, and as common encodings write it.
 */
export function toEncodedForms(secret: string): Set<string> {
  const text = secret.toWellFormed()
  const json = escapeJson(text)
  const url = [encodeURIComponent(text), encodeURI(text), encodeForm(text)]
  return new Set([
    secret,
    json,
    escapeJson(json),
    escapeNonAscii(json),
    ...url,
    ...url.map(lowerCaseEscapes),
    ...toBase64Forms(text),
  ])
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function escapeNonAscii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function encodeForm(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2)
}

function lowerCaseEscapes(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (found) => found.toLowerCase())
}

/**
 * Base64 of a longer text that holds the secret depends on where in a group of three bytes it
 * begins. For each of the three places: the characters that the secret alone decides.
 */
function toBase64Forms(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
    const from = Math.ceil((offset * 8) / 6)
    const to = Math.floor((whole.length * 8) / 6)
    return [whole.toString('base64'), whole.toString('base64url')].map((form) =>
      form.slice(from, to),
    )
  })
}
