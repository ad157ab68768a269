/** What follows a number such as `q1`: a file to save it as. */
export interface AskedQuery<Format extends string> {
  ref: string
  save?: { format: Format; file: string } | undefined
}

export type SqlRequest =
  | { kind: 'list' }
  | ({ kind: 'show' } & AskedQuery<'csv' | 'xlsx'>)
  | { kind: 'run'; sql: string; source: string | undefined }

const sourceFirst = /^--source(?:=|\s+)(?:"([^"]+)"|(\S+))\s+([\s\S]+)$/
const sourceLast = /^([\s\S]+?)\s+--source(?:=|\s+)(?:"([^"]+)"|(\S+))$/

/** Undefined where it is nothing that can be done. */
export function parseSql(args: string): SqlRequest | undefined {
  if (args === '') return { kind: 'list' }
  if (/^q\d+(?:\s|$)/i.test(args)) {
    const asked = parseAsked(args, ['csv', 'xlsx'])
    return asked && { kind: 'show', ...asked }
  }
  const [, quoted, bare, rest] = sourceFirst.exec(args) ?? []
  if (rest !== undefined) return { kind: 'run', sql: rest, source: quoted ?? bare }
  const [, sql, named, plain] = sourceLast.exec(args) ?? []
  if (sql !== undefined) return { kind: 'run', sql, source: named ?? plain }
  return args.startsWith('--') ? undefined : { kind: 'run', sql: args, source: undefined }
}

/** `q1`, `q1 --csv` or `q1 --csv FILE`; without a file it is named for the query. */
export function parseAsked<Format extends string>(
  args: string,
  formats: readonly Format[],
): AskedQuery<Format> | undefined {
  const [, typed, flag, file] = /^(q\d+)(?:\s+--(\w+)(?:(?:=|\s+)([\s\S]+))?)?$/i.exec(args) ?? []
  const ref = typed?.toLowerCase()
  if (ref === undefined) return undefined
  if (flag === undefined) return { ref }
  const format = formats.find((one) => one === flag)
  return format && { ref, save: { format, file: file ?? `${ref}.${format}` } }
}
