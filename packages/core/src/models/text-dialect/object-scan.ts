const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [double, single, backslash, colon] = [0x22, 0x27, 0x5c, 0x3a]

/** A longer key is none that we look for. */
const keyMax = 16

/** Follows a JSON object that comes in pieces to its end. Looks at each character once. */
export class ObjectScan {
  /** Whether the key `wanted` stands in the object itself. */
  hasKey = false
  /** Whether it cannot be a JSON object. */
  isBroken = false
  readonly #wanted: string
  #depth = 0
  #quote = 0
  #inText = false
  #isEscaped = false
  #text = ''

  constructor(wanted: string) {
    this.#wanted = wanted
  }

  /** The index in `piece` behind the object's end; -1 where it goes on. */
  feed(piece: string): number {
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at)
      if (this.#inText) this.#readText(code)
      else this.#readOutside(code)
      if (this.#depth === 0 || this.isBroken) return at + 1
    }
    return -1
  }

  #readText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (code === backslash) this.#isEscaped = true
    else if (code === this.#quote) this.#inText = false
    else if (this.#text.length < keyMax) this.#text += String.fromCharCode(code)
  }

  #readOutside(code: number): void {
    if (this.#quote === 0 && this.#depth > 0 && code > 0x20) this.#readFirst(code)
    if (code === this.#quote) {
      this.#inText = true
      this.#text = ''
    } else if (code === openBrace || code === openBracket) this.#depth += 1
    else if (code === closeBrace || code === closeBracket) this.#depth -= 1
    else if (code === colon && this.#depth === 1 && this.#text === this.#wanted) this.hasKey = true
  }

  /** Behind its opening an object has a quoted key or its end. */
  #readFirst(code: number): void {
    if (code === double || code === single) this.#quote = code
    else if (code !== closeBrace) this.isBroken = true
  }
}
