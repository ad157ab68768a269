import { ObjectScan } from './object-scan.ts'
import { readTextCalls, type TextCall } from './read-text-calls.ts'

export interface FinderSink {
  text(text: string): void
  call(call: TextCall): void
}

/** JSON that has not named a call by then is given as text. */
const undecidedMax = 2_048
/** A call may be so long. */
const callMax = 1024 * 1024
/** The opening of a code fence with what stands before the JSON. */
const openingMax = 100

type Mode = 'text' | 'fence' | 'object' | 'after'

/**
 * Finds calls in a text that comes in pieces: JSON objects with the field `tool_call`, bare or in a
 * code fence. All else is given on as soon as it can be no part of one.
 */
export class CallFinder {
  readonly #sink: FinderSink
  #mode: Mode = 'text'
  /** Held back: backticks that may open a fence, or the opening of one. */
  #held = ''
  #isFenced = false
  #pieces: string[] = []
  #length = 0
  #scan = new ObjectScan('tool_call')

  constructor(sink: FinderSink) {
    this.#sink = sink
  }

  push(piece: string): void {
    let rest = piece
    while (rest !== '') rest = this.#steps[this.#mode](rest)
  }

  /** The text has ended; `isCut`: for its length, so that what is open stays open. */
  end({ isCut }: { isCut: boolean }): void {
    const json = this.#pieces.join('')
    const calls = isCut || !this.#scan.hasKey ? [] : readTextCalls(json)
    if (calls.length > 0) for (const call of calls) this.#sink.call(call)
    else this.#give(this.#held + json)
    this.#reset('text')
  }

  readonly #steps: Record<Mode, (rest: string) => string> = {
    text: (rest) => {
      const text = this.#held + rest
      this.#held = ''
      const at = text.search(/[{`]/)
      this.#give(at === -1 ? text : text.slice(0, at))
      if (at === -1) return ''
      const found = text.slice(at)
      if (found.startsWith('{')) return this.#openObject(found)
      if (/^`{1,2}$/.test(found)) return this.#hold(found)
      if (found.startsWith('```')) return this.#openFence(found)
      return this.#pass(found, /^`+/)
    },

    fence: (rest) => {
      const text = this.#held + rest
      this.#held = ''
      const opening = /^`+[\w-]*\s*/.exec(text)?.[0] ?? ''
      if (text[opening.length] === '{') {
        this.#held = opening
        this.#isFenced = true
        return this.#openObject(text.slice(opening.length))
      }
      if (opening.length === text.length && text.length < openingMax) return this.#hold(text)
      this.#mode = 'text'
      return this.#pass(text, /^`+/)
    },

    object: (rest) => {
      const end = this.#scan.feed(rest)
      const piece = end === -1 ? rest : rest.slice(0, end)
      this.#pieces.push(piece)
      this.#length += piece.length
      if (end !== -1) this.#endObject()
      else if (this.#length > (this.#scan.hasKey ? callMax : undecidedMax)) this.#release()
      return end === -1 ? '' : rest.slice(end)
    },

    // Between calls, and between a call and the end of its fence, there is nothing to say.
    after: (rest) => {
      const text = (this.#held + rest).replace(/^[\s,]+/, '')
      this.#held = ''
      if (text === '') return ''
      if (text.startsWith('{')) return this.#openObject(text)
      if (!this.#isFenced || !text.startsWith('`')) {
        this.#reset('text')
        return text
      }
      if (/^`{1,2}$/.test(text)) return this.#hold(text)
      this.#isFenced = false
      return text.replace(/^`+/, '')
    },
  }

  #openObject(text: string): string {
    this.#mode = 'object'
    this.#pieces = []
    this.#length = 0
    this.#scan = new ObjectScan('tool_call')
    return text
  }

  #openFence(text: string): string {
    this.#mode = 'fence'
    return text
  }

  #hold(text: string): string {
    this.#held = text
    return ''
  }

  #pass(text: string, what: RegExp): string {
    const length = what.exec(text)?.[0].length ?? 1
    this.#give(text.slice(0, length))
    return text.slice(length)
  }

  #endObject(): void {
    const calls = this.#scan.hasKey ? readTextCalls(this.#pieces.join('')) : []
    if (calls.length === 0) {
      this.#release()
      return
    }
    for (const call of calls) this.#sink.call(call)
    this.#reset('after')
  }

  #release(): void {
    this.#give(this.#held + this.#pieces.join(''))
    this.#reset('text')
  }

  #reset(mode: Mode): void {
    this.#mode = mode
    this.#held = ''
    this.#pieces = []
    if (mode === 'text') this.#isFenced = false
  }

  #give(text: string): void {
    if (text !== '') this.#sink.text(text)
  }
}
