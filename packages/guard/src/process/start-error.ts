import { AppError } from '@dataagent/schema/base'

const startHints: Record<string, string> = {
  E2BIG: 'Its arguments and variables together are too long; shorten them.',
  EACCES: 'It may not be executed; check the permissions of the file.',
  EAGAIN: 'The limit of processes is reached; stop some or raise it.',
  EMFILE: 'The limit of open files is reached; raise it (ulimit -n).',
  ENOENT: 'It, or the interpreter that its first line names, is not here; install it.',
  ERR_INVALID_ARG_VALUE: 'An argument holds a NUL; correct it.',
}

/** Why a command did not start, from what the system says, with what may help. */
export function toStartError(command: string, cause: unknown): AppError {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
  const hint = startHints[code] ?? 'Try to run it by hand to see why.'
  return new AppError(
    'process_failed',
    `The command "${command}" could not be started (${code}). ${hint}`,
    { data: { command, code }, cause },
  )
}
