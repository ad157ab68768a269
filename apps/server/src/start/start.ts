import { type Config, loadConfig, modelVariables, secretVariables } from '../config/index.ts'
import { createLogger, createLogMasker, createLogOutput } from '../log/index.ts'
import { version } from '../version.ts'
import { explainFailure } from './explain-failure.ts'
import type { Run } from './run.ts'
import { takeJoining } from './succession.ts'

export interface StartOptions {
  argv: string[]
  /** The process's own: secrets are taken out of it, so that no child inherits them. */
  env: NodeJS.ProcessEnv
}

/** The whole program, from its arguments to its end. */
export async function start({ argv, env }: StartOptions): Promise<void> {
  // Whatever we make (databases, keys, workspaces) is for this user alone.
  process.umask(0o077)
  // Nobody may be reading what is meant for people; that is no reason to stop.
  process.stderr.on('error', () => {})
  const joins = takeJoining(env)
  const given = { ...env }
  for (const name of secretVariables) delete env[name]

  const loaded = loadConfig({ argv, env: given })
  if (loaded.status === 'help') return print(loaded.text)
  if (loaded.status === 'version') return print(version)
  if (loaded.status === 'invalid') {
    process.stderr.write(`${loaded.message}\n`)
    process.exitCode = 2
    return
  }
  const { run } = await import('./run.ts')
  await run({ ...loaded, ...createWays(loaded.config, secretsOf(given)), env: given, joins })
}

/** What the environment holds for the agent besides our own settings. */
function secretsOf(env: Record<string, string | undefined>): string[] {
  return modelVariables.flatMap(({ env: name, secret }) => (secret && env[name]) || [])
}

function print(text: string): void {
  process.stdout.write(`${text.trimEnd()}\n`)
}

type Ways = Pick<Run, 'log' | 'masker' | 'say' | 'exit' | 'fail'>

function createWays(config: Config, secrets: string[]): Ways {
  const output = createLogOutput(config, {
    onDropped: (count) => log.warn({ count }, 'log records were lost: they could not be written'),
  })
  const masker = createLogMasker(config, secrets)
  const log = createLogger({ level: config.log_level, masker, sink: output })

  function exit(code: number): void {
    void output.close().then(() => process.exit(code))
  }

  function fail(error: unknown): void {
    const { code, text } = explainFailure(error, config)
    if (text === undefined) log.fatal({ error }, 'the server cannot go on')
    else process.stderr.write(`${text}\n`)
    exit(code)
  }

  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  return { log, masker, exit, fail, say: (text) => void process.stderr.write(`${text}\n`) }
}
