const opening = '\u001b[200~'
const closing = '\u001b[201~'

/** What the terminal sent: keys as they came, or a whole paste. */
export type Input = { kind: 'keys'; data: string } | { kind: 'paste'; text: string }

/** Puts bracketed pastes together that come in several parts, and frees them of controls. */
export function createPasteReader(): (data: string) => Input[] {
  let pasted: string | undefined

  return function read(data: string): Input[] {
    if (pasted === undefined) {
      const at = data.indexOf(opening)
      if (at === -1) return keysOf(data)
      pasted = ''
      return [...keysOf(data.slice(0, at)), ...read(data.slice(at + opening.length))]
    }
    pasted += data
    const at = pasted.indexOf(closing)
    if (at === -1) return []
    const text = toTypable(pasted.slice(0, at))
    const rest = pasted.slice(at + closing.length)
    pasted = undefined
    return [{ kind: 'paste', text }, ...(rest === '' ? [] : read(rest))]
  }
}

/** As a terminal sends it, for what reads pastes itself. */
export function toBracketed(text: string): string {
  return `${opening}${text}${closing}`
}

/** C1 controls are what no key sends; some terminals obey them. */
function keysOf(data: string): Input[] {
  const keys = data.replace(/[\u0080-\u009f]/g, '')
  return keys === '' ? [] : [{ kind: 'keys', data: keys }]
}

const esc = '\u001b'
const bell = '\u0007'

/** tmux may send controls inside of a paste as it sends keys: CSI code ; 5 u. */
const controlAsKey = new RegExp(`${esc}\\[(\\d+);5u`, 'g')
const csi = `\\[[0-?]*[ -/]*[@-~]`
const withString = `[\\]P_^X][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?`
const escapeSequence = new RegExp(`${esc}(?:${csi}|${withString})`, 'g')

/** Controls, and what turns the direction of the line around the cursor. */
const refused = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu

/** Text as it may stand in the editor. */
export function toTypable(text: string): string {
  return text
    .replace(controlAsKey, (_, code: string) => String.fromCharCode(Number(code) & 0x1f))
    .replace(/\r\n?/g, '\n')
    .replace(escapeSequence, '')
    .replace(refused, '')
}
