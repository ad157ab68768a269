import type { App } from '../../app/index.ts'
import { saveFile, toFolderPath } from '../view/save-file.ts'
import { noSession } from '../words.ts'

interface Wanted {
  file: string
  format: 'markdown' | 'json'
}

/** The session as a file of the folder. */
export async function runExport(args: string, app: App): Promise<void> {
  const { session, folder, lang, signal } = app
  if (session === undefined) return app.tell('info', noSession[lang])
  const { file, format } = parseWanted(args, session.title ?? session.session_id, folder)
  const { client } = await app.link()
  await saveFile(app, file, async () => {
    const { body } = await client.sessions.export(session.session_id, { format }, { signal })
    return body ?? new Blob([]).stream()
  })
}

const formats: Readonly<Record<string, Wanted['format']>> = {
  ...{ md: 'markdown', markdown: 'markdown', json: 'json' },
}

/** A word that names a format is one; all else is the file. */
export function parseWanted(args: string, title: string, folder: string): Wanted {
  const words = args.split(/\s+/).filter((word) => word !== '')
  const last = words.at(-1)?.toLowerCase() ?? ''
  const named = formats[last]
  const typed = (named ? words.slice(0, -1) : words).join(' ')
  const path = toFolderPath(typed, folder)
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  const format = named ?? formats[ending] ?? 'markdown'
  const extension = format === 'json' ? 'json' : 'md'
  if (path === '') return { file: `${toFileName(title)}.${extension}`, format }
  return { file: ending === '' ? `${path}.${extension}` : path, format }
}

/** Letters and digits of any script, for a name that every system takes. */
function toFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  return [...name].slice(0, 40).join('') || 'session'
}
