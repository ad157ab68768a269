import { isSurelyWithin } from './json-within.ts'
import type { Pause } from './pause.ts'

/** By estimate. It is written at once. */
const pieceBytes = 128 * 1024
const itemsAtOnce = 256
const depthMax = 64

/**
 * As `JSON.stringify`, in as many pieces as it takes: what is large holds nobody up. Rejects for
 * what JSON cannot hold.
 */
export function writeJson(value: unknown, pause: Pause): Promise<string | undefined> {
  return write(value, pause, depthMax)
}

async function write(value: unknown, pause: Pause, depthLeft: number): Promise<string | undefined> {
  if (depthLeft === 0 || isPiece(value)) return JSON.stringify(value)
  if (pause.isDue()) await pause.rest()
  return Array.isArray(value)
    ? await writeItems(value, pause, depthLeft - 1)
    : await writeFields(value as Record<string, unknown>, pause, depthLeft - 1)
}

/** What writes itself is written by itself. */
function isPiece(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return true
  return isSurelyWithin(value, pieceBytes)
}

async function writeItems(items: readonly unknown[], pause: Pause, depthLeft: number) {
  const parts: string[] = []
  for (let start = 0; start < items.length; start += itemsAtOnce) {
    const some = items.slice(start, start + itemsAtOnce)
    if (isPiece(some)) parts.push(JSON.stringify(some).slice(1, -1))
    else for (const item of some) parts.push((await write(item, pause, depthLeft)) ?? 'null')
    if (pause.isDue()) await pause.rest()
  }
  return `[${parts.join(',')}]`
}

async function writeFields(fields: Record<string, unknown>, pause: Pause, depthLeft: number) {
  const parts: string[] = []
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    const json = isPiece(value) ? JSON.stringify(value) : await write(value, pause, depthLeft)
    if (json !== undefined) parts.push(`${JSON.stringify(key)}:${json}`)
    if (pause.isDue()) await pause.rest()
  }
  return `{${parts.join(',')}}`
}
