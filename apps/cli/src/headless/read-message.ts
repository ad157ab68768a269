import type { ProgramContext } from '../programs/index.ts'
import { words } from './words.ts'

const patienceMs = 3_000

/**
 * The words of the command line and the text of the pipe, with an empty line between them. A pipe
 * that stays silent is waited for only where it is all there is, or `-` asks for it.
 */
export async function readMessage(
  given: readonly string[],
  { stdin, lang, warn }: Pick<ProgramContext, 'stdin' | 'lang' | 'warn'>,
): Promise<string> {
  const said = given.filter((word) => word !== '-').join(' ')
  const mustWait = said === '' || given.includes('-')
  const isPiped = stdin.isTTY !== true
  const piped = isPiped || given.includes('-') ? await readAll(stdin, mustWait) : ''
  if (piped === undefined) warn(words.stdinSilent[lang])
  return [said, (piped ?? '').trimEnd()].filter((part) => part.trim() !== '').join('\n\n')
}

/** Undefined where nothing came in time. */
async function readAll(stdin: NodeJS.ReadStream, mustWait: boolean): Promise<string | undefined> {
  const silent = Promise.withResolvers<undefined>()
  const timer = mustWait ? undefined : setTimeout(() => silent.resolve(undefined), patienceMs)
  const pieces: string[] = []
  const whole = (async () => {
    for await (const piece of stdin.setEncoding('utf8')) {
      clearTimeout(timer)
      pieces.push(String(piece))
    }
    return pieces.join('')
  })()
  try {
    return await Promise.race([whole, silent.promise])
  } finally {
    clearTimeout(timer)
    // One that is left would keep the process from ending; its reader ends with it.
    whole.catch(() => {})
    if (pieces.length === 0) stdin.destroy()
  }
}
