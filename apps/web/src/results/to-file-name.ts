import { toSavedName } from '../ui/save-file.ts'

/** Where the subtype is no usual ending. */
const endings: Readonly<Record<string, string>> = {
  ...{ 'svg+xml': 'svg', jpeg: 'jpg', mpeg: 'mp3', plain: 'txt', javascript: 'js' },
  'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
}

/** The name under which a file of a result is saved: its own, else that of the tool. */
export function toFileName(
  { name, type }: { name: string | undefined; type: string },
  tool: string,
): string {
  if (name?.includes('.')) return toSavedName(name)
  const subtype = type.split(/[/;]/)[1]?.trim().toLowerCase() ?? ''
  const ending = endings[subtype] ?? (/^[a-z0-9]{1,5}$/.test(subtype) ? subtype : 'bin')
  return toSavedName(`${name ?? tool}.${ending}`)
}
