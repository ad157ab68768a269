import type { FolderFile } from './folder-files.ts'

const longestName = 120

/** A name that needs no quotes in SQL. */
export function toTableName(text: string, reserved: ReadonlySet<string>): string {
  const cleaned = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, longestName)
  const name = /^\p{L}|^_/u.test(cleaned) ? cleaned : `t_${cleaned}`
  return reserved.has(name.toLowerCase()) ? `${name}_` : name
}

/**
 * Gives each file a name of its own, by the file's name. Of several that would have the same, one
 * in the folder itself keeps it, the others get the folders they are in before it, their format or
 * a number after it.
 */
export function nameFiles<T extends FolderFile>(
  files: readonly T[],
  reserved: ReadonlySet<string>,
): Map<string, T> {
  const short = (file: T) => toTableName(file.words.at(-1)!, reserved)
  const named = new Map<string, T>()
  const taken = new Set<string>()
  const groups = Map.groupBy(files, (file) => short(file).toLowerCase())
  for (const group of groups.values()) {
    const atTop = group.filter(({ words }) => words.length === 1)
    for (const file of group) {
      const keeps = group.length === 1 || (atTop.length === 1 && file === atTop[0])
      if (keeps) give(short(file), file)
    }
  }
  for (const group of groups.values()) {
    for (const file of group.filter((one) => !taken.has(one.path))) give(longName(file), file)
  }
  return named

  function longName(file: T): string {
    const long = toTableName(file.words.join('_'), reserved)
    return named.has(long.toLowerCase()) || long === short(file) ? `${long}_${file.format}` : long
  }

  function give(wanted: string, file: T): void {
    let name = wanted
    for (let count = 2; named.has(name.toLowerCase()); count += 1) name = `${wanted}_${count}`
    named.set(name.toLowerCase(), file)
    taken.add(file.path)
  }
}
