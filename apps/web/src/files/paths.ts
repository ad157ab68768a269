export interface Crumb {
  name: string
  /** Undefined is the uppermost folder. */
  path: string | undefined
}

/** The folders above and at a path, outermost first, without the uppermost. */
export function toCrumbs(path: string | undefined): Crumb[] {
  const names = (path ?? '').split('/').filter((name) => name !== '' && name !== '.')
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }))
}

export function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path
}

export function join(folder: string | undefined, name: string): string {
  return folder === undefined ? name : `${folder}/${name}`
}

/** The part behind the last dot, small; empty where there is none. */
export function endingOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
}
