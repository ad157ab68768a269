import { basename, extname, resolve } from 'node:path'
import type { EngineSource } from '@dataagent/data'
import { createSecret } from '@dataagent/schema'
import type { Text } from '../../words/index.ts'
import type { ProgramCall, ProgramContext } from '../contract.ts'
import { words } from './words.ts'

/** What was asked to be served, and how it is called. */
export interface ServedSource {
  location: EngineSource
  name: string
  /** The address with its password stands in the list of processes. */
  isPasswordSeen: boolean
}

/** The one source that the flags or the environment name; else what is wrong. */
export function toSource(
  { flags }: Pick<ProgramCall, 'flags'>,
  { options, env, cwd }: Pick<ProgramContext, 'options' | 'env' | 'cwd'>,
): ServedSource | Text {
  const last = (name: string) => flags.get(name)?.at(-1)
  const name = last('name')
  const said = { folder: options.folder, sqlite: last('sqlite'), duckdb: last('duckdb') }
  const places = Object.entries(said).filter((pair): pair is [keyof typeof said, string] =>
    Boolean(pair[1]),
  )
  const typed = last('url')
  const url = typed ?? (places.length === 0 ? env.DATAAGENT_DATA_URL : undefined)
  const [place] = places
  if (places.length + (url ? 1 : 0) !== 1) return words.oneSource
  if (url) return toDatabase(url, { name, isTyped: typed !== undefined })
  const [flag, path] = place!
  const location =
    flag === 'folder'
      ? ({ kind: 'files', folder: resolve(cwd, path) } as const)
      : ({ kind: flag, path: resolve(cwd, path) } as const)
  const base = basename('folder' in location ? location.folder : location.path)
  return { location, name: name ?? (toName(base) || 'files'), isPasswordSeen: false }
}

const kinds: Readonly<Record<string, 'mysql' | 'postgres'>> = {
  ...{ 'mysql:': 'mysql', 'mariadb:': 'mysql', 'postgres:': 'postgres' },
  'postgresql:': 'postgres',
}

function toDatabase(
  text: string,
  { name, isTyped }: { name: string | undefined; isTyped: boolean },
): ServedSource | Text {
  const url = URL.parse(text)
  const kind = url === null ? undefined : kinds[url.protocol]
  if (url === null || kind === undefined) return words.badUrl
  const secret = { url: createSecret(text) }
  return {
    location: kind === 'mysql' ? { kind, ...secret } : { kind, ...secret },
    name: name ?? (toName(url.pathname.slice(1)) || kind),
    isPasswordSeen: isTyped && url.password !== '',
  }
}

/** Without its ending, in letters that can be typed. */
function toName(file: string): string {
  return file
    .slice(0, file.length - extname(file).length)
    .replace(/[^\p{L}\p{N}_-]+/gu, '_')
    .replace(/^_+|_+$/g, '')
}
