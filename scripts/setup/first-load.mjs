import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** What a chat needs: the frame of all pages, and its own. */
const shown = ['index.html', 'src/chat/chat-page.tsx']

/** @typedef {Record<string, { file: string, imports?: string[], css?: string[] }>} Manifest */

/**
 * The files that a browser gets before it shows a chat. Takes the manifest away: it is no page.
 * @param {string} dist
 */
export function takeFirstLoad(dist) {
  const file = join(dist, 'manifest.json')
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  rmSync(file)
  return filesOf(manifest, shown)
}

/**
 * The files of these modules and of all that they import at once.
 * @param {Manifest} manifest
 * @param {readonly string[]} names
 */
export function filesOf(manifest, names) {
  const files = new Set(['index.html'])
  const seen = new Set()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const part = manifest[name]
    if (part === undefined) throw new Error(`The build has no part "${name}".`)
    if (seen.has(name)) continue
    seen.add(name)
    for (const own of [part.file, ...(part.css ?? [])]) files.add(own)
    waiting.push(...(part.imports ?? []))
  }
  return files
}
