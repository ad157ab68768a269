import { attribute, elements } from './xml.ts'

/** Built-in formats of dates and times (ECMA-376 part 1, section 18.8.30), Asian ones included. */
const builtIn = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/** Which styles show a number as a date or a time. */
export function readDateStyles(xml: string): ReadonlySet<number> {
  const custom = new Map(
    [...elements(xml, 'numFmt')].map(({ tag }) => [
      Number(attribute(tag, 'numFmtId')),
      attribute(tag, 'formatCode') ?? '',
    ]),
  )
  const isDate = (id: number) => {
    const code = custom.get(id)
    if (code !== undefined) return isDateCode(code)
    return builtIn.some(([from, to]) => id >= from && id <= to)
  }
  const [styles] = elements(xml, 'cellXfs')
  const ids = [...elements(styles?.inner ?? '', 'xf')].map(({ tag }) =>
    Number(attribute(tag, 'numFmtId') ?? 0),
  )
  return new Set(ids.flatMap((id, at) => (isDate(id) ? [at] : [])))
}

/** Without texts in quotes, escaped characters, colours and conditions, which say nothing of it. */
function isDateCode(code: string): boolean {
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]/gi, '')
  return /[ymdhs]/i.test(bare) && !/^general$/i.test(bare)
}
