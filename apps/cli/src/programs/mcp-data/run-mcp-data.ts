import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import manifest from '../../../package.json' with { type: 'json' }
import { exitCodes } from '../../args/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import type { Program } from '../contract.ts'
import { type ServedSource, toSource } from './to-source.ts'
import { words } from './words.ts'

/** `dataagent mcp-data`: the data tools for any MCP client that starts programs. */
export const runMcpData: Program = async (call, context) => {
  const { lang, cwd, warn, stdin, stdout, readerGone } = context
  const wrong = (problem: string) => {
    warn(problem)
    return exitCodes.usage
  }
  const source = toSource(call, context)
  if ('en' in source) return wrong(source[lang])
  const missing = await findMissing(source)
  if (missing !== undefined) return wrong(words.notThere(toPlainLine(missing))[lang])
  if (source.isPasswordSeen) warn(words.passwordSeen[lang])
  const stop = new AbortController()
  const end = () => stop.abort()
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, end)
  try {
    const { serveDataOverStdio } = await import('./serve.ts')
    warn(words.serving(source.name)[lang])
    await serveDataOverStdio({
      ...{ source: source.location, name: source.name, language: lang },
      outputFolder: resolve(cwd, call.flags.get('output')?.at(-1) ?? 'outputs'),
      ...{ version: manifest.version, stdin, stdout },
      log: (line) => warn(toPlainLine(line)),
      signal: AbortSignal.any([stop.signal, readerGone]),
    })
    return exitCodes.ok
  } finally {
    for (const signal of signals) process.off(signal, end)
  }
}

/** The path of a source that is none. */
async function findMissing({ location }: ServedSource): Promise<string | undefined> {
  if (location.kind === 'mysql' || location.kind === 'postgres') return undefined
  const path = 'folder' in location ? location.folder : location.path
  const found = await stat(path).catch(() => undefined)
  const fits = 'folder' in location ? found?.isDirectory() : found?.isFile()
  return fits ? undefined : path
}
