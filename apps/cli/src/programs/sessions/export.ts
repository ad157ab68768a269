import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exitCodes } from '../../args/index.ts'
import { toPlain } from '../../ui/index.ts'
import { toSafeJson } from '../safe-json.ts'
import type { Action } from './action.ts'
import { words } from './words.ts'

/** Into a file as it is; to standard output without what a terminal would act upon. */
export const exportSession: Action = async ({ client, ids: [id = ''], flags }, context) => {
  const { stdout, warn, lang, cwd } = context
  const format = flags.get('format')?.at(-1) === 'json' ? 'json' : 'markdown'
  const to = flags.get('to')?.at(-1)
  const { body, text } = await client.sessions.export(id, { format }).then(partsOf)
  if (to === undefined) {
    const whole = await text()
    stdout.write(format === 'json' ? toSafeJson(whole) : toPlain(whole))
    return exitCodes.ok
  }
  const path = resolve(cwd, to)
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw error.code === 'EEXIST' ? new Error(words.exists(path)[lang], { cause: error }) : error
  })
  try {
    for await (const piece of body) await file.writeFile(piece)
  } finally {
    await file.close()
  }
  warn(words.written(path)[lang])
  return exitCodes.ok
}

const partsOf = (response: Response) => ({
  body: response.body ?? [],
  text: () => response.text(),
})
