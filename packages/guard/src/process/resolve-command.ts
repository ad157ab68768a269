import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { AppError } from '@dataagent/schema/base'
import type { Environment } from './environment.ts'

/**
 * Finds the file of `command`: an absolute path as it is, a bare name in the PATH of `env` and
 * nowhere else.
 */
export async function resolveCommand(command: string, env: Environment): Promise<string> {
  if (command === '' || command.includes('\0')) {
    throw new AppError('invalid_request', 'The command is empty or holds a NUL. Name a program.')
  }
  if (!isAbsolute(command) && /[/\\]/.test(command)) {
    throw new AppError(
      'invalid_request',
      `The command "${command}" is a relative path. Give its absolute path, or a bare name that PATH holds.`,
    )
  }
  for (const file of candidates(command, env)) if (await isExecutable(file)) return file
  throw new AppError(
    'process_failed',
    `The command "${command}" was not found or may not be executed. Install it, give its absolute path, or add its folder to PATH among the variables declared for this process.`,
    { data: { command } },
  )
}

function candidates(command: string, env: Environment): string[] {
  if (isAbsolute(command)) return withSuffixes(command)
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => withSuffixes(join(folder, command)))
}

function withSuffixes(file: string): string[] {
  return process.platform === 'win32' ? [file, `${file}.exe`] : [file]
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
