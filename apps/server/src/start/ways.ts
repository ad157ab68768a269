import { type Config, modelVariables } from '../config/index.ts'
import { createLogger, createLogMasker, createLogOutput } from '../log/index.ts'
import { explainFailure } from './explain-failure.ts'
import type { Run } from './run.ts'

/** The process's ways to the outside. */
export type Ways = Pick<Run, 'log' | 'masker' | 'exit' | 'fail'>

export interface WaysOptions {
  config: Config
  /** The environment as it was at the start. */
  env: Readonly<Record<string, string | undefined>>
  /**
   * Tells whoever started it why it ends, where there are words for that, and before it does. May
   * not throw.
   */
  tellFailure(text: string | undefined): void | Promise<void>
}

/** Where the process logs to, and how it ends. What nobody has caught ends it too. */
export function createWays({ config, env, tellFailure }: WaysOptions): Ways {
  const output = createLogOutput(config, {
    onDropped: (count) => log.warn({ count }, 'log records were lost: they could not be written'),
  })
  const masker = createLogMasker(config, secretsOf(env))
  const log = createLogger({ level: config.log_level, masker, sink: output })

  function exit(code: number): void {
    void output.close().then(() => process.exit(code))
  }

  async function end(error: unknown): Promise<void> {
    const { code, text } = explainFailure(error, config)
    if (text === undefined) log.fatal({ error }, 'the server cannot go on')
    await tellFailure(text)
    exit(code)
  }

  const fail = (error: unknown) => void end(error)
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  return { log, masker, exit, fail }
}

/** What the environment holds for the agent besides our own settings. */
function secretsOf(env: WaysOptions['env']): string[] {
  return modelVariables.flatMap(({ env: name, secret }) => (secret && env[name]) || [])
}
