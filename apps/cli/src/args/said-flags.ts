import type { ThemeName } from '../ui/index.ts'
import type { Lang, Text } from '../words/index.ts'
import type { Flag, GlobalOptions, Resume } from './contract.ts'
import { nearest } from './nearest.ts'
import { problemWords } from './words.ts'

/** A flag as it stands on the command line; without `flag` where there is none of that name. */
export interface Said {
  flag: Flag | undefined
  rawName: string
  value: string | undefined
  /** The value is a word of its own. */
  isApart: boolean
  /** Which words these are. */
  places: number[]
}

/** What is wrong with them, if anything is: the first of it. */
export function checkFlags(said: readonly Said[], known: readonly Flag[]): Text | undefined {
  const wrong = said.map((one) => faultOf(one, known)).find((fault) => fault !== undefined)
  if (wrong) return wrong
  const names = new Set(said.map(({ flag }) => flag?.name))
  return names.has('resume') && names.has('continue') ? problemWords.twoSessions : undefined
}

function faultOf({ flag, rawName, value, isApart }: Said, known: readonly Flag[]) {
  if (flag === undefined || !known.includes(flag)) {
    const names = known.flatMap(({ name, alias }) => [
      `--${name}`,
      ...(alias ? [`--${alias}`] : []),
    ])
    return problemWords.unknownFlag(rawName, nearest(rawName, names))
  }
  if (!flag.value) return value === undefined ? undefined : problemWords.takesNoValue(rawName)
  const { isOptional, completes, name } = flag.value
  const isMissing = value === undefined || value === '' || (isApart && /^-./.test(value))
  if (isMissing) return isOptional ? undefined : problemWords.needsValue(rawName, name)
  if (Array.isArray(completes) && !completes.includes(value))
    return problemWords.oneOf(rawName, value, completes)
  if (flag.name === 'server' && !isAddress(value))
    return problemWords.badUrl(withoutPassword(value))
  return undefined
}

/** Whether a platform can be there. One with a password in it would be shown with it. */
export function isAddress(text: string): boolean {
  const url = /^https?:\/\/[^/]/.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

/** An address as it may be shown. */
export function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//***@')
}

/** What was said for every command; of a flag that was said twice, the last. */
export function toGlobalOptions(said: readonly Said[]): GlobalOptions {
  const all = (name: string) =>
    said.flatMap(({ flag, value }) => (flag?.name === name ? [value ?? ''] : []))
  const last = (name: string) => all(name).at(-1) || undefined
  return {
    server: last('server'),
    apiKey: last('api-key'),
    apiKeyFile: last('api-key-file'),
    assistant_id: last('agent'),
    mcpConfigs: all('mcp-config'),
    trustsProjectMcp: all('trust-project-mcp').length > 0,
    folder: last('folder'),
    dataDir: last('data-dir'),
    lang: last('lang') as Lang | undefined,
    theme: last('theme') as ThemeName | undefined,
    resume: toResume(all('resume').at(-1), all('continue').length > 0),
    isPlain: all('plain').length > 0,
  }
}

function toResume(session_id: string | undefined, isLast: boolean): Resume | undefined {
  if (isLast) return { kind: 'last' }
  if (session_id === undefined) return undefined
  return session_id === '' ? { kind: 'choose' } : { kind: 'session', session_id }
}
