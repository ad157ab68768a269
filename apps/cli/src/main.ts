// The program `dataagent`. Only what the first prompt needs is loaded before it is there.
import { constants, enableCompileCache, flushCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }
import { exitCodes, formatHelp, helpWords, type Invocation, parseInvocation } from './args/index.ts'
import type { ProgramContext } from './programs/index.ts'
import { langOf } from './words/index.ts'

const packageDir = fileURLToPath(new URL('..', import.meta.url))
const { env, stdin, stdout, stderr } = process
const homeOf = () => env.HOME || homedir()
// Compiled code is kept beside the dependencies it comes from, as the platform's is; where that may
// not be written, with what else the user's programs keep.
const inModules = enableCompileCache(`${packageDir}../../node_modules/.cache/dataagent/compiled`)
if (inModules.status === constants.compileCacheStatus.FAILED) {
  enableCompileCache(join(homeOf(), '.cache/dataagent/compiled'))
}

const invocation = parseInvocation(process.argv.slice(2))
const lang = ('options' in invocation && invocation.options.lang) || langOf(env)
const warn = (line: string) => void stderr.write(`dataagent: ${line}\n`)

/** A pipe that was closed, and a terminal that is no more. */
const goneCodes = new Set<string | undefined>(['EPIPE', 'EIO', 'ENXIO'])
const gone = new AbortController()
for (const stream of [stdout, stderr]) stream.on('error', endQuietly)
process.exitCode = await start(invocation).catch(tell)
flushCompileCache()

async function start(asked: Invocation): Promise<number> {
  if (asked.kind === 'version') return say(`${manifest.version}\n`)
  if (asked.kind === 'wrong') return refuse(asked.problem[lang])
  if (asked.kind === 'help') return help(asked.topic)
  const home = homeOf()
  const cwd = process.cwd()
  // As shells complete them: from where we were started, whichever folder the agent works in.
  const mcpConfigs = asked.options.mcpConfigs.map((path) => resolve(cwd, path))
  const options = { ...asked.options, mcpConfigs }
  const given = { options, env, home, cwd, lang, warn }
  if (asked.kind === 'interactive') {
    const { startInteractive } = await import('./app/index.ts')
    return startInteractive({ ...given, version: manifest.version })
  }
  const context: ProgramContext = {
    ...given,
    stdin,
    stdout,
    stderr,
    readerGone: gone.signal,
    packageDir,
  }
  if (asked.command === 'run') {
    const { runHeadless } = await import('./headless/index.ts')
    return runHeadless(asked, context)
  }
  const { programs } = await import('./programs/index.ts')
  return programs[asked.command]!(asked, context)
}

function help(topic: readonly string[]): number {
  const text = formatHelp(topic, lang)
  if (text !== undefined) return say(text)
  const { problem } = parseInvocation(topic) as { problem?: { en: string; zh: string } }
  return refuse(problem?.[lang] ?? topic.join(' '))
}

function say(text: string): number {
  stdout.write(text)
  return exitCodes.ok
}

function refuse(problem: string): number {
  warn(`${problem} ${helpWords.tryHelp[lang]}`)
  return exitCodes.usage
}

async function tell(error: unknown): Promise<number> {
  const { toPlainLine } = await import('./ui/index.ts')
  warn(toPlainLine(error instanceof Error ? error.message : String(error)))
  return exitCodes.error
}

/** Who reads us has had enough: nothing more is said, and nothing is wrong. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (!goneCodes.has(error.code)) throw error
  gone.abort()
  // These have something to end first: a turn at the platform, processes that ask.
  const endsItself = invocation.kind === 'command' && /^(?:run|mcp-data)$/.test(invocation.command)
  if (!endsItself) process.exit(exitCodes.ok)
}
