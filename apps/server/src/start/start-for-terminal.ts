import type { Text } from '../config/index.ts'
import { readSettings, type StartOptions } from './read-settings.ts'
import { createTell } from './tell-terminal.ts'
import { terminalFlags, toTerminalConfig } from './terminal-config.ts'
import { createWays } from './ways.ts'

export interface TerminalStartOptions extends StartOptions {
  /** To the terminal: it is this process's parent. */
  channel: NodeJS.Process
}

/** Where the terminal was opened; no setting, as it is another one at each start. */
const folderVariable = 'DATAAGENT_TERMINAL_FOLDER'

/**
 * The platform of one terminal, until that goes: it tells where it listens once it can do its work,
 * takes the servers of the user's files, and ends when the channel closes, however that happened.
 */
export async function startForTerminal(options: TerminalStartOptions): Promise<void> {
  const { channel, env } = options
  const tell = createTell(channel)
  const folder = env[folderVariable] ?? process.cwd()
  delete env[folderVariable]
  const { given, loaded } = readSettings({ argv: [...options.argv, ...terminalFlags], env })
  if (loaded.status !== 'ok') {
    const message = loaded.status === 'invalid' ? loaded.message : loaded.status
    await tell({ kind: 'failed', message })
    process.exit(2)
  }
  const config = toTerminalConfig(loaded.config)
  const ways = createWays({
    ...{ config, env: given },
    tellFailure: (text) => tell({ kind: 'failed', message: text ?? unexpected[config.lang] }),
  })
  for (const warning of loaded.warnings) ways.log.warn(warning)
  try {
    const { runForTerminal } = await import('./run-for-terminal.ts')
    await runForTerminal({ config, ways, env: given, folder, channel, tell })
  } catch (error) {
    ways.fail(error)
  }
}

const unexpected: Text = {
  en: 'The local platform failed unexpectedly.',
  zh: '本地平台意外失败。',
}
