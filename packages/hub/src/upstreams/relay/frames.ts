import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'

/** At most three bytes each in UTF-8: a message of the KV stays below 256 KiB. */
const sliceMax = 64 * 1024
const heldMax = 64 * 1024 * 1024
const keptMs = 30_000

/** One text as messages that a KV carries well. A short one is itself. */
export function toFrames(text: string): string[] {
  if (text.length <= sliceMax) return [text]
  const slices = toSlices(text)
  const id = randomBytes(16).toString('hex')
  return slices.map((slice, index) => `#${id} ${index} ${slices.length}\n${slice}`)
}

/** No slice ends in the middle of a pair of surrogates: text must be well-formed. */
function toSlices(text: string): string[] {
  const slices: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + sliceMax)
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
    slices.push(text.slice(at, end))
    at = end
  }
  return slices
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

interface Partial {
  slices: string[]
  missing: number
  length: number
  since: number
}

/**
 * Puts the frames of texts together again; gives a text when its last frame has come. What is not
 * complete after a while, or would be too much to hold, is dropped.
 */
export function createFrameReader(clock: Clock): (frame: string) => string | undefined {
  const partials = new Map<string, Partial>()
  let held = 0

  return (frame) => {
    if (!frame.startsWith('#')) return frame
    dropOld()
    const [, id = '', index = '', count = ''] = /^#(\w+) (\d+) (\d+)\n/.exec(frame) ?? []
    if (id === '') return undefined
    const partial = partials.get(id) ?? begin(id, Number(count))
    const slice = frame.slice(frame.indexOf('\n') + 1)
    if (partial.slices[Number(index)] !== undefined) return undefined
    partial.slices[Number(index)] = slice
    partial.missing -= 1
    partial.length += slice.length
    held += slice.length
    if (held > heldMax) return drop(id)
    if (partial.missing > 0) return undefined
    drop(id)
    return partial.slices.join('')
  }

  function begin(id: string, missing: number): Partial {
    const partial = { slices: [], missing, length: 0, since: clock.monotonic() }
    partials.set(id, partial)
    return partial
  }

  function dropOld(): void {
    for (const [id, { since }] of partials) {
      if (clock.monotonic() - since < keptMs) return
      drop(id)
    }
  }

  function drop(id: string): undefined {
    held -= partials.get(id)?.length ?? 0
    partials.delete(id)
  }
}
